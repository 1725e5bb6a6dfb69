/** The verdicts of critics and reviewers of RIPER and DPTR for the summary, one line per subject. Pure. */
import type { Command } from "../../kernel/command.ts";
import type { RunView } from "../../log/run-view.ts";

/** `tests: 1 NEEDS_CHANGE, 2 APPROVED`, in order of first verdict. */
export function loopReviews({ order, commands }: RunView): readonly string[] {
  const judged = new Map<string, Map<string, number>>();
  for (const key of order) {
    const { command, result } = commands[key] ?? {};
    const what = command === undefined ? null : subjectOf(command);
    if (what === null || result == null || !verdicts.has(result.outcome)) continue;
    const given = judged.get(what) ?? new Map<string, number>();
    judged.set(what, given.set(result.outcome, (given.get(result.outcome) ?? 0) + 1));
  }
  return [...judged].map(
    ([what, given]) => `${what}: ${[...given].map(([verdict, count]) => `${count} ${verdict}`).join(", ")}`,
  );
}

const verdicts: ReadonlySet<string> = new Set([
  "ACCEPT",
  "REVISE",
  "REJECT",
  "PA",
  "NR",
  "APPROVED",
  "NEEDS_CHANGE",
]);

/** The subject that a dispatch judges; null if it does not judge. */
function subjectOf({ type, mode, phase }: Command): string | null {
  if (type !== "dispatch") return null;
  if (phase === "review_tests") return "tests";
  if (phase === "review_impl") return "implementation";
  return mode === undefined ? null : (subjectByMode[mode] ?? null);
}

const subjectByMode: Readonly<Record<string, string>> = {
  "Ω₂ᴬ": "design",
  "Ω₄ᶜ": "plan",
  "Ω₆ⱽ": "result",
};
