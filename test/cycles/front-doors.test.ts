/** The same answers through both front doors: `mettle run` with a cassette, and a session that calls the tools. */
import { afterAll, beforeAll, expect } from "vitest";
import type { Recorded } from "../../src/kernel/run-event.ts";
import { verifies } from "../verifies.ts";
import type { World } from "../orchestrate/world.ts";
import { playOn, takeSeat, type Seat } from "./referee-world.ts";
import { createCyclesWorld, goCycles, oneCycle } from "./world.ts";

const task = "Add slugify(text)";
const settings = "version: 1\nsession: { protocol: dptr }\n";
let seat: Seat;
let world: World;
let session: readonly Recorded[];
let driver: readonly Recorded[];

beforeAll(async () => {
  seat = await takeSeat("dptr");
  await seat.call("enter", { mode: "Ω₁ᴾ", ctx: task });
  await playOn({ seat, cassette: await oneCycle() });
  session = await seat.events();
  world = await createCyclesWorld({ "mettle.yaml": settings });
  ({ events: driver } = await goCycles(world, "dptr", await oneCycle(), { start: { task } }));
}, 120_000);
afterAll(() => Promise.all([seat.remove(), world.remove()]));

verifies("TDP-02", "a session's run and the driver's run of the same answers have the same journal", () => {
  expect(comparable(session)).toEqual(comparable(driver));
});

/** Every name that differs from run to run stands as its place of first mention: what is one there is one here. */
function comparable(events: readonly Recorded[]): readonly unknown[] {
  const names = new Map<string, string>();
  const named = (text: string): string => {
    const name = names.get(text) ?? `#${names.size + 1}`;
    names.set(text, name);
    return name;
  };
  return events
    .filter(({ type }) => !ofProcess.includes(type))
    .map((event) => JSON.parse(JSON.stringify(sameInBoth(event)).replace(changing, named)) as unknown);
}

/** What an agent's own process says and costs: that of a session is not heard. */
const ofProcess: readonly string[] = ["agent.said", "agent.used"];

/** Hashes, dialogues and the times in their names, records, and the tests that the runtime makes for one check. */
const changing =
  /(?:sha256:)?[0-9a-f]{64}|\b[0-9a-f]{40}\b|\b\d{8}T\d{9}Z|(?:PLAN|TDD)_\d{8}T\d{9}Z|(?<=["(])[a-z0-9]{6}(?=\/\d+[")])|(?<=\/runs\/)[a-z0-9]{6}(?=\/)|mettle-canary-[a-z0-9]+/gu;

/** Without time, front door, and who played where. */
function sameInBoth(event: Recorded): object {
  const played = [
    "repository",
    "reviewers",
    "agents",
    "agent",
    "vendor",
    "conversation",
    "resumed",
    "workspace",
    "isolation",
    "channel",
  ];
  const out = new Set(["seq", "at", "front", "before", ...played]);
  return Object.fromEntries(Object.entries(event).filter(([name]) => !out.has(name)));
}
