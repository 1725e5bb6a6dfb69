/** A torn file loses no acknowledged write but the torn ones; kills and concurrency are in the contract of the graph. */
import { copyFile, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { inCi, verifiesInCi } from "../../../test/verifies.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Graph } from "./graph.ts";
import { openGraph } from "./open.ts";

let home: string;
const graphs: Graph[] = [];
beforeEach(() => (home = newFolder()));
afterEach(() => Promise.all(graphs.splice(0).map((graph) => graph.close())));

async function open(folder = home): Promise<Graph> {
  const graph = await openGraph({ home: folder, clock: systemClock });
  graphs.push(graph);
  return graph;
}

const entity = (name: string) => ({ name, entityType: "t", observations: [`${name} is kept`] });

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
