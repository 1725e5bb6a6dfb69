// @module-tag ci
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { stringify } from "yaml";
import { callHere, callIn } from "../cli/here.ts";
import type { CliResult, World } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { createTreeWorld, demoCassette, demoFiles, rolesOf, type TreeCassette } from "./world.ts";

/** `mettle run --protocol graph` from start to end, for the smallest tree. */
let world: World;
let started: CliResult;
let base: string;
let readme: string;
const refused: Record<string, { readonly code: number; readonly stderr: string }> = {};
let left: { readonly refs: string; readonly runs: readonly string[]; readonly worktrees: number };

/** Only the demo's child. */
const spec = {
  id: "parse",
  description: "Reads the lines of a receipt",
  acceptanceCriteria: ["A line is an item with a name and a price in cents"],
  targetPath: "src/parse.js",
  testPath: "test/parse",
};

beforeAll(async () => {
  world = await createTreeWorld();
  const agent = await world.agent((await alone()) as unknown as Parameters<World["agent"]>[0]);
  await refuse("words", ["run", "Add parse", "--protocol", "graph"], world.repository.dir);
  left = {
    refs: await world.repository.git("for-each-ref", "--format=%(refname)"),
    runs: await world.host.journal.runs(),
    worktrees: (await world.repository.git("worktree", "list")).split("\n").length,
  };
  base = await world.repository.git("rev-parse", "HEAD");
  readme = await readFile(join(world.repository.dir, "README.md"), "utf8");
  await world.repository.write({ "README.md": "changed\n", "notes.txt": "mine\n" });
  started = await world.cli(
    ["run", "--protocol", "graph", "--spec", "-", "--parallel", "1", "--agent", agent, "--json"],
    { input: stringify(spec) },
  );
});

verifies(
  "V3-73",
  "a spec is validated, and its run is announced and driven to its published result",
  async () => {
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
  },
);

async function land(): Promise<CliResult> {
  return callIn(world, ["land", String(started.json()["run"])]);
}

verifies(
  "V3-65",
  "without --land the base stays and the result is one commit ahead, printed with the merge command; landing is refused over uncommitted changes, and moves the base forward after the new base is verified",
  async () => {
    const run = String(started.json()["run"]);
    const { git, write, commit } = world.repository;
    const result = await git("rev-parse", `mettle/${run}/result`);
    expect([await git("rev-parse", "main"), await git("rev-parse", `${result}^`)]).toEqual([base, base]);
    const told = String(started.json()["summary"]);
    expect(told).toContain(`Merge: git merge --ff-only mettle/${run}/result\n`);

    // Changed, then untracked: neither blocks the run, and neither is taken along.
    const refusals: Record<string, string | null>[] = [
      { "notes.txt": null },
      { "README.md": readme, "notes.txt": "mine\n" },
    ];
    for (const [index, change] of refusals.entries()) {
      await write(change);
      const path = ["README.md", "notes.txt"][index] ?? "";
      expect(await land()).toMatchObject({
        code: 1,
        stderr: `error[land_refused]: main is checked out with uncommitted changes: ${path}\nhint: commit them or put them aside, then \`mettle land ${run}\`\n`,
      });
    }
    await write({ "notes.txt": null });
    expect([await git("rev-parse", "main"), await git("rev-parse", `mettle/${run}/result`)]).toEqual([
      base,
      result,
    ]);

    // It does not land on a head where its tests fail, and lands on one where they pass.
    await write({ "package.json": '{ "type": "commonjs" }\n' });
    const broken = await commit("Turn to commonjs");
    expect(await land()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("error[land_refused]: the merged tree is not proven: "),
    });
    expect([await git("rev-parse", "main"), await git("status", "--porcelain")]).toEqual([broken, ""]);
    await write({ "package.json": (await demoFiles())["package.json"] ?? "", "notes.txt": "ours\n" });
    const moved = await commit("Back, with notes");
    expect(await land()).toMatchObject({ code: 0, stderr: "" });
    expect(await git("rev-parse", "main^1", "main^2")).toBe(`${moved}\n${result}`);
    expect(await git("status", "--porcelain")).toBe("");
  },
);

async function refuse(name: string, args: readonly string[], cwd: string): Promise<void> {
  refused[name] = await callHere(args, {
    cwd,
    env: world.env,
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
