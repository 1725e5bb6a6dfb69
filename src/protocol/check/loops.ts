/**
 * `unbounded_loop`: a loop is bounded if a route in it counts a counter that no route of the loop resets. Without those
 * routes, the remaining loops must be bounded too. Answers of asks and events do not count: others bound them.
 */
import { flowOf } from "../flow.ts";
import type { Machine, Protocol } from "../machine.ts";
import type { Spot } from "../levels.ts";
import { loopsOf } from "./cycles.ts";
import { problemAt, type Problem } from "./problem.ts";

interface LoopEdge {
  readonly from: string;
  readonly to: string;
  readonly counts: readonly string[];
  readonly resets: readonly string[];
}

export function checkLoops(protocol: Protocol, machine: Machine): readonly Problem[] {
  const { edges, spots } = flowOf(protocol, machine);
  const ways = edges.flatMap(({ from, to, cause, counts, resets }): readonly LoopEdge[] => {
    if (from.state.kind === "ask" || cause === "event") return [];
    // A parallel has its outcomes after its regions end, not when it starts.
    const start = from.state.kind === "parallel" && cause === "outcome" ? joinNode(from.id) : from.id;
    const end = to.type === "spot" ? to.spot.id : to.type === "joined" ? joinNode(to.parallel) : undefined;
    return end === undefined ? [] : [{ from: start, to: end, counts, resets }];
  });
  const atOnce = [...spots.values()].flatMap(({ id, state }): readonly LoopEdge[] =>
    state.kind === "parallel" && Object.keys(state.regions).length === 0
      ? [{ from: id, to: joinNode(id), counts: [], resets: [] }]
      : [],
  );
  return unboundedLoops(machine, [...ways, ...atOnce]).flatMap((loop) => problemFor(machine, spots, loop));
}

function joinNode(parallel: string): string {
  return `${parallel}#joined`;
}

/** The loops without a bounding counter, each as its states. */
function unboundedLoops(machine: Machine, ways: readonly LoopEdge[]): readonly (readonly string[])[] {
  return loopsOf(ways).flatMap((loop) => {
    const inside = ways.filter(({ from, to }) => loop.includes(from) && loop.includes(to));
    const reset = new Set(inside.flatMap(({ resets }) => resets));
    const bounding = (counter: string) => !reset.has(counter) && endsLoop(machine, counter, loop);
    const left = inside.filter(({ counts }) => !counts.some(bounding));
    return left.length === inside.length ? [loop] : unboundedLoops(machine, left);
  });
}

function endsLoop(machine: Machine, name: string, loop: readonly string[]): boolean {
  const counter = Object.hasOwn(machine.counters, name) ? machine.counters[name] : undefined;
  if (counter === undefined || counter.limit === null || counter.over === null) return false;
  // A different failure resets a `same` counter; another state resets one with `scope: visit`.
  return !counter.same && (counter.scope === "frame" || loop.length === 1);
}

function problemFor(
  machine: Machine,
  spots: ReadonlyMap<string, Spot>,
  loop: readonly string[],
): readonly Problem[] {
  const names = loop.filter((id) => spots.has(id));
  const spot = spots.get(names[0] ?? "");
  if (spot === undefined) return [];
  const round = names.length === 1 ? `${names[0]} can repeat` : `${names.join(", ")} can go round`;
  return [
    problemAt(machine, spot, { code: "unbounded_loop", message: `${round} without a counter that ends it` }),
  ];
}
