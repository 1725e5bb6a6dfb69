/**
 * `unbounded_loop`: a loop is bounded if some counter is counted in it that no route of the loop resets; those routes
 * taken away, what is left must be bounded again. A way out of an ask is bounded by the person, an event by its sender.
 */
import { flowOf } from "../flow.ts";
import type { Machine, Protocol } from "../machine.ts";
import type { Spot } from "../places.ts";
import { loopsOf } from "./cycles.ts";
import { problemAt, type Problem } from "./problem.ts";

interface Way {
  readonly from: string;
  readonly to: string;
  readonly counts: readonly string[];
  readonly resets: readonly string[];
}

export function checkLoops(protocol: Protocol, machine: Machine): readonly Problem[] {
  const { edges, spots } = flowOf(protocol, machine);
  const ways = edges.flatMap(({ from, to, cause, counts, resets }): readonly Way[] => {
    if (from.state.kind === "ask" || cause === "event") return [];
    // The outcomes of a parallel come after its regions ended, not when it begins.
    const start = from.state.kind === "parallel" && cause === "outcome" ? joined(from.id) : from.id;
    const end = to.type === "spot" ? to.spot.id : to.type === "joined" ? joined(to.parallel) : undefined;
    return end === undefined ? [] : [{ from: start, to: end, counts, resets }];
  });
  const atOnce = [...spots.values()].flatMap(({ id, state }): readonly Way[] =>
    state.kind === "parallel" && Object.keys(state.regions).length === 0
      ? [{ from: id, to: joined(id), counts: [], resets: [] }]
      : [],
  );
  return unbounded(machine, [...ways, ...atOnce]).flatMap((loop) => problemFor(machine, spots, loop));
}

function joined(parallel: string): string {
  return `${parallel}#joined`;
}

/** The loops that no counter ends, each as the states on it. */
function unbounded(machine: Machine, ways: readonly Way[]): readonly (readonly string[])[] {
  return loopsOf(ways).flatMap((loop) => {
    const inside = ways.filter(({ from, to }) => loop.includes(from) && loop.includes(to));
    const reset = new Set(inside.flatMap(({ resets }) => resets));
    const bounding = (counter: string) => !reset.has(counter) && bounds(machine, counter, loop);
    const left = inside.filter(({ counts }) => !counts.some(bounding));
    return left.length === inside.length ? [loop] : unbounded(machine, left);
  });
}

function bounds(machine: Machine, name: string, loop: readonly string[]): boolean {
  const counter = Object.hasOwn(machine.counters, name) ? machine.counters[name] : undefined;
  if (counter === undefined || counter.limit === null || counter.over === null) return false;
  // Another failure in between starts a `same` counter anew; another state does so with one of `scope: visit`.
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
