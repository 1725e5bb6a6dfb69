/**
 * `unproven_complete`: no way leads to `complete` without a gate that executed something after the last dispatch that
 * may write. Walks breadth first, so the way that is told is the shortest.
 */
import type { Protocol } from "../machine.ts";
import { allSpots } from "../places.ts";
import { wordOf } from "../routes.ts";
import { keyOf, type Position } from "../walk/position.ts";
import type { Next, WalkStep, World } from "../walk/scope.ts";
import { firstPositions, nextPositions } from "../walk/walk.ts";
import type { Problem } from "./problem.ts";

const code = "unproven_complete";
/** Far more than any protocol that a person writes; a walk that is cut short counts as unproven. */
const mostPositions = 200_000;
/** With counters there are more positions, and the way is only made exact. */
const mostExactPositions = 60_000;

export function checkProof(protocol: Protocol): readonly Problem[] {
  const rough = findWay({ protocol, counting: false, childMoves: new Map() }, mostPositions);
  if (rough.type === "none") return [];
  // A counter that can never run out there makes no way: told exactly, the way is gone or can be walked.
  const exact = findWay({ protocol, counting: true, childMoves: new Map() }, mostExactPositions);
  if (exact.type === "none") return [];
  const found = exact.type === "found" ? exact : rough;
  return [found.type === "found" ? problemOf(protocol, found.steps) : tooLarge(protocol)];
}

type Way =
  | { readonly type: "none" }
  | { readonly type: "found"; readonly steps: readonly WalkStep[] }
  | { readonly type: "cut short" };

interface Reached {
  readonly position: Position;
  readonly key: string;
  readonly steps: readonly WalkStep[];
  readonly before: Reached | null;
}

interface End {
  readonly steps: readonly WalkStep[];
}

/** Visits what is fewest steps away first; a move may be several steps. */
function findWay(world: World, most: number): Way {
  const nearest = new Map<string, number>();
  const waiting: (Reached | End)[][] = [];
  const add = (before: Reached | null, { steps, to }: Next, distance: number) => {
    if ("ended" in to) {
      if (to.proved || wordOf(to.ended) !== "complete") return;
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
    // Grows while it is read: a move may take no step.
    for (const reached of waiting[distance] ?? []) {
      if (!("position" in reached)) return { type: "found", steps: reached.steps };
      // A shorter way to it was found after it had been put here.
      if (nearest.get(reached.key) !== distance) continue;
      if (nearest.size > most) return { type: "cut short" };
      for (const next of nextPositions(world, reached.position)) add(reached, next, distance);
    }
    waiting[distance] = [];
  }
  return { type: "none" };
}

function stepsTo(reached: Reached | null): readonly WalkStep[] {
  return reached === null ? [] : [...stepsTo(reached.before), ...reached.steps];
}

function problemOf(protocol: Protocol, steps: readonly WalkStep[]): Problem {
  const last = steps.findLast((step) => step.machine === "main");
  const main = protocol.machines["main"];
  const spot =
    main === undefined ? undefined : allSpots(main).find(({ state }) => state.name === last?.state);
  return {
    code,
    machine: "main",
    ...(last === undefined ? {} : { state: last.path }),
    at: spot?.state.at ?? main?.at ?? { file: protocol.name, line: 1, column: 1 },
    message: `complete can be reached with nothing executed since the last writing: ${steps.map(renderStep).join(", ")}`,
    path: steps,
  };
}

function renderStep({ machine, path, outcome }: WalkStep): string {
  return `${machine === "main" ? "" : `${machine}:`}${path} ${outcome}`;
}

function tooLarge(protocol: Protocol): Problem {
  const at = protocol.machines["main"]?.at ?? { file: protocol.name, line: 1, column: 1 };
  return {
    code,
    machine: "main",
    at,
    message: "the protocol has too many positions to walk through them all",
  };
}
