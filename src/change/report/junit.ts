/** JUnit XML as Jenkins, GitLab and others read it: one suite, one test case per check. Inconclusive is an error. */
import { firstLine } from "../../lib/text.ts";
import { outcomesOf, type Outcome, type Report } from "./outcomes.ts";
import { gateWords } from "../../evidence/gate-command.ts";

export function junitReport({ answer, version }: Report): string {
  const { gate, base, head, tree, runner, record, started, ended } = answer;
  const outcomes = outcomesOf(answer);
  const count = (verdict: Outcome["verdict"]) => outcomes.filter((one) => one.verdict === verdict).length;
  const name = gateWords(gate).join(" ");
  const counts = {
    name,
    tests: outcomes.length,
    failures: count("fail"),
    errors: count("inconclusive"),
    time: ((Date.parse(ended) - Date.parse(started)) / 1000).toFixed(3),
  };
  const facts = {
    base,
    head,
    tree,
    runner: runner ?? "",
    record: record.id,
    verdict: answer.verdict,
    mettle: version,
  };
  const properties = Object.entries(facts).map(
    ([key, value]) => `      <property${attributes({ name: key, value })}/>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(counts)}>`,
    `  <testsuite${attributes({ ...counts, skipped: 0, timestamp: started.replace(/\.\d+Z$/u, "") })}>`,
    "    <properties>",
    ...properties,
    "    </properties>",
    ...outcomes.map((outcome) => testCase(`mettle.${gate}`, outcome)),
    "  </testsuite>",
    "</testsuites>",
  ].join("\n");
}

function testCase(classname: string, { name, verdict, reason, tests, places }: Outcome): string {
  const head = `    <testcase${attributes({ classname, name, time: 0 })}`;
  if (verdict === "pass") return `${head}/>`;
  const tag = verdict === "fail" ? "failure" : "error";
  const lines = [
    reason,
    ...tests,
    ...places.map(({ path, line }) => `at ${path}${line === null ? "" : `:${line}`}`),
  ];
  const message = attributes({ type: verdict, message: firstLine(reason) });
  return `${head}>\n      <${tag}${message}>${escapeXml(lines.join("\n"))}</${tag}>\n    </testcase>`;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(
      ([name, value]) =>
        ` ${name}="${escapeXml(String(value)).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;")}"`,
    )
    .join("");
}

/** @param text without control characters and unpaired surrogates */
function escapeXml(text: string): string {
  const names: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replaceAll(/[&<>"]/gu, (char) => names[char] ?? char);
}
