// @module-tag ci
/** Runs of graph, riper and dptr at the same time on two workers, each with a state home and clones of its own. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { oneCycle } from "../cycles/world.ts";
import { nodesOf, signals, specOf, type TreeNode } from "../graph/story.ts";
import { newFolder } from "../support/folder.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import type { TempRepository } from "../support/repository.ts";
import { verifies } from "../verifies.ts";
import { cloneOf, sharedHost, type SharedHost } from "./world.ts";
import { agentOf, detach, startWorker, untilStatus, workersOrigin, type Worker } from "./workers.ts";

const children = ["ant", "bee", "cat"] as const;
const tree: TreeNode = { id: "top", children: children.map((id) => ({ id })) };

/** The tests of the parent are judged while its children are merged: both move its branch. */
function treeCassette(folder: string) {
  const { give, await: waits } = signals(folder);
  const nodes = nodesOf(tree);
  nodes["top"]?.["tdd"]?.[0]?.does?.unshift(waits("merging"));
  for (const id of children) {
    const turns = nodes[`top--${id}`]?.["merger"] ?? [];
    for (const turn of turns) turn.does = [give("merging")];
  }
  return { version: 1, kind: "cassette", nodes };
}

async function wordsFiles(): Promise<Record<string, string>> {
  const names = ["package.json", "README.md", "src/words.js"];
  const folder = packageRoot("protocols/dptr/demo/repository");
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""]));
}

describe.skipIf(!hasPostgres)("the systems on two workers", () => {
  let origin: TempRepository;
  let here: SharedHost;
  let workers: readonly Worker[] = [];
  const runs: Record<string, string> = {};

  beforeAll(async () => {
    const server = await startPostgres();
    const url = server.newDatabase();
    origin = await workersOrigin(await wordsFiles());
    here = sharedHost(await cloneOf(origin), url);
    workers = await Promise.all([startWorker(url, [], { by: here }), startWorker(url, [], { by: here })]);
    const spec = join(newFolder(), "spec.yaml");
    await writeFile(spec, stringify(specOf(tree)));
    const graph = ["--protocol", "graph", "--spec", spec];
    runs["graph"] = await detach(here, await agentOf(treeCassette(newFolder())), graph);
    for (const name of ["riper", "dptr"])
      runs[name] = await detach(here, await agentOf(await oneCycle()), [
        "Add slugify(text)",
        "--protocol",
        name,
      ]);
  }, 120_000);
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.end("SIGKILL")));
  });

  const runOf = (name: string) => runs[name] ?? "";

  for (const name of ["graph", "riper", "dptr"])
    verifies(
      "SCL-04",
      `a run of ${name} is done by both workers, each command once, and its evidence is whole on another host`,
      async () => {
        const run = runOf(name);
        await untilStatus(here, run, "complete", 180_000);
        const said = workers.map((worker) => worker.said());
        for (const one of said) expect(one).toMatch(new RegExp(`done \\S+ of run ${run}`, "u"));
        const begun = said.join("\n").match(new RegExp(`^began \\S+ of run ${run}`, "gmu")) ?? [];
        expect(begun.toSorted()).toEqual([...new Set(begun)].toSorted());
        expect(said.join("\n")).not.toMatch(new RegExp(`^(failed|open) .*of run ${run}`, "mu"));
        expect((await here.cli(["log", run])).stdout).not.toContain("changed by hand");
        const result = (await origin.git("rev-parse", `mettle/${run}/result`)).trim();
        const verified = await here.cli(["verify", run, "--json"]);
        expect([verified.code, verified.json()["verdict"]], verified.stdout).toEqual([0, "pass"]);
        expect((await here.git("rev-parse", `mettle/${run}/result`)).trim()).toBe(result);
      },
      200_000,
    );

  test("both workers worked on nodes of the tree, and each child was merged once", async () => {
    const run = runOf("graph");
    for (const worker of workers) expect(worker.said()).toMatch(/done work\/children\/children\/\w+\//u);
    const log = await here.cli(["log", run, "--json"]);
    const events = log.json()["events"] as { readonly text: string }[];
    const merged = events.flatMap(
      ({ text }) => /^(\S+) +merged into (\S+):/u.exec(text)?.slice(1).join(" ") ?? [],
    );
    expect(merged.toSorted()).toEqual(children.map((id) => `top--${id} top`));
    for (const id of children)
      expect(await here.git("show", `mettle/${run}/result:src/${id}.js`)).toContain(`return "${id}"`);
  });
});
