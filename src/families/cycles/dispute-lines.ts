/** The text of a dispute over a test: the test, both statements, and its failure (TDP-59). */
import { fileOfTest } from "../../evidence/test-ids.ts";
import { disputedTests } from "../../gates/review/dispute.ts";
import type { AskCommand } from "../../kernel/command.ts";
import { safeLine } from "../../lib/safe-text.ts";
import { blockOf } from "../../run/blocks.ts";
import type { RunContext } from "../../run/context.ts";
import { testExcerpts } from "../../run/test-excerpts.ts";
import { cycleNumber, plannedCycles } from "./cycle.ts";

/** Empty for another question and outside a cycle. */
export async function disputeLines(context: RunContext, ask: AskCommand): Promise<readonly string[]> {
  const number = cycleNumber(context, ask);
  const { commands, order, frozen, records } = context.session.view;
  if (number === null || frozen === null || !ask.answers.includes("test-wrong")) return [];
  const own = order
    .flatMap((key) => commands[key] ?? [])
    .filter(({ command }) => command.frame === ask.frame);
  const claim = own.findLast(({ result }) => result?.outcome === "TI");
  const answer = own.findLast(({ command }) => command.type === "dispatch" && command.reports.includes("TA"));
  const { tests = [], criteria = [] } = (await plannedCycles(context))[number - 1] ?? {};
  const required = frozen.required.filter((id) => tests.includes(fileOfTest(id)));
  const statement = claim?.result?.text ?? "";
  const named = disputedTests(
    statement,
    required,
    criteria.map(({ id }) => id),
  );
  const disputed = named.length === 0 ? required : named;
  const failing = records.findLast(({ purpose, failing: ids }) => purpose === "red.tests" && ids.length > 0);
  return [
    ...disputed.map((id) => `Test: ${safeLine(id)}`),
    ...(await testExcerpts(context, { commit: frozen.commit, ids: disputed })),
    `DE: ${safeLine(statement)}`,
    `QA: ${safeLine(answer?.result?.text ?? "no answer, since the exchanges of this cycle are used up")}`,
    ...(failing === undefined ? [] : ["How it fails:", await blockOf(context, failing.id)]),
  ];
}
