/** What a person should look at beside the checks: findings that no failed check mentions, and failing tests of the base. */
import { counted } from "../lib/counted.ts";
import type { GateAnswer } from "./answer.ts";

type AnswerFinding = GateAnswer["findings"][number];

export function notesOf(answer: GateAnswer): readonly string[] {
  const failing = answer.base_tests?.failing.length ?? 0;
  const tests = counted(answer.base_tests?.tests ?? 0, "test");
  const onBase = `${failing} of ${tests} ${failing === 1 ? "fails on the base already, and excuses" : "fail on the base already, and excuse"} nothing new`;
  return [...(failing === 0 ? [] : [onBase]), ...notedFindings(answer).map(noteOf)];
}

/** The findings that no failed check mentions. */
export function notedFindings({ findings, checks }: GateAnswer): readonly AnswerFinding[] {
  const wrong = checks.filter(({ verdict }) => verdict === "fail");
  const reasons = wrong.map(({ reason }) => reason).join("\n");
  const named = new Set(wrong.flatMap(({ tests }) => tests));
  return findings.filter(({ code, message, testId }) => {
    const isMentioned = reasons.includes(message) || (testId !== undefined && named.has(testId));
    return code !== "pre-existing" && !isMentioned && !message.endsWith(": none");
  });
}

export function noteOf({ path, message }: AnswerFinding): string {
  return path === undefined || message.includes(path) ? message : `${path}: ${message}`;
}

/** Findings that measure or describe every change; all others ask for a review. */
const measures: ReadonlySet<string> = new Set([
  "unexecuted_lines",
  "files_changed",
  "criteria",
  "stubbed",
  "mutants",
]);

export function asksForReview({ code }: AnswerFinding): boolean {
  return !measures.has(code);
}
