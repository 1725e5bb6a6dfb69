import { beforeAll, expect, test } from "vitest";
import { openRun } from "../families/open-run.ts";
import { plain } from "../engine/plain.ts";
import type { Protocol } from "../protocol/machine.ts";
import type { RunEvent } from "../log/run-event.ts";
import { createWorld, golden, type World } from "../../test/orchestrate/world.ts";
import { recorded } from "./list-runs.ts";
import { Session } from "./session.ts";

let world: World;
let run = "";
beforeAll(async () => {
  world = await createWorld();
  run = await world.start(await golden());
});

const noted = (message: string): RunEvent => ({ type: "warned", code: "of_the_test", message });

test("a result that was made before a refresh is made again after it, and no event is taken over twice", async () => {
  const other = (await openRun(world.host, { run })).session;
  const { payloads } = world.host;
  const before = other.view.seq;
  const seen: number[] = [];
  let fetches = 0;
  const load = async (ref: string) => JSON.parse(await payloads.text(ref)) as Protocol;
  // While its facts are gathered, another process appends, and this one reads that twice at the same time.
  const facts = async (change: { readonly view: { readonly seq: number } }, session: Session) => {
    seen.push(change.view.seq);
    if (seen.length === 1) {
      const made = { commit: "c", tree: "t", parent: "p", ref: "r", paths: [] };
      await other.record([noted("a"), { type: "commit.made", key: "intake#1", kind: "other", ...made }]);
      await Promise.all([session.refresh(), session.refresh()]);
    }
    return [noted(`facts of ${change.view.seq}`)];
  };
  const ports = { ...other.ports, familyOf: () => ({ ...plain, facts }) };
  const session = await Session.open(run, ports, load);
  session.fetchFirst(async () => void (fetches += 1));
  await session.settle("intake#1", { outcome: "inconclusive" });
  const events = (await world.host.journal.read(run, before)).map(recorded);
  expect(seen).toEqual([before, before + 2]);
  expect(events.flatMap((event) => (event.type === "warned" ? [event.message] : []))).toEqual([
    "a",
    `facts of ${before + 2}`,
  ]);
  expect(events.filter(({ type }) => type === "result")).toHaveLength(1);
  expect([session.view.commits.length, session.view.seq]).toEqual([1, events.at(-1)?.seq]);
  expect(fetches).toBe(2);
});
