/** Limits of depth, width and parallelism: what a scaffold may not request, and a tree with one agent at a time. */
import { beforeAll, describe, expect } from "vitest";
import { eventsOf, type DriveResult, type World } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { wide } from "../wide.ts";
import { createTreeWorld } from "./world.ts";
import { dispatchOf } from "./threads-world.ts";
import {
  channel,
  childSpec,
  files,
  initWork,
  nodesOf,
  refusalsIn,
  report,
  specOf,
  runTree,
  type TreeNode,
  type Report,
} from "./story.ts";

const top: TreeNode = { id: "top" };

/** An InitWork with this number of children, each with a part of the root's criterion. */
function split(count: number): Report {
  const right = initWork(top, "AC-1");
  const childSpecs = Array.from({ length: count }, (_, n) => ({
    ...childSpec({ id: `c${n}` }),
    acceptanceCriteria: [{ id: `AC-1.${n}`, text: "a part" }],
  }));
  return { ...right, payload: { ...(right.payload as object), childSpecs } };
}

/** The root's scaffold reports these and then gives up. */
async function offer(world: World, options: object, ...offers: readonly Report[]): Promise<DriveResult> {
  const scaffold = [{ does: offers.map(channel), report: report("EN", null, "enough") }];
  return runTree(world, { plant: top, nodes: { top: { scaffold } }, options });
}

let world: World;
beforeAll(async () => void (world = await createTreeWorld(files)));

async function nothingSpawned({ events, run }: DriveResult): Promise<void> {
  expect(eventsOf(events, "node.began").map(({ node }) => node)).toEqual(["top"]);
  const { git } = world.repository;
  expect(await git("for-each-ref", "--format=%(refname)", `refs/heads/mettle/${run}/`)).not.toContain(
    "top--",
  );
  expect((await git("worktree", "list")).split("\n")).toHaveLength(1);
}

verifies(
  "V3-05",
  "at the maximum depth the scaffold prompt says that no children are allowed, and a request for some is refused and spawns nothing",
  async () => {
    const driven = await offer(world, { graph: { maxDepth: 0 } }, split(1));
    expect(refusalsIn(driven.events)).toEqual([expect.stringMatching(/^depth_limit: /u)]);
    await nothingSpawned(driven);
    expect((await dispatchOf(driven, "top", "scaffold")).text).toContain("No children are allowed here");
    expect((await offer(world, {})).context.settings.graph.maxDepth).toBe(3);
    await world.repository.write({ "spec.yaml": JSON.stringify(specOf(top)) });
    const args = ["run", "--protocol", "graph", "--spec", "spec.yaml", "--max-depth"];
    for (const depth of ["9", "-1"]) {
      const called = await world.cli([...args, depth]);
      expect([called.code, called.stderr]).toEqual([2, expect.stringContaining("0 to 8")]);
    }
  },
);

verifies(
  "V3-06",
  "more children or nodes than the settings allow are refused, and nothing is spawned",
  async () => {
    const driven = await offer(world, { graph: { maxNodes: 8 } }, split(9), split(1_000), split(8));
    expect(refusalsIn(driven.events)).toEqual([
      expect.stringMatching(/^too_many_children: 9 children, and a node may have 8$/u),
      expect.stringMatching(/^too_many_children: 1000 children, and a node may have 8$/u),
      expect.stringMatching(/^too_many_nodes: 8 more beside 1 node, and a run may have 8$/u),
    ]);
    await nothingSpawned(driven);
    const usual = await offer(world, {});
    expect(usual.context.settings.graph).toMatchObject({ maxChildren: 8, maxNodes: 40, parallel: 4 });
  },
);

describe.skipIf(!wide)("a tree of three levels, two children each, and one agent at a time", () => {
  const deep: TreeNode = {
    id: "top",
    children: ["a", "b"].map((id) => ({ id, children: [{ id: `${id}1` }, { id: `${id}2` }] })),
  };
  let driven: DriveResult;
  beforeAll(async () => {
    driven = await runTree(world, { plant: deep, nodes: nodesOf(deep), options: { graph: { parallel: 1 } } });
  }, 600_000);

  verifies("V3-06", "completes, with never two dispatches at work at once", () => {
    expect(driven.end).toEqual({ type: "ended", outcome: "complete" });
    expect(Object.keys(driven.context.session.view.nodes)).toHaveLength(7);
    const atWork = new Set<string>();
    for (const event of driven.events) {
      if (event.type === "dispatch.started") {
        expect([...atWork]).toEqual([]);
        atWork.add(event.key);
      }
      if (event.type === "result") atWork.delete(event.key);
    }
  });
});
