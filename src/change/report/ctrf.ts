/** The Common Test Report Format, version 0.0. Inconclusive is `failed`, since readers count `other` as no failure. */
import { outcomesOf, type Outcome, type Report } from "./outcomes.ts";
import { gateWords } from "../../evidence/gate-command.ts";

export function ctrfReport({ answer, version }: Report): object {
  const [start, stop] = [Date.parse(answer.started), Date.parse(answer.ended)];
  const tests = outcomesOf(answer).map((outcome) => testOf(answer.gate, outcome));
  const count = (wanted: string) => tests.filter(({ status }) => status === wanted).length;
  return {
    reportFormat: "CTRF",
    specVersion: "0.0.0",
    generatedBy: `mettle ${version}`,
    timestamp: answer.ended,
    results: {
      tool: { name: "mettle", version },
      summary: {
        tests: tests.length,
        passed: count("passed"),
        failed: count("failed"),
        skipped: 0,
        pending: 0,
        other: 0,
        start,
        stop,
      },
      tests,
      environment: {
        commit: answer.head,
        extra: { base: answer.base, tree: answer.tree, runner: answer.runner, verdict: answer.verdict },
      },
    },
  };
}

function testOf(gate: string, { name, verdict, reason, tests, places }: Outcome) {
  const [place] = places;
  return {
    name,
    status: verdict === "pass" ? "passed" : "failed",
    rawStatus: verdict,
    duration: 0,
    suite: [gateWords(gate).join(" ")],
    ...(reason === "" ? {} : { message: reason }),
    ...(place === undefined ? {} : { filePath: place.path }),
    ...(place === undefined || place.line === null ? {} : { line: place.line }),
    ...(tests.length === 0 ? {} : { extra: { tests } }),
  };
}
