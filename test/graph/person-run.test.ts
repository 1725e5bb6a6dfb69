import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { createRepository, type TempRepository } from "../../src/testing/temp-repository.ts";
import { callHere } from "../cli/here.ts";
import type { Called, World } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { createTreeWorld, demoCassette, rolesOf, type TreeCassette } from "./world.ts";

/** `mettle run --protocol graph` from its start to its end, for the smallest tree there is. */
let world: World;
let empty: TempRepository;
let started: Called;
let landed: Called;
let base: string;
const refused: Record<string, { readonly code: number; readonly stderr: string }> = {};
let left: { readonly refs: string; readonly runs: readonly string[]; readonly worktrees: number };

/** The demo's child alone. */
const spec = {
  id: "parse",
  description: "Reads the lines of a receipt",
  acceptanceCriteria: ["A line is an item with a name and a price in cents"],
  targetPath: "src/parse.js",
  testPath: "test/parse",
};

beforeAll(async () => {
  world = await createTreeWorld();
  empty = await createRepository({ files: { "a.js": "" }, commit: false });
  const agent = await world.agent((await alone()) as unknown as Parameters<World["agent"]>[0]);
  await refuse("words", ["run", "Add parse", "--protocol", "graph"], world.repository.dir);
  await refuse("no commit", ["run", "--protocol", "graph", "--spec", "-"], empty.dir);
  left = {
    refs: await world.repository.git("for-each-ref", "--format=%(refname)"),
    runs: await world.host.journal.runs(),
    worktrees: (await world.repository.git("worktree", "list")).split("\n").length,
  };
  base = await world.repository.git("rev-parse", "HEAD");
  await world.repository.write({ "README.md": "changed\n", "notes.txt": "mine\n" });
  started = await world.cli(
    ["run", "--protocol", "graph", "--spec", "-", "--parallel", "1", "--agent", agent, "--json"],
    { input: stringify(spec) },
  );
  landed = await world.cli(["land", String(started.json()["run"]), "--json"]);
}, 120_000);

afterAll(async () => {
  await world.remove();
  await empty.remove();
});

verifies("V3-73", "a spec is validated, its run told and driven to its published result", async () => {
  expect([started.code, started.stderr]).toEqual([0, expect.any(String)]);
  const answer = started.json();
  const run = String(answer["run"]);
  expect(answer).toMatchObject({
    protocol: "graph",
    status: "complete",
    resultBranch: `mettle/${run}/result`,
    nodes: [
      { nodeId: "parse", state: "complete", criteria: { covered: 1, of: 1 }, lastExit: "MergeComplete" },
    ],
  });
  expect(started.stderr).toContain(`run ${run}, first node parse\n`);
  expect(await world.repository.git("show", `mettle/${run}/result:src/parse.js`)).toContain("* 100");
  expect(refused["words"]).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("error[spec_required]"),
  });
  expect(refused["words"]?.stderr).toContain("acceptanceCriteria:\n");
  expect(left).toEqual({ refs: "refs/heads/main", runs: [], worktrees: 1 });
});

test("what is not committed is counted and left alone, and a repository without a commit is refused", async () => {
  expect(started.stderr).toContain(
    "note: 2 uncommitted files are not part of this run; it starts from HEAD\n",
  );
  expect(await readFile(join(world.repository.dir, "notes.txt"), "utf8")).toBe("mine\n");
  expect(refused["no commit"]).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error\[no_commit\]/u),
  });
});

test("without --land the base stays; landing brings it to the result, beside changes that are not in the way", async () => {
  const run = String(started.json()["run"]);
  expect(await world.repository.git("rev-list", "--count", `${base}..mettle/${run}/result`)).toBe("1");
  expect(String(started.json()["summary"])).toContain(`Merge: git merge --ff-only mettle/${run}/result`);
  expect(landed.code).toBe(0);
  expect(await world.repository.git("rev-parse", "main")).toBe(
    await world.repository.git("rev-parse", `mettle/${run}/result`),
  );
});

async function refuse(name: string, args: readonly string[], cwd: string): Promise<void> {
  refused[name] = await callHere(args, {
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: world.home,
      METTLE_HOME: world.home,
      METTLE_SANDBOX: "off",
    },
  });
}

async function alone(): Promise<TreeCassette> {
  const cassette = await demoCassette();
  const { scaffold: [first] = [], impl: tries = [], ...roles } = rolesOf(cassette, "receipt--parse");
  const shapes = 'export const itemFields = ["name", "cents"];\n';
  const { expects: _expects, does = [], ...turn } = first ?? {};
  return {
    ...cassette,
    nodes: {
      parse: {
        ...roles,
        scaffold: [{ ...turn, does: [{ write: { path: "src/shapes.js", content: shapes } }, ...does] }],
        impl: tries,
      },
    },
  };
}
