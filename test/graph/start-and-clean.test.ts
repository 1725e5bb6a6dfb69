/**
 * The start commit of a graph, and which of its worktrees stay when it ends (V3-66).
 * @module-tag ci
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { createRepository, type TempRepository } from "../support/repository.ts";
import { callIn } from "../cli/here.ts";
import type { CliResult, World } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { files, initWork, nodesOf, report, specOf, runTree, write, type TreeNode } from "./story.ts";
import { createTreeWorld } from "./world.ts";

/** `bad` gives up, and its parent drops it. */
const top: TreeNode = { id: "top", children: [{ id: "bad" }] };
const half = "export const half = 1;\n";
const mine = { "package.json": '{ "type": "module", "private": true }\n', "notes.txt": "mine\n" };

let world: World;
let empty: TempRepository;
let plain: TempRepository;
let started: CliResult;
let run: string;
let base: string;
let checkout: string;
let worktrees: string;

beforeAll(async () => {
  world = await createTreeWorld(files);
  empty = await createRepository({ files: { "a.js": "" }, commit: false });
  plain = await createRepository({ files: { "a.js": "" }, commit: false });
  await plain.write({ ".git": null });
  const nodes = nodesOf(top);
  const scaffold = nodes["top"]?.["scaffold"] ?? [];
  const built = 'export function top() {\n  return "top(bad)";\n}\n';
  nodes["top"] = {
    ...nodes["top"],
    scaffold: [...scaffold, { expects: ["Stuck"], report: initWork(top, "AC-1", []) }],
    // After the second scaffold the tests are written again.
    tdd: (nodes["top"]?.["tdd"] ?? []).map((turn) => ({ ...turn, repeat: true })),
    impl: [
      {
        does: [write("src/top.js", built)],
        report: report("TestsPassed", { commitHash: "HEAD", iterations: 1, passedTests: [] }),
      },
    ],
  };
  const stuck = report("Stuck", { diagnosis: "cannot", recommendation: "ask", attempts: 1 });
  nodes["top--bad"] = {
    ...nodes["top--bad"],
    impl: [{ does: [write("src/half.js", half)], report: stuck }],
  };
  const agent = await world.agent({ version: 1, kind: "cassette", nodes } as unknown as Parameters<
    World["agent"]
  >[0]);
  base = await world.repository.git("rev-parse", "HEAD");
  await world.repository.write(mine);
  checkout = await lookAtCheckout();
  started = await world.cli(["run", "--protocol", "graph", "--spec", "-", "--agent", agent, "--json"], {
    input: JSON.stringify(specOf(top)),
  });
  run = String(started.json()["run"]);
  worktrees = await world.repository.git("worktree", "list", "--porcelain");
});

async function lookAtCheckout(): Promise<string> {
  const { git, dir } = world.repository;
  const texts = await Promise.all(Object.keys(mine).map((name) => readFile(join(dir, name), "utf8")));
  return [await git("status", "--porcelain"), await git("rev-parse", "HEAD"), ...texts].join("\n--\n");
}

/** The worktrees except the user's own: path and commit of each. */
function others(list: string): readonly { readonly path: string; readonly commit: string }[] {
  return list
    .split("\n\n")
    .slice(1)
    .map((block) => ({
      path: /^worktree (.+)$/mu.exec(block)?.[1] ?? "",
      commit: /^HEAD (.+)$/mu.exec(block)?.[1] ?? "",
    }));
}

verifies(
  "V3-66",
  "starts from the committed head, and reports how many changed files it ignores",
  async () => {
    expect([started.code, started.json()["status"]]).toEqual([0, "complete"]);
    expect(started.stderr).toContain("2 uncommitted files are not part of this run");
    expect(await lookAtCheckout()).toBe(checkout);
    const { git } = world.repository;
    expect(await git("rev-parse", `mettle/${run}/result^`)).toBe(base);
    expect(await git("show", `mettle/${run}/result:package.json`)).toBe(files["package.json"].trim());
    expect(await git("ls-tree", "--name-only", `mettle/${run}/result`)).not.toContain("notes.txt");
  },
);

