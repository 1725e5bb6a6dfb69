/** Concurrency, kills and torn files lose no acknowledged write, except a torn last one. */
import { spawn } from "node:child_process";
import { copyFile, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, expect } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { inCi, verifiesInCi } from "../../../test/verifies.ts";
import { bundleProgram, type Bundle } from "../../../test/support/bundle.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Graph } from "./graph.ts";
import { openGraph } from "./open.ts";

let home: string;
let program: Bundle;
const graphs: Graph[] = [];
beforeAll(async () => {
  program = await bundleProgram(`
    import { writeSync } from "node:fs";
    import { systemClock } from "./src/lib/clock.ts";
    import { openGraph } from "./src/memory/graph/open.ts";
    const [home, name, count] = process.argv.slice(2);
    const graph = await openGraph({ home, clock: systemClock, lockTimeoutMs: 60_000 });
    // Two calls in each turn.
    for (let n = 0; n < Number(count) / 2; n++) {
      await graph.createEntities([{ name: name + "-" + n, entityType: "t", observations: ["o" + n] }]);
      await graph.addObservations([{ entityName: name + "-" + n, contents: ["later"] }]);
      writeSync(1, name + "-" + n + "\\n");
    }
    await graph.close();
  `);
});
beforeEach(() => (home = newFolder()));
afterEach(() => Promise.all(graphs.splice(0).map((graph) => graph.close())));

async function open(folder = home): Promise<Graph> {
  const graph = await openGraph({ home: folder, clock: systemClock });
  graphs.push(graph);
  return graph;
}

const entity = (name: string) => ({ name, entityType: "t", observations: [`${name} is kept`] });

/** A process that adds entities, and the writes that were acknowledged to it. */
function adder(name: string, count: number) {
  const child = spawn(process.execPath, [program.file, home, name, String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  // A line that the kill cut off does not count as acknowledged.
  return { child, ended, acknowledged: () => output.split("\n").slice(0, -1) };
}

/** Calls of each process; the full number with METTLE_DEEP=1. */
const calls = process.env["METTLE_DEEP"] === undefined ? 250 : 1000;

inCi(
  "8 processes with many calls, two of them killed: each acknowledged write exists exactly once",
  async () => {
    // The two victims have many more calls, so that they are still running when they are killed.
    const adders = Array.from({ length: 8 }, (_, n) => adder(`p${n}`, n < 2 ? 100 * calls : calls));
    const victims = adders.slice(0, 2);
    for (const [nth, { child, acknowledged }] of victims.entries()) {
      while (acknowledged().length < 20 + 40 * nth) await pause(5);
      child.kill("SIGKILL");
    }
    const codes = await Promise.all(adders.map(({ ended }) => ended));
    expect(codes).toEqual([null, null, 0, 0, 0, 0, 0, 0]);
    const graph = await open();
    const { entities } = await graph.read();
    const names = entities.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const acknowledged = adders.flatMap((one) => one.acknowledged());
    expect(acknowledged.length).toBeGreaterThanOrEqual((6 * calls) / 2 + 80);
    const whole = new Map(entities.map(({ name, observations }) => [name, observations]));
    expect(acknowledged.filter((name) => whole.get(name)?.join() !== `o${name.split("-")[1]},later`)).toEqual(
      [],
    );
    // A process that was killed between its two calls has at most one unacknowledged entity.
    expect(names.length - acknowledged.length).toBeLessThanOrEqual(victims.length);
    // The index agrees with the tables.
    expect((await graph.search("LATER")).entities).toHaveLength(
      entities.filter(({ observations }) => observations.includes("later")).length,
    );
  },
  300_000,
);

inCi("a torn end of the file loses at most the writes in it, never an earlier one", async () => {
  const graph = await open();
  const files = ["mettle.db", "mettle.db-wal"];
  const sizes: number[] = [];
  for (let n = 0; n < 12; n++) {
    await graph.createEntities([entity(`n${n}`)]);
    sizes.push((await stat(join(home, "mettle.db-wal"))).size);
  }
  const from = sizes[8] ?? 0;
  const to = sizes[11] ?? 0;
  expect(to).toBeGreaterThan(from);
  for (let cut = from; cut < to; cut += 1711) {
    const torn = newFolder();
    for (const file of files) await copyFile(join(home, file), join(torn, file));
    await truncate(join(torn, "mettle.db-wal"), cut);
    const survivor = await openGraph({ home: torn, clock: systemClock });
    const { entities } = await survivor.read();
    const kept = sizes.filter((size) => size <= cut).length;
    expect({ cut, entities }).toEqual({
      cut,
      entities: Array.from({ length: kept }, (_, n) => entity(`n${n}`)),
    });
    await survivor.createEntities([entity("after")]);
    expect((await survivor.search("after is kept")).entities).toEqual([entity("after")]);
    await survivor.close();
    await rm(torn, { recursive: true });
  }
});

verifiesInCi("CORE-66", "an add among 10,000 entities takes at most twice as long as among 100", async () => {
  const sized = async (size: number) => {
    const graph = await open(join(home, String(size)));
    await graph.createEntities(Array.from({ length: size }, (_, n) => entity(`n${n}`)));
    return { graph, times: [] as number[] };
  };
  const [few, many] = [await sized(100), await sized(10_000)];
  // Alternating, so that a busy machine slows both equally.
  for (let turn = 0; turn < 101; turn++)
    for (const { graph, times } of [few, many]) {
      const began = performance.now();
      await graph.createEntities([entity(`more${turn}`)]);
      times.push(performance.now() - began);
    }
  const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[50] ?? Infinity;
  expect(median(many.times)).toBeLessThan(2 * median(few.times));
});
