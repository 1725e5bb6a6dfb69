/** The checks of an answer as tests of a report. The last one is the verdict, so that each report holds it. */
import { shortList } from "../../gates/check.ts";
import type { GateAnswer } from "../answer.ts";
import { titleOf } from "../check-titles.ts";
import type { Place } from "../places.ts";

export interface Report {
  readonly answer: GateAnswer;
  /** Version of Mettle. */
  readonly version: string;
}

export interface Outcome {
  readonly name: string;
  readonly title: string;
  readonly verdict: GateAnswer["verdict"];
  /** Empty for a pass; begins with `inconclusive: ` if it could not be judged. */
  readonly reason: string;
  readonly tests: readonly string[];
  readonly places: readonly Place[];
}

export function outcomesOf(answer: GateAnswer): readonly Outcome[] {
  const checks = answer.checks.map((check) => ({
    ...check,
    title: titleOf(check.name),
    reason: reasonOf(check),
    tests: firstOf(check.tests),
  }));
  return [...checks, verdictOf(answer)];
}

/** The failed checks and those that could not be judged; the verdict itself only if there is none. */
export function wrongOutcomes(answer: GateAnswer): readonly Outcome[] {
  const wrong = outcomesOf(answer).filter(({ verdict }) => verdict !== "pass");
  return wrong.length > 1 ? wrong.slice(0, -1) : wrong;
}

/** `proved`, `not proved`, `gate green: fail`. */
export function headlineOf({ gate, verdict, nothing_to_prove: isEmpty }: GateAnswer): string {
  if (gate !== "prove") return `gate ${gate}: ${verdict}`;
  const passes = isEmpty === true ? "nothing to prove" : "proved";
  return { pass: passes, fail: "not proved", inconclusive: "inconclusive" }[verdict];
}

function verdictOf(answer: GateAnswer): Outcome {
  const { verdict, checks } = answer;
  const names = checks.filter((check) => check.verdict === verdict).map(({ name }) => name);
  const reason = `${verdict === "fail" ? "not proved" : "something could not be judged"}${names.length === 0 ? "" : `: ${shortList(names)}`}`;
  return {
    name: "verdict",
    title: headlineOf(answer),
    verdict,
    reason: reasonOf({ verdict, reason }),
    tests: [],
    places: [],
  };
}

const maxTests = 200;

function firstOf(tests: readonly string[]): readonly string[] {
  const more = tests.length - maxTests;
  return more <= 0 ? tests : [...tests.slice(0, maxTests), `and ${more} more`];
}

function reasonOf({ verdict, reason }: Pick<Outcome, "verdict" | "reason">): string {
  if (verdict === "pass") return "";
  return verdict === "inconclusive" ? `inconclusive: ${reason}` : reason;
}

/** A file for a result without one: code hosts refuse results without a file. */
export function anyPath({ required, observed, checks, findings }: GateAnswer): string {
  const located = [...checks, ...findings].flatMap(({ places }) => places.map(({ path }) => path));
  const tested = [...required, ...observed].map((id) => id.split("::", 1)[0] ?? id);
  return [...located, ...tested].find((path) => path !== "") ?? "mettle.yaml";
}
