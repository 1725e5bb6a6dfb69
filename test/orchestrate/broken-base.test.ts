/**
 * A repository with tests that fail at the base: reported at each gate, never charged, and left as they are.
 * @module-tag ci
 */
import { beforeAll, describe, expect, test } from "vitest";
import { countersOf, driveWatched, untilComplete } from "./watched.ts";
import { callIn } from "../cli/here.ts";
import { createWorld, eventsOf, golden, untestedFiles, type DriveResult, type World } from "./world.ts";

const broken = `import assert from "node:assert/strict";
import { test } from "node:test";

test("has been broken for years", () => assert.equal(1, 2));
test("works", () => assert.equal(1, 1));
`;

describe("a run on a failing base", () => {
  let world: World;
  let driven: DriveResult;
  beforeAll(async () => {
    world = await createWorld({
      ...(await untestedFiles()),
      "test/broken.test.js": broken,
      "test/unloadable.test.js": 'import "./nowhere.js";\n',
    });
    const run = await world.start(await golden());
    const accepted = await callIn(world, ["answer", run, "accept", "2", "--json"]);
    expect(accepted.json()).toMatchObject({ run, waiting: { kind: "questions" } });
    driven = await driveWatched(world, run, {
      on: untilComplete("7 TDD_GREEN"),
    });
  });

  test("passes RED and GREEN at the first attempt, and names the earlier failures", () => {
    const judged = eventsOf(driven.events, "gate.judged").filter(({ gate }) => /^(red|green)$/u.test(gate));
    expect(judged.map(({ gate, verdict }) => `${gate} ${verdict}`)).toEqual(["red pass", "green pass"]);
    for (const { findings } of judged)
      expect(findings.filter((finding) => finding.startsWith("pre-existing: "))).toEqual(
        ["test/broken.test.js::has been broken for years", "test/unloadable.test.js"].map(
          (what) => `pre-existing: already fails on the base commit: ${what}`,
        ),
      );
    expect(countersOf(driven.events)).toMatchObject({ red: "1/5", green: "1/5" });
    // No one requested a fix, and none was needed.
    const made = eventsOf(driven.events, "commit.made").map(({ paths }) => paths);
    expect(made).toEqual([["test/slugify.test.js"], ["src/slugify.js"]]);
  });
});
