import { afterEach, beforeEach, expect, test } from "vitest";
import { newFolder } from "../../../test/support/folder.ts";
import { graphProgram } from "../../../test/support/graph-processes.ts";
import { inCi } from "../../../test/verifies.ts";
import { systemClock } from "../../lib/clock.ts";
import { graphContract } from "../../testing/graph-contract.ts";
import type { Graph } from "./graph.ts";
import { openGraph } from "./open.ts";

let home: string;
const graphs: Graph[] = [];
beforeEach(() => void (home = newFolder()));
afterEach(() => Promise.all(graphs.splice(0).map((graph) => graph.close())));

async function open(): Promise<Graph> {
  const graph = await openGraph({ home, clock: systemClock });
  graphs.push(graph);
  return graph;
}

let program: ReturnType<typeof graphProgram> | undefined;
const start = async () => {
  program ??= graphProgram({
    imports: `
      import { systemClock } from "./src/lib/clock.ts";
      import { openGraph } from "./src/memory/graph/open.ts";`,
    graph: "openGraph({ home: process.env.PLACE, clock: systemClock, lockTimeoutMs: 60_000 })",
  });
  return (await program).start({ PLACE: home });
};
/** The full number with METTLE_DEEP=1. */
const calls = process.env["METTLE_DEEP"] === undefined ? 250 : 1000;

for (const { title, isSlow = false, check } of graphContract)
  (isSlow ? inCi : test)(
    `SQLite graph: ${title}`,
    () => expect(check({ open, start, calls })).resolves.toBeUndefined(),
    300_000,
  );
