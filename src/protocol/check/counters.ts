/** `bad_counter`: a counter has an integer limit of at least 1, and a route for when it runs out. */
import type { Counter, Machine } from "../machine.ts";
import { problemOf, type Problem } from "./problem.ts";

export function checkCounters(machine: Machine): readonly Problem[] {
  return Object.entries(machine.counters).flatMap(([name, counter]) => {
    if (name === "r") return [];
    return faultsOf(counter).map((fault) =>
      problemOf(machine, { code: "bad_counter", message: `the counter ${name} ${fault}`, at: counter.at }),
    );
  });
}

function faultsOf({ limit, over }: Counter): readonly string[] {
  const faults: string[] = [];
  if (limit === null) faults.push("has no limit");
  else if (!Number.isInteger(limit) || limit < 1)
    faults.push(`has the limit ${limit}, which is no number of tries`);
  if (over === null) faults.push("leads nowhere when it is used up (over)");
  return faults;
}
