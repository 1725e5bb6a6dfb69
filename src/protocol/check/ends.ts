/** `bad_end`: the main machine may only end with complete, halted or failed. */
import { flowOf } from "../flow.ts";
import type { Machine, Protocol } from "../machine.ts";
import { frameOutcome } from "../outcomes.ts";
import { routeIn, wordOf } from "../routes.ts";
import { problemOf, type Problem } from "./problem.ts";

const ends = ["complete", "halted", "failed"];
const code = "bad_end";

export function checkEnds(protocol: Protocol): readonly Problem[] {
  const main = Object.hasOwn(protocol.machines, "main") ? protocol.machines["main"] : undefined;
  if (main === undefined) return [];
  const problems = flowOf(protocol, main).edges.flatMap(({ from, to, route }): readonly Problem[] => {
    if (to.type !== "ended" || ends.includes(wordOf(to.outcome))) return [];
    const at = route?.at ?? from.state.at;
    return [{ code, machine: main.name, state: from.id, at, message: endMessage(to.outcome) }];
  });
  return [...problems, ...abortProblems(main)];
}

function abortProblems(main: Machine): readonly Problem[] {
  const route = routeIn(main.errors, frameOutcome);
  if (route === undefined || (route.to.type !== "out" && route.to.type !== "frame")) return [];
  const { outcome } = route.to;
  if (ends.includes(wordOf(outcome))) return [];
  return [problemOf(main, { code, message: endMessage(outcome), at: route.at })];
}

function endMessage(outcome: string): string {
  return `a run cannot end with ${outcome}: it ends ${ends.join(", ")}`;
}
