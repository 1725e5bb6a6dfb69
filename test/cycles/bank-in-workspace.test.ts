/**
 * Agents read the run's current memory bank and commit nothing of it (fault D3).
 * @module-tag ci
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { eventsOf, type DriveResult, type World } from "../orchestrate/world.ts";
import { createCyclesWorld, goCycles, oneCycle } from "./world.ts";

const committed = "# Progress\n\nNothing was done yet.\n";

let world: World;
let driven: DriveResult;
let missing: string;
beforeAll(async () => {
  world = await createCyclesWorld({ "memory-bank/progress.md": committed });
  const cassette = await oneCycle();
  const { plan_critic, qa, de, reviewer } = cassette.roles;
  missing = join(world.home, "missing");
  const reads = (text: string) => ({
    shell: `grep -qF '${text}' memory-bank/*.md || echo '${text}' >> '${missing}'`,
  });
  for (const [turn, text] of [
    [plan_critic[0], "Two pure functions, one module each."],
    [qa[0], "slugify()"],
    [de[0], "tdd_phase"],
    [reviewer[0], "slugify()"],
  ] as const)
    if (turn) turn.does = [reads(text), ...(turn.does ?? [])];
  driven = await goCycles(world, "dptr", cassette, {});
});

test("each role finds the current design, plan and state, whatever was committed", () => {
  expect(existsSync(missing)).toBe(false);
  expect(driven.end).toEqual({ type: "ended", outcome: "complete" });
});

test("no commit includes it, and no role is blamed for it or has it rescued", async () => {
  const commits = eventsOf(driven.events, "commit.made");
  const paths = commits.flatMap((commit) => commit.paths).filter((path) => path.startsWith("memory-bank/"));
  expect(paths).toEqual([]);
  const last = commits.at(-1)?.commit ?? "";
  expect(await world.repository.git("show", `${last}:memory-bank/progress.md`)).toBe(committed.trim());
  expect(eventsOf(driven.events, "outside.write")).toEqual([]);
  expect(eventsOf(driven.events, "work.rescued")).toEqual([]);
});
