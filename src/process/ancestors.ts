import { hasProc, processEntry, variableOf } from "./proc.ts";

export type AncestorAnswer = "found" | "none" | "unknown";

/**
 * Whether this process, or one above it, began with the variable in its environment. A child can drop a variable, its
 * ancestors cannot. "unknown" where there is no /proc. A process that left its parents on purpose is not seen.
 */
export function ancestorCarries(variable: string): AncestorAnswer {
  if (!hasProc) return "unknown";
  for (let pid = process.pid, depth = 0; pid > 1 && depth < 1_000; depth += 1) {
    if (variableOf(pid, variable) !== null) return "found";
    pid = processEntry(pid)?.parent ?? 0;
  }
  return "none";
}
