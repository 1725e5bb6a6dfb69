/**
 * Checks that a protocol is sound: every outcome has a route, every loop is bounded, no path leads to `complete` without
 * proof. One file per rule in check/. Returns problems as data; a sound protocol has none.
 */
import { checkCounters } from "./check/counters.ts";
import { checkEnds } from "./check/ends.ts";
import { checkJoins } from "./check/joins.ts";
import { checkLoops } from "./check/loops.ts";
import { checkNames, type CheckOptions } from "./check/names.ts";
import type { Problem } from "./check/problem.ts";
import { checkProof } from "./check/proof.ts";
import { checkReach } from "./check/reach.ts";
import { checkRoutes } from "./check/routes.ts";
import type { Protocol } from "./machine.ts";

export type { CheckOptions } from "./check/names.ts";
export type { Problem, ProblemCode } from "./check/problem.ts";
export type { WalkStep } from "./walk/scope.ts";

/** All problems, in line order. */
export function checkProtocol(protocol: Protocol, library: CheckOptions): readonly Problem[] {
  if (!Object.hasOwn(protocol.machines, "main")) {
    const at = { file: protocol.name, line: 1, column: 1 };
    return [
      { code: "no_main", machine: "main", at, message: "there is no machine main, so no run can start" },
    ];
  }
  const machines = Object.values(protocol.machines).flatMap((machine) => [
    ...checkRoutes(protocol, machine),
    ...checkNames(protocol, machine, library),
    ...checkCounters(machine),
    ...checkJoins(protocol, machine),
    ...checkLoops(protocol, machine),
  ]);
  return [...machines, ...checkEnds(protocol), ...checkReach(protocol), ...checkProof(protocol)].toSorted(
    byLine,
  );
}

function byLine(a: Problem, b: Problem): number {
  if (a.at.file !== b.at.file) return a.at.file < b.at.file ? -1 : 1;
  return a.at.line - b.at.line || a.at.column - b.at.column;
}
