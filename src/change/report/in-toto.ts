/** An in-toto Statement v1 with the predicate test-result v0.1. Inconclusive is FAILED, with a note in the configuration. */
import { asksForReview, noteOf, notedFindings } from "../notes.ts";
import { outcomesOf, type Report } from "./outcomes.ts";

export interface TestResultFacts {
  readonly commit: string;
  readonly tree: string;
  readonly result: "PASSED" | "WARNED" | "FAILED";
  readonly passed: readonly string[];
  readonly warned: readonly string[];
  readonly failed: readonly string[];
  /** Name -> digest of what decided the result, e.g. the base commit. */
  readonly configuration: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Why the result is not PASSED; null if it is. */
  readonly note: string | null;
  /** Name and version of the program. */
  readonly producer: string;
}

export const testResultType = "https://in-toto.io/attestation/test-result/v0.1";

export function inTotoStatement(facts: TestResultFacts): object {
  const { commit, tree, result, passed, warned, failed, note, producer } = facts;
  const configuration = Object.entries(facts.configuration).map(([name, digest]) => ({ name, digest }));
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: [
      { name: "commit", digest: { gitCommit: commit } },
      { name: "tree", digest: { gitTree: tree } },
    ],
    predicateType: testResultType,
    predicate: {
      result,
      configuration: [
        ...configuration,
        { name: producer, annotations: note === null ? { result } : { result, note } },
      ],
      passedTests: passed,
      warnedTests: warned,
      failedTests: failed,
    },
  };
}

/** @param digest `sha256:…` */
export function sha256Digest(digest: string): Readonly<Record<string, string>> {
  return { sha256: digest.replace(/^sha256:/u, "") };
}

export function testResultOf({ answer, version }: Report): TestResultFacts {
  const { verdict, gate, base, head, tree, red, record } = answer;
  const outcomes = outcomesOf(answer);
  const names = (wanted: boolean) =>
    outcomes.filter((one) => (one.verdict === "pass") === wanted).map(({ name }) => `${gate}/${name}`);
  const warnings = notedFindings(answer).filter(asksForReview);
  const result = verdict !== "pass" ? "FAILED" : warnings.length > 0 ? "WARNED" : "PASSED";
  const notes = {
    PASSED: null,
    WARNED: warnings.map(noteOf).join("\n"),
    FAILED: outcomes.at(-1)?.reason ?? verdict,
  };
  return {
    commit: head,
    tree,
    result,
    passed: names(true),
    warned: [...new Set(warnings.map(({ code }) => `${gate}/${code}`))],
    failed: names(false),
    configuration: {
      base: { gitCommit: base },
      ...(red === null ? {} : { red: { gitCommit: red } }),
      record: sha256Digest(record.hash),
    },
    note: notes[result],
    producer: `mettle ${version}`,
  };
}
