/** Interference with a working tree from outside, and endless splits. Neither costs an attempt. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { recorded } from "../../src/run/list-runs.ts";
import { callIn } from "../cli/here.ts";
import { eventsOf, type CliResult, type DriveResult, type World } from "../orchestrate/world.ts";
import { newFolder } from "../support/folder.ts";
import { wide } from "../wide.ts";
import {
  channel,
  files,
  nodesOf,
  refusalsIn,
  report,
  specOf,
  runTree,
  type TreeNode,
  type Step,
} from "./story.ts";
import { createTreeWorld } from "./world.ts";

let world: World;
let folder: string;
beforeAll(async () => {
  folder = newFolder();
  world = await createTreeWorld(files);
});

describe.skipIf(!wide)("a tree whose worktrees are deleted and whose branch a person moves", () => {
  const plant: TreeNode = { id: "top", children: [{ id: "a" }] };
  const inNode = "top--a";
  let run: string;
  let gone: CliResult;
  let found: CliResult;

  /** Runs this once, however often the turn is played. */
  function once(name: string, ...commands: readonly string[]): Step {
    const mark = join(folder, name);
    return { shell: `if [ ! -e '${mark}' ]; then touch '${mark}'; ${commands.join(" && ")}; fi` };
  }

  beforeAll(async () => {
    const nodes = nodesOf(plant);
    const { impl: [impl = {}] = [], merger: [merger = {}] = [], ...others } = nodes[inNode] ?? {};
    const movesBranch = once(
      "moved",
      `cd '${world.repository.dir}'`,
      `ref=$(git for-each-ref --format='%(refname)' 'refs/heads/mettle/*/top')`,
      `export GIT_INDEX_FILE='${folder}/index' && git read-tree "$ref"`,
      `git update-index --add --cacheinfo "100644,$(echo mine | git hash-object -w --stdin),NOTES.md"`,
      `c=$(git -c user.name=Person -c user.email=person@localhost commit-tree "$(git write-tree)" -p "$ref" -m 'By hand')`,
      `git update-ref "$ref" "$c"`,
    );
    nodes[inNode] = {
      ...others,
      impl: [{ ...impl, does: [...(impl.does ?? []), once("gone", 'rm -rf "$PWD"')], repeat: true }],
      merger: [{ ...merger, does: [movesBranch], repeat: true }],
    };
    await world.repository.write({ "spec.yaml": JSON.stringify(specOf(plant)) });
    const cassette = { version: 1, kind: "cassette", nodes };
    const agent = await world.agent(cassette as unknown as Parameters<World["agent"]>[0]);
    gone = await callIn(world, ["run", "--protocol", "graph", "--spec", "spec.yaml", "--agent", agent]);
    await rm(world.host.home.worktrees, { recursive: true });
    found = await callIn(world, ["resume"]);
    [run = ""] = await world.host.journal.runs();
  }, 240_000);

  test("waits with exit 5 for a deleted worktree, and restarts that dispatch in a new one", async () => {
    expect([gone.code, gone.stderr]).toEqual([
      5,
      expect.stringMatching(/error\[worktree_failed\]: impl: the /u),
    ]);
    expect([found.code, found.stderr]).toEqual([0, ""]);
    expect(found.stdout).toMatch(/ {2}└─ top--a +merged +attempt 1\/5 +criteria 1\/1\n/u);
    expect((await world.repository.git("worktree", "list")).split("\n")).toHaveLength(1);
  });

  test("squashes again onto the person's commit on the parent's branch, and the result has both", async () => {
    const { git } = world.repository;
    const events = (await world.host.journal.read(run)).map(recorded);
    const published = eventsOf(events, "result").filter(({ key }) => /\ba\/publish#/u.test(key));
    expect(published.map(({ outcome }) => outcome)).toEqual(["moved", "done"]);
    expect(await git("log", "--format=%s", "-2", `mettle/${run}/top~1`)).toContain("By hand");
    expect(await git("show", `mettle/${run}/result:NOTES.md`)).toBe("mine");
    expect(await git("show", `mettle/${run}/result:src/a.js`)).toContain('return "a";');
    expect((await callIn(world, ["verify", run])).code).toBe(0);
  });
});

describe.skipIf(!wide)("an endless split", () => {
  let driven: DriveResult;
  beforeAll(async () => {
    const chain = (id: number, last: number): TreeNode =>
      id === last ? { id: `d${id}` } : { id: `d${id}`, children: [chain(id + 1, last)] };
    const plant = chain(0, 9);
    const all = nodesOf(plant);
    const deepest = "d0--d1--d2";
    const nodes = Object.fromEntries(
      Object.entries(all).map(([node, roles]) => {
        const [lays = {}] = roles["scaffold"] ?? [];
        const gives = { report: report("EN", null, "no depth is enough") };
        const offers = {
          ...gives,
          does: [...(lays.does ?? []), ...(lays.report ? [channel(lays.report)] : [])],
        };
        return [node, { ...roles, scaffold: node === deepest ? [offers] : [lays, gives] }];
      }),
    );
    driven = await runTree(world, { plant, nodes, options: { graph: { maxDepth: 2 } } });
  }, 240_000);

  test("ends at the maximum depth, and every node above gets the failure", () => {
    expect(refusalsIn(driven.events)).toEqual([expect.stringMatching(/^depth_limit: /u)]);
    expect(eventsOf(driven.events, "node.began").map(({ node }) => node)).toEqual([
      "d0",
      "d0--d1",
      "d0--d1--d2",
    ]);
    expect(driven.end.type).toBe("waiting");
    expect(driven.context.session.state.open.map(({ state }) => state)).toEqual(["stuck"]);
  });
});
