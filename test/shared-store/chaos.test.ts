/**
 * Chaos: runs of all systems that workers do, on four workers of which a random one is killed every 5 s (SCL-06). It takes long, and runs
 * by `npm run test:chaos` alone.
 * @module-tag ci
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { stringify } from "yaml";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { oneCycle } from "../cycles/world.ts";
import { nodesOf, specOf, type TreeNode } from "../graph/story.ts";
import { golden, untestedFiles } from "../orchestrate/world.ts";
import { newId } from "../../src/lib/ids.ts";
import { newFolder } from "../support/folder.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import type { TempRepository } from "../support/repository.ts";
import { beginPlan, detachPlan, mergedTurn, shopOrigin, writePrompt } from "./steps-world.ts";
import { cloneOf, enrolAll, sharedHost, type SharedHost } from "./world.ts";
import { agentOf, answers, detach, startWorker, workersOrigin, type Worker } from "./workers.ts";

const asked = process.env["METTLE_CHAOS"];
const [runCount = 0, minutes = 0] = (asked ?? "").split(",").map(Number);
const everyMs = 5000;
const tree: TreeNode = { id: "top", children: ["ant", "bee", "cat"].map((id) => ({ id })) };

interface StatusRun {
  readonly run: string;
  readonly status: string;
}

const isOpen = (status: string) => !["complete", "halted", "failed"].includes(status);

/** The jobs that a worker has begun and not ended, by what it printed. */
function heldBy(worker: Worker): ReadonlySet<string> {
  const held = new Set<string>();
  for (const [, what, job] of worker.said().matchAll(/^(began|done|open|failed) ((?:\S+ of )?run \w+)/gmu))
    if (job !== undefined) held[what === "began" ? "add" : "delete"](job);
  return held;
}

