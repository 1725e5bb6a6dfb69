import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { createWorld, golden } from "../../test/orchestrate/world.ts";
import { dialogue, rememberIn } from "../../test/page/remembered.ts";
import { readDialogue, readMemory } from "./read-memory.ts";

test("a repository's memory is read with what is empty, missing, changed by hand and broken, and nothing is made by looking", async () => {
  const world = await createWorld();
  const { home } = world.host;
  const place = { folder: world.repository.dir, home, clock: systemClock };
  expect(await readMemory(place, "")).toEqual({
    bank: { exists: false, fault: null, files: [] },
    dialogues: [],
    graph: { entities: 0, relations: 0, found: 0, shown: [], links: [] },
  });

  const run = await world.start(await golden());
  await rememberIn(world, run);
  await rm(join(world.repository.dir, "memory-bank", "techContext.md"));
  const { bank, dialogues, graph } = await readMemory(place, "");
  expect(bank?.files.map(({ path, state, broken }) => [path, state, broken.length])).toEqual([
    ["memory-bank/projectbrief.md", "filled", 1],
    ["memory-bank/systemPatterns.md", "empty", 0],
    ["memory-bank/techContext.md", "missing", 0],
    ["memory-bank/activeContext.md", "empty", 0],
    ["memory-bank/progress.md", "empty", 0],
    ["memory-bank/notes/accents.md", "filled", 0],
  ]);
  expect(dialogues).toMatchObject([
    { name: dialogue, kind: "plan_loop", run, closed: null, observations: 2 },
  ]);
  expect((await readDialogue(place, dialogue)).map(({ agent, round }) => [agent, round])).toEqual([
    ["DA", 0],
    ["AR", 0],
  ]);
  expect([graph.entities, graph.relations, graph.found]).toEqual([4, 4, 4]);

  const found = (await readMemory({ ...place, folder: null }, "nfkd")).graph;
  expect([found.found, found.shown.map(({ name }) => name), found.links]).toEqual([
    1,
    ["accents"],
    [{ from: "slugify", to: "accents", type: "follows" }],
  ]);
});
