/** A graph that starts from another branch or a detached HEAD, and lands at once (V3-65). */
import { beforeAll, describe, expect } from "vitest";
import { callIn } from "../cli/here.ts";
import type { CliResult, World } from "../orchestrate/world.ts";
import { inCi, verifies } from "../verifies.ts";
import { wide } from "../wide.ts";
import { files, nodesOf, specOf, type TreeNode } from "./story.ts";
import { createTreeWorld } from "./world.ts";

const top: TreeNode = { id: "top" };
let world: World;
let main: string;
let release: string;

beforeAll(async () => {
  world = await createTreeWorld(files);
  const { git, write, commit } = world.repository;
  main = await git("rev-parse", "main");
  await git("checkout", "--quiet", "-b", "release");
  await write({ "released.txt": "1\n" });
  release = await commit("Release");
  await git("checkout", "--quiet", "main");
});

inCi(
  "a base that is no branch, and graph options for another protocol, are refused, and nothing is created",
  async () => {
    const runs = await world.host.journal.runs();
    const spec = { "spec.json": JSON.stringify(specOf(top)) };
    await world.repository.write(spec);
    const unknown = await callIn(world, [
      "run",
      "--protocol",
      "graph",
      "--spec",
      "spec.json",
      "--base",
      "relase",
    ]);
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      'error[revision_unknown]: there is no branch "relase"\nhint: branches: main, release\n',
    ]);
    for (const option of [["--base", "release"], ["--pr"]]) {
      const other = await callIn(world, ["run", "@orchestrate Add x", ...option]);
      expect([other.code, other.stderr]).toEqual([
        2,
        `error[usage]: orchestrate has no option ${option[0] ?? ""}: it belongs to a graph\nhint: mettle run --protocol graph --spec spec.yaml\n`,
      ]);
    }
    expect(await world.host.journal.runs()).toEqual(runs);
    await world.repository.write({ "spec.json": null });
  },
);

describe.skipIf(!wide)("runs that land at once", () => {
  let landed: CliResult;
  let detached: CliResult;
  const args = ["run", "--protocol", "graph", "--spec", "-", "--land"];

  beforeAll(async () => {
    const { git, write } = world.repository;
    const cassette = { version: 1, kind: "cassette", nodes: nodesOf(top) };
    const agent = await world.agent(cassette as unknown as Parameters<World["agent"]>[0]);
    // Uncommitted changes on main do not matter for another branch.
    await write({ "package.json": '{ "type": "module", "private": true }\n' });
    const input = { input: JSON.stringify(specOf(top)) };
    landed = await world.cli([...args, "--base", "release", "--agent", agent, "--json"], input);
    await git("checkout", "--quiet", "--", "package.json");
    await git("checkout", "--quiet", "--detach");
    detached = await world.cli([...args, "--agent", agent], input);
  });

  verifies(
    "V3-65",
    "--base sets the branch that a run starts from, which --land moves to the result while the current branch stays",
    async () => {
      const { git } = world.repository;
      expect([landed.code, landed.json()["status"]]).toEqual([0, "complete"]);
      expect(landed.stderr).toContain("1 uncommitted file is not part of this run; it starts from release\n");
      const result = await git("rev-parse", `mettle/${String(landed.json()["run"])}/result`);
      expect(landed.json()["landed"]).toEqual({ branch: "release", commit: result });
      expect(await git("rev-parse", "main", "release", `${result}^`)).toBe(
        [main, result, release].join("\n"),
      );
      const merge = `Merge: git switch release && git merge --ff-only mettle/${String(landed.json()["run"])}/result\n`;
      expect(landed.json()["summary"]).toContain(merge);
    },
  );

  verifies(
    "V3-65",
    "a run from a detached HEAD is refused at --land with exit 1, keeps its result and prints how to merge it, and no branch moves later",
    async () => {
      const { git } = world.repository;
      const [run = ""] = (await world.host.journal.runs()).filter((id) => id !== landed.json()["run"]);
      const why =
        "error[land_refused]: the run started from a detached HEAD, so there is no branch to land on\n";
      expect([detached.code, detached.stderr]).toEqual([1, expect.stringContaining(why)]);
      expect(detached.stdout).toContain(`Merge: git merge --ff-only mettle/${run}/result\n`);
      expect(detached.stdout).toContain("✓ GRAPH COMPLETE");
      expect(await git("rev-parse", `mettle/${run}/result^`)).toBe(main);
      await git("checkout", "--quiet", "main");
      expect(await callIn(world, ["land", run])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(why),
      });
      expect(await git("rev-parse", "main")).toBe(main);
    },
  );
});
