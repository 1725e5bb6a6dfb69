/**
 * If the base's own tests do not pass in a clean checkout, no agent works, in any protocol (fault P1).
 * @module-tag ci
 */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createWorld, demoFiles, eventsOf, golden, type World } from "../orchestrate/world.ts";
import { openRun } from "../../src/families/open-run.ts";
import { drive } from "../../src/engine/drive.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { callIn } from "./here.ts";

const built = `import assert from "node:assert/strict";
import { test } from "node:test";
import { table } from "../dist/table.js";

test("has a table", () => assert.equal(table.length, 1));
`;

const spec = `id: root
description: A receipt
acceptanceCriteria: [{ id: AC-1, text: It has lines }]
targetPath: src/receipt.js
testPath: test/receipt.test.js
`;

describe("a run on a base whose tests pass only in the user's checkout", () => {
  let world: World;
  let agent: string;
  beforeAll(async () => {
    const { "test/words.test.js": _, ...files } = await demoFiles();
    world = await createWorld({
      ...files,
      ".gitignore": "dist/\n",
      "test/table.test.js": built,
    });
    await mkdir(join(world.repository.dir, "dist"));
    await writeFile(join(world.repository.dir, "dist", "table.js"), "export const table = [1];\n");
    await writeFile(join(world.home, "spec.yaml"), spec);
    await world.repository.git("switch", "--quiet", "--create", "feature/slugs");
    agent = await world.agent(await golden());
  });

  const lines: Readonly<Record<string, readonly string[]>> = {
    orchestrate: ["Add slugify"],
    riper: ["Add slugify"],
    dptr: ["Add slugify"],
    plan: ["Add slugify"],
    graph: ["--spec", "SPEC"],
  };
  for (const [protocol, words] of Object.entries(lines))
    test(`is refused by ${protocol} before it exists, with the runner's output and the cause`, async () => {
      const line = words.map((word) => (word === "SPEC" ? join(world.home, "spec.yaml") : word));
      const called = await callIn(world, [
        "run",
        ...line,
        "--protocol",
        protocol,
        "--agent",
        agent,
        "--json",
      ]);
      expect([called.code, called.json()["error"]]).toEqual([
        5,
        expect.objectContaining({
          code: "base_unusable",
          message: expect.stringMatching(
            /^none of the base commit's own tests passes .*: 1 of 1 test file does not load; test\/table\.test\.js: .*dist\/table\.js.*\nthe runner's last lines:\n {2}/u,
          ),
          hint: expect.stringMatching(
            /^likely: dist\/ is ignored by git, so it is not in a clean checkout: /u,
          ),
        }),
      ]);
      expect((await callIn(world, ["status", "--json"])).json()["runs"]).toEqual([]);
      expect(await world.repository.git("for-each-ref", "refs/mettle")).toBe("");
      expect(await readdir(join(world.host.home.root, "worktrees")).catch(() => [])).toEqual([]);
    });

  test("is refused on resume too if an older version started it without proving the base: no agent works, no counter moves", async () => {
    await mkdir(join(world.repository.dir, "src"), { recursive: true });
    // The journal of an older version: started, without a result for the base.
    const good = await world.repository.git("rev-parse", "HEAD");
    await world.repository.write({ "test/table.test.js": null });
    await world.repository.commit();
    const run = await world.start(await golden());
    const { journal } = world.host;
    const events = await journal.read(run);
    const older = `${run}old`;
    const kept = events.filter(({ type }) => type !== "base.proved");
    await journal.append(
      older,
      0,
      kept.map(({ type, data }) => ({
        type,
        data: type === "run.started" ? { ...(data as object), base: good } : data,
      })),
    );
    const context = await openRun(world.host, { run: older });
    const driven = drive(context, {
      signal: new AbortController().signal,
      answer: () => Promise.resolve(null),
    });
    await expect(driven).rejects.toMatchObject({ code: "base_unusable", exitCode: 5 });
    const after = (await journal.read(older)).map(recorded);
    expect(after.map(({ type }) => type)).toEqual(kept.map(({ type }) => type));
    expect(eventsOf(after, "dispatch.started")).toEqual([]);
  });
});
