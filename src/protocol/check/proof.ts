/**
 * `unproven_complete`: every path to `complete`, and every path of a child to the end after its merge, has a gate that
 * executed something after the last dispatch that may write. Breadth first, so the reported path is the shortest.
 */
import type { Machine, Protocol } from "../machine.ts";
import { allSpots } from "../levels.ts";
import { wordOf } from "../routes.ts";
import { keyOf, type WalkPosition } from "../walk/position.ts";
import type { Next, WalkStep, World } from "../walk/scope.ts";
import { firstPositions, nextPositions } from "../walk/walk.ts";
import type { Problem } from "./problem.ts";

const code = "unproven_complete";
/** Far more than real protocols have; a search that is cut short counts as unproven. */
const maxPositions = 200_000;
/** Lower, because counters multiply the positions, and this search only makes the path exact. */
const maxExactPositions = 60_000;

export function checkProof(protocol: Protocol): readonly Problem[] {
  return Object.values(protocol.machines).flatMap((machine) => {
    const ends = machine.name === "main" ? ["complete"] : mergedEnds(machine);
    return ends.length === 0 ? [] : checkEnds(protocol, { machine: machine.name, ends });
  });
}

interface Goal {
  readonly machine: string;
  /** Outcomes that must not be reached without proof. */
  readonly ends: readonly string[];
}

function checkEnds(protocol: Protocol, goal: Goal): readonly Problem[] {
  const { machine } = goal;
  const world = (counting: boolean): World => ({ protocol, machine, counting, childMoves: new Map() });
  const rough = findPath(world(false), goal, maxPositions);
  if (rough.type === "none") return [];
  // The rough search lets every counter run out at any time. The exact one drops impossible paths.
  const exact = findPath(world(true), goal, maxExactPositions);
  if (exact.type === "none") return [];
  const found = exact.type === "found" ? exact : rough;
  return [found.type === "found" ? problemOf(protocol, goal, found.steps) : tooLarge(protocol, goal)];
}

/** The outcomes of a child after its work is merged. */
function mergedEnds(machine: Machine): readonly string[] {
  const merges = allSpots(machine).filter(({ state }) => state.kind === "merge");
  const targets = merges.flatMap(({ state }) => Object.values(state.on).map(({ to }) => to));
  return targets.flatMap((to) => (to.type === "out" || to.type === "frame" ? [wordOf(to.outcome)] : []));
}

type SearchResult =
  | { readonly type: "none" }
  | { readonly type: "found"; readonly steps: readonly WalkStep[] }
  | { readonly type: "cut short" };

interface SearchNode {
  readonly position: WalkPosition;
  readonly key: string;
  readonly steps: readonly WalkStep[];
  readonly before: SearchNode | null;
}

interface SearchEnd {
  readonly steps: readonly WalkStep[];
}

/** Visits positions by distance in steps; a move may take several steps. */
function findPath(world: World, { ends }: Goal, most: number): SearchResult {
  const nearest = new Map<string, number>();
  const waiting: (SearchNode | SearchEnd)[][] = [];
  const add = (before: SearchNode | null, { steps, to }: Next, distance: number) => {
    if ("ended" in to) {
      if (to.proved || !ends.includes(wordOf(to.ended))) return;
      (waiting[distance + steps.length] ??= []).push({ steps: [...stepsTo(before), ...steps] });
      return;
    }
    const key = keyOf(to);
    const known = nearest.get(key);
    if (known !== undefined && known <= distance + steps.length) return;
    nearest.set(key, distance + steps.length);
    (waiting[distance + steps.length] ??= []).push({ position: to, key, steps, before });
  };
  for (const next of firstPositions(world)) add(null, next, 0);
  for (let distance = 0; distance < waiting.length; distance++) {
    // The list grows during iteration, because a move may take no step.
    for (const reached of waiting[distance] ?? []) {
      if (!("position" in reached)) return { type: "found", steps: reached.steps };
      // A shorter path was found meanwhile.
      if (nearest.get(reached.key) !== distance) continue;
      if (nearest.size > most) return { type: "cut short" };
      for (const next of nextPositions(world, reached.position)) add(reached, next, distance);
    }
    waiting[distance] = [];
  }
  return { type: "none" };
}

function stepsTo(reached: SearchNode | null): readonly WalkStep[] {
  return reached === null ? [] : [...stepsTo(reached.before), ...reached.steps];
}

function problemOf(protocol: Protocol, goal: Goal, steps: readonly WalkStep[]): Problem {
  const last = steps.findLast((step) => step.machine === goal.machine);
  const main = protocol.machines[goal.machine];
  const spot =
    main === undefined ? undefined : allSpots(main).find(({ state }) => state.name === last?.state);
  return {
    code,
    machine: goal.machine,
    ...(last === undefined ? {} : { state: last.path }),
    at: spot?.state.at ?? main?.at ?? { file: protocol.name, line: 1, column: 1 },
    message: `${goal.ends.join(" or ")} can be reached with nothing executed since the last writing: ${steps.map((step) => renderStep(goal, step)).join(", ")}`,
    path: steps,
  };
}

function renderStep(goal: Goal, { machine, path, outcome }: WalkStep): string {
  return `${machine === goal.machine ? "" : `${machine}:`}${path} ${outcome}`;
}

function tooLarge(protocol: Protocol, { machine }: Goal): Problem {
  const at = protocol.machines[machine]?.at ?? { file: protocol.name, line: 1, column: 1 };
  return {
    code,
    machine,
    at,
    message: "the protocol has too many positions to walk through them all",
  };
}
