/** The text of a dispute over a node's test: the test, both reasons, and its failure. */
import { disputedTests } from "../../../gates/review/dispute.ts";
import { cleanPath } from "../../../gates/node/node-paths.ts";
import type { AskCommand } from "../../../kernel/command.ts";
import { InitWork } from "../../../protocol/graph-types/scaffold.ts";
import { safeLine } from "../../../lib/safe-text.ts";
import { blockOf } from "../../../run/blocks.ts";
import type { RunContext } from "../../../run/context.ts";
import { testExcerpts } from "../../../run/test-excerpts.ts";
import { isInFile, specOf } from "../facts.ts";
import { resultsOf, type NodeResult } from "../history.ts";
import type { Node } from "../node.ts";
import { acceptedOf, decisionPayload } from "../payloads.ts";

/** Empty for another question. */
export async function nodeDispute(
  context: RunContext,
  { answers }: AskCommand,
  { frame, entry }: Node,
): Promise<readonly string[]> {
  const results = resultsOf(context, frame);
  const claim = results.findLast(({ outcome }) => outcome === "TI");
  if (claim === undefined || entry.locked === null || !answers.includes("test-wrong")) return [];
  const answer = results.slice(results.indexOf(claim)).find(({ outcome }) => outcome === "TestsReady.stands");
  const reason = await reasonOf(context, claim);
  const ids = await disputedIds(context, entry, reason.join("\n"));
  const failing = await failingRun(context, frame, ids);
  return [
    ...ids.map((id) => `  Test: ${safeLine(id)}`),
    ...(await testExcerpts(context, { commit: entry.tests ?? entry.head, ids })).map((line) => `  ${line}`),
    "  Impl:",
    ...reason.map((line) => `    ${line}`),
    ...(answer === undefined
      ? ["  TDD: no answer, since the disputes of this node are used up"]
      : [`  TDD: ${answer.text === "" ? "no reason was given" : safeLine(answer.text)}`]),
    ...(failing === null ? [] : ["  How it fails:", failing]),
  ];
}

/** The tests that Impl named; all of the node's own if it named none. */
async function disputedIds(
  context: RunContext,
  entry: Node["entry"],
  reason: string,
): Promise<readonly string[]> {
  const work = await acceptedOf(context, { entry, exit: "InitWork", type: InitWork });
  const contract = cleanPath(work?.contractSuite ?? "");
  const own = (entry.locked?.required ?? []).filter((id) => !isInFile(id, contract));
  const { acceptanceCriteria } = await specOf(context, entry);
  const named = disputedTests(
    reason,
    own,
    acceptanceCriteria.map(({ id }) => id),
  );
  return named.length === 0 ? own : named;
}

/** The message and all fields of the payload. */
async function reasonOf(context: RunContext, { text, payload }: NodeResult): Promise<readonly string[]> {
  const stored = payload === null ? null : await decisionPayload(context, payload);
  const fields = typeof stored === "object" && stored !== null ? Object.entries(stored) : [];
  const lines = [
    ...(text === "" ? [] : [safeLine(text)]),
    ...fields.map(
      ([name, value]) => `${name}: ${safeLine(typeof value === "string" ? value : JSON.stringify(value))}`,
    ),
  ];
  return lines.length === 0 ? ["no reason was given"] : lines;
}

/** The newest run of the node in which one of these tests failed. */
async function failingRun(
  context: RunContext,
  frame: string,
  ids: readonly string[],
): Promise<string | null> {
  const { records, commands } = context.session.view;
  const run = records.findLast(
    ({ key, purpose, failing }) =>
      commands[key]?.command.frame.startsWith(frame) === true &&
      ["red.tests", "green.tests"].includes(purpose) &&
      failing.some((id) => ids.includes(id)),
  );
  return run === undefined ? null : blockOf(context, run.id);
}
