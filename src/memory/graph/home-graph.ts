/** Opens the knowledge graph of a state home, wherever its store is (SCL-01). */
import type { StateHome } from "../../config/home.ts";
import { openShared } from "../../journal/home-store.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Graph } from "./graph.ts";
import { openGraph } from "./open.ts";

export async function openHomeGraph(home: StateHome, clock: Clock): Promise<Graph> {
  if (home.store.kind === "local") return openGraph({ home: home.root, clock });
  const { postgresGraph } = await import("./postgres/graph.ts");
  return postgresGraph(await openShared(home.store));
}