describe.skipIf(!hasPostgres || asked === undefined)("chaos", () => {
  let origin: TempRepository;
  /** Of runs of plans: its reviewer passes everything. */
  let shop: TempRepository;
  let here: SharedHost;
  let planner: SharedHost;
  let workers: Worker[] = [];
  const undisturbed: Record<string, string> = {};
  const runs = new Map<string, string>();
  const takeovers: number[] = [];
  let kills = 0;

  const starts: Record<string, () => Promise<string>> = {
    orchestrate: async () => detach(here, await agentOf(await golden())),
    graph: async () => {
      const spec = join(newFolder(), "spec.yaml");
      await writeFile(spec, stringify(specOf(tree)));
      const cassette = { version: 1, kind: "cassette", nodes: nodesOf(tree) };
      return detach(here, await agentOf(cassette), ["--protocol", "graph", "--spec", spec]);
    },
    riper: async () =>
      detach(here, await agentOf(await oneCycle()), ["Add slugify(text)", "--protocol", "riper"]),
    dptr: async () =>
      detach(here, await agentOf(await oneCycle()), ["Add slugify(text)", "--protocol", "dptr"]),
    continue: () => startPlan(),
  };

  /** A plan of its own on the host of plans, whose prompts go to two agents at once. */
  const startPlan = async (): Promise<string> => {
    const branch = `feature/${newId()}`;
    await beginPlan(planner, branch);
    for (const id of ["1", "2"]) await writePrompt(planner, id);
    const nodes = { 1: mergedTurn("1", branch), 2: mergedTurn("2", branch) };
    return detachPlan(planner, nodes, "--parallel", "2");
  };

  const statuses = async () => (await here.cli(["status", "--json"])).json()["runs"] as StatusRun[];
  /** What a run made, whatever commits it is in. */
  const resultOf = async (run: string, system: string) => {
    const { git } = system === "continue" ? shop : origin;
    return vi.waitFor(() => git("rev-parse", `mettle/${run}/result^{tree}`), 60_000);
  };

  /** A person answers until all of these runs have ended; `status` lists those that have not. */
  const untilAllEnd = async (expected: ReadonlySet<string>, endMs: number): Promise<void> => {
    for (const end = performance.now() + endMs; ; await pause(1000)) {
      const open = (await statuses()).filter(({ run, status }) => expected.has(run) && isOpen(status));
      if (open.length === 0) return;
      if (performance.now() > end) throw new Error(`not all ended: ${JSON.stringify(open)}`);
      for (const { run, status } of open) {
        if (status !== "waiting") continue;
        const { code } = await here.cli(["answer", run, ...answers]);
        if (code === 0 || (await here.cli(["approve", run])).code === 0) continue;
        // Three workers died of a command, so a person is asked (job_set_aside).
        await here.cli(["resume", run]);
      }
    }
  };

  /** Kills a random worker, and starts it again when the next one is killed. */
  const killOne = async (): Promise<void> => {
    const victim = workers[Math.floor(Math.random() * workers.length)];
    if (victim === undefined) return;
    const held = heldBy(victim);
    const others = workers.filter((worker) => worker !== victim);
    const begunBefore = new Map(others.map((worker) => [worker, worker.said().length]));
    const killed = performance.now();
    await victim.end("SIGKILL");
    kills++;
    const waiting = new Set(held);
    while (performance.now() - killed < everyMs) {
      for (const worker of others)
        for (const job of waiting)
          if (worker.said().slice(begunBefore.get(worker)).includes(`began ${job}\n`)) {
            waiting.delete(job);
            takeovers.push(performance.now() - killed);
          }
      await pause(50);
    }
    // Another one may have done it before the victim said so, or all are busy.
    for (const _ of waiting) takeovers.push(everyMs);
    workers = [...others, await victim.again()];
  };

  beforeAll(async () => {
    const url = (await startPostgres()).newDatabase();
    origin = await workersOrigin(await untestedFiles());
    here = sharedHost(await cloneOf(origin), url);
    shop = await shopOrigin();
    planner = sharedHost(await cloneOf(shop), url);
    await enrolAll([here, planner]);
    workers = await Promise.all([1, 2, 3, 4].map(() => startWorker(url, [], { by: here })));
    const first = new Map<string, string>();
    for (const [system, start] of Object.entries(starts)) first.set(await start(), system);
    await untilAllEnd(new Set(first.keys()), 300_000);
    for (const [run, system] of first) undisturbed[system] = await resultOf(run, system);

    const systems = Object.entries(starts);
    const begin = performance.now();
    const starting = (async () => {
      for (let count = 0; count < runCount; count++) {
        const [system, start] = systems[count % systems.length] ?? ["", async () => ""];
        runs.set(await start(), system);
      }
      await untilAllEnd(new Set(runs.keys()), 3 * 3_600_000);
    })();
    let isOver = false;
    void starting.finally(() => (isOver = true)).catch(() => undefined);
    while (!isOver && performance.now() - begin < minutes * 60_000) await killOne();
    await starting;
    const [median = 0] = takeovers.toSorted((one, other) => one - other).slice(takeovers.length / 2);
    console.log(
      `${runs.size} runs, ${kills} kills, ${takeovers.length} jobs taken over, median ${Math.round(median)} ms, ` +
        `all in ${Math.round((performance.now() - begin) / 1000)} s`,
    );
  }, 4 * 3_600_000);
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.end("SIGKILL")));
  });

  test("no run is lost, and each ends as the undisturbed one", async () => {
    for (const [run, system] of runs)
      expect([system, await resultOf(run, system)]).toEqual([system, undisturbed[system]]);
    expect(runs.size).toBe(runCount);
  });

  test("nothing is merged twice, no result comes twice, and the evidence is whole", async () => {
    for (const [run] of runs) {
      const { events } = (await here.cli(["log", run, "--json"])).json() as { events: { text: string }[] };
      const merges = events.flatMap(
        ({ text }) => /^(\S+) +merged into (\S+):/u.exec(text)?.slice(1).join(" ") ?? [],
      );
      expect(merges.toSorted()).toEqual([...new Set(merges)].toSorted());
      expect((await here.cli(["verify", run])).code).toBe(0);
    }
  });

  test("another worker goes on within 2 s, as the median", () => {
    const [median = 0] = takeovers.toSorted((one, other) => one - other).slice(takeovers.length / 2);
    expect(takeovers.length).toBeGreaterThan(0);
    expect(median).toBeLessThanOrEqual(2000);
  });
});
