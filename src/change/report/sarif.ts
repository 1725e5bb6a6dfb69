/** SARIF 2.1.0: failed checks, checks that could not be judged, and findings, each with a file. Inconclusive is an error. */
import { sha256 } from "../../lib/hash.ts";
import { asksForReview, notedFindings } from "../notes.ts";
import type { Place } from "../places.ts";
import { anyPath, wrongOutcomes, type Report } from "./outcomes.ts";

interface Result {
  readonly ruleId: string;
  readonly title: string;
  readonly level: "error" | "warning" | "note";
  readonly text: string;
  readonly tests: readonly string[];
  readonly places: readonly Place[];
}

export function sarifReport({ answer, version }: Report): object {
  const results = resultsOf(answer);
  const rules = new Map(results.map(({ ruleId, title }) => [ruleId, title]));
  const isJudged = answer.verdict !== "inconclusive";
  const unclear = wrongOutcomes(answer).filter(({ verdict }) => verdict === "inconclusive");
  return {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "mettle",
            version,
            rules: [...rules].map(([id, title]) => ({ id, shortDescription: { text: title } })),
          },
        },
        automationDetails: { id: `mettle/${answer.gate}/` },
        invocations: [
          {
            executionSuccessful: isJudged,
            startTimeUtc: answer.started,
            endTimeUtc: answer.ended,
            ...(isJudged
              ? {}
              : {
                  toolExecutionNotifications: unclear.map(({ reason }) => ({
                    level: "error",
                    message: { text: reason },
                  })),
                }),
          },
        ],
        columnKind: "utf16CodeUnits",
        results: results.map((result) => resultOf(result, anyPath(answer))),
        properties: {
          verdict: answer.verdict,
          base: answer.base,
          head: answer.head,
          record: answer.record.id,
        },
      },
    ],
  };
}

function resultsOf(answer: Report["answer"]): readonly Result[] {
  const checks = wrongOutcomes(answer).map(({ name, title, reason, tests, places }) => ({
    ruleId: name,
    title,
    level: "error" as const,
    text: reason,
    tests,
    places,
  }));
  const findings = notedFindings(answer).map((finding) => ({
    ruleId: finding.code,
    title: finding.code.replaceAll("_", " "),
    level:
      finding.severity === "block"
        ? ("error" as const)
        : asksForReview(finding)
          ? ("warning" as const)
          : ("note" as const),
    text: finding.message,
    tests: finding.testId === undefined ? [] : [finding.testId],
    places: finding.places,
  }));
  return [...checks, ...findings];
}

function resultOf({ ruleId, level, text, tests, places }: Result, anywhere: string): object {
  const files = places.length === 0 ? [{ path: anywhere, line: null }] : places;
  const identity = [ruleId, ...tests, ...files.map(({ path }) => path)].join("\n");
  return {
    ruleId,
    level,
    message: { text },
    locations: files.slice(0, 1).map(locationOf),
    ...(files.length > 1 ? { relatedLocations: files.slice(1).map(locationOf) } : {}),
    partialFingerprints: { "mettle/v1": sha256(identity).replace("sha256:", "") },
    ...(tests.length === 0 ? {} : { properties: { tests } }),
  };
}

function locationOf({ path, line }: Place): object {
  return {
    physicalLocation: {
      artifactLocation: { uri: path.split("/").map(encodeURIComponent).join("/") },
      ...(line === null ? {} : { region: { startLine: line } }),
    },
  };
}