verifies(
  "V3-66",
  "a folder without git or without a commit is refused with exit 2, and nothing is created",
  async () => {
    const before = await world.host.journal.runs();
    for (const [{ dir }, code] of [
      [plain, "not_a_repository"],
      [empty, "no_commit"],
    ] as const) {
      const home = join(dir, "home");
      const spec = join(world.home, "spec.json");
      const called = await callIn(world, ["run", "--protocol", "graph", "--spec", spec], {
        cwd: dir,
        env: { METTLE_HOME: home },
      });
      expect([called.code, called.stderr]).toEqual([
        2,
        expect.stringMatching(new RegExp(`^error\\[${code}\\]: `, "u")),
      ]);
      await expect(readFile(home)).rejects.toMatchObject({ code: "ENOENT" });
    }
    expect(await empty.git("for-each-ref")).toBe("");
    expect((await empty.git("worktree", "list")).split("\n")).toHaveLength(1);
    expect(await world.host.journal.runs()).toEqual(before);
  },
);

verifies(
  "V3-66",
  "the worktree of a failed node stays with its last work until clean, which keeps the branches of unmerged work; all others are gone",
  async () => {
    const { git } = world.repository;
    const kept = others(worktrees);
    expect(kept.map(({ path }) => path.split("/").slice(-2))).toEqual([[run, "failed@top--bad"]]);
    const [{ path, commit } = { path: "", commit: "" }] = kept;
    expect(await readFile(join(path, "src/half.js"), "utf8")).toBe(half);
    expect(started.stderr).toContain(`top--bad  its last work is in ${path} until \`mettle clean\`\n`);
    const branch = `mettle/${run}/top--bad`;
    const head = await git("rev-parse", branch);

    // A person's changes in it are on no branch.
    const spare = join(path, "src/half.js");
    await writeFile(spare, "export const whole = 1;\n");
    const first = await callIn(world, ["clean", "--json"]);
    expect([first.code, first.json()["kept"]]).toEqual([0, expect.arrayContaining([path])]);
    expect(await readFile(spare, "utf8")).toBe("export const whole = 1;\n");
    await writeFile(spare, half);

    const second = await callIn(world, ["clean", "--json"]);
    expect([second.code, second.json()["removed"]]).toEqual([0, [path]]);
    expect(others(await git("worktree", "list", "--porcelain"))).toEqual([]);
    expect(await git("rev-parse", branch)).toBe(head);
    const holds = await git("for-each-ref", "--format=%(refname)", `--contains=${commit}`);
    expect(holds.split("\n").filter((ref) => /^refs\/(heads|mettle\/rescue)\//u.test(ref))).not.toEqual([]);
  },
);

verifies("V3-66", "the worktree of an aborted run's root stays too", async () => {
  const [turn] = nodesOf(top)["top"]?.["scaffold"] ?? [];
  const scaffold = [{ ...turn, report: report("EN", null, "no compiler") }];
  const { run: given } = await runTree(world, { plant: top, nodes: { top: { scaffold } } });
  const { git } = world.repository;
  expect(others(await git("worktree", "list", "--porcelain"))).toEqual([]);
  const aborted = await callIn(world, ["abort", given, "--reason", "no compiler"]);
  expect([aborted.code, aborted.stderr]).toEqual([1, ""]);
  const [kept] = others(await git("worktree", "list", "--porcelain"));
  expect(kept?.path.split("/").slice(-2)).toEqual([given, "failed@top"]);
  expect(await readFile(join(kept?.path ?? "", "src/top-api.js"), "utf8")).toContain("export { top }");
  await callIn(world, ["clean"]);
  expect(others(await git("worktree", "list", "--porcelain"))).toEqual([]);
});
