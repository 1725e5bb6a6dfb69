/**
 * Template variables with what happened since a role's last dispatch, as far as the role may know it: refusals, issues,
 * disputes, a person's answers. On its first dispatch a role has no history (ORC-58).
 */
import { findingsText } from "../../gates/review/findings.ts";
import { isReplyName, reviewFormats } from "../../gates/review/review-formats.ts";
import { lastLines } from "../../lib/text.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { CommandEntry } from "../../log/commands.ts";
import type { RunView } from "../../log/run-view.ts";
import type { RunContext } from "../../run/context.ts";
import { toldOf, toldOutput } from "../holdout/told.ts";
import type { Verdict } from "../../gates/verdict.ts";
import { issuesFor } from "./issues.ts";

export async function historyVariables(context: RunContext, command: DispatchCommand) {
  const { view } = context.session;
  const since = entriesSince(view, command);
  return {
    questions_and_answers: questionsAndAnswers(view, command),
    failures: await failures(context, command, since),
    issues: issuesFor({ role: command.role, reviews: reviewsAmong(view, since) }),
    dispute: dispute(view, command, since),
    reason: answerText(since, "reject") || answerText(since, "revise"),
    context: answerText(since, "context"),
    answer: answers(since, command),
    approach: answerText(since, "approach"),
    open_findings: openFindings(view, command),
  };
}

interface HistoryWindow {
  readonly entries: readonly (CommandEntry & { readonly key: string })[];
}

/** Entries since the role last delivered; a dispatch that ended with a question, or not at all, did not deliver. */
function entriesSince(view: RunView, command: DispatchCommand): HistoryWindow {
  const before = view.order.slice(0, view.order.indexOf(command.key)).flatMap((key) => {
    const entry = view.commands[key];
    return entry ? [{ ...entry, key }] : [];
  });
  const isOwn = (entry: CommandEntry): boolean =>
    entry.command.type === "dispatch" && entry.command.role === command.role;
  const delivered = before.findLastIndex((entry) => isOwn(entry) && hasDelivered(entry));
  const from = delivered === -1 ? before.findIndex(isOwn) : delivered;
  return { entries: from === -1 ? [] : before.slice(from) };
}

function hasDelivered({ command, result }: CommandEntry): boolean {
  return command.type === "dispatch" && result !== null && command.reports.includes(result.outcome);
}

/** The questions that a person answered, for the analyst only. */
function questionsAndAnswers(view: RunView, command: DispatchCommand): string {
  if (command.role !== "intake") return "";
  return view.questions
    .filter((question) => question.answer !== null)
    .map(({ id, topic, text, answer }) => `${id} (${topic}): ${text}\n${answer}`)
    .join("\n\n");
}

/** The reasons of the last check if it failed, and the output of its test run. */
async function failures(
  context: RunContext,
  command: DispatchCommand,
  { entries }: HistoryWindow,
): Promise<string> {
  const { session, payloads } = context;
  const checks = entries.filter(({ command }) => command.type === "check");
  const last = checks.at(-1);
  if (!last?.result?.outcome.startsWith("fail")) return "";
  const judged = session.view.judged.findLast(({ key }) => key === last.key);
  const record = session.view.records.findLast(
    ({ key, purpose }) => key === last.key && purpose.endsWith("tests"),
  );
  const told = toldOf(context, command);
  const output =
    told === null
      ? await outputOf({ payloads, ref: record?.ref })
      : await toldOutput(context, told, last.key);
  const reasons =
    told === null || judged === undefined
      ? [...(judged?.reasons ?? []), ...(judged?.findings ?? [])]
      : told.reasons(judged, JSON.parse(await payloads.text(judged.ref)) as Verdict);
  return [...reasons.map((reason) => `- ${reason}`), output].filter((part) => part !== "").join("\n");
}

async function outputOf({
  payloads,
  ref,
}: Pick<RunContext, "payloads"> & { readonly ref: string | undefined }): Promise<string> {
  if (ref === undefined) return "";
  const record = JSON.parse(await payloads.text(ref)) as { readonly output: string };
  return `\n${lastLines(await payloads.text(record.output), 60).join("\n")}`;
}

function reviewsAmong({ reviews }: RunView, { entries }: HistoryWindow): RunView["reviews"] {
  const keys = new Set(entries.map(({ key }) => key));
  return reviews.filter(({ key }) => keys.has(key));
}

/** The coder's claim for the test writer, the reply for the coder; each with a person's decision. */
function dispute(view: RunView, command: DispatchCommand, since: HistoryWindow): string {
  const claim = view.order
    .map((key) => view.commands[key])
    .findLast((entry) => entry?.result?.outcome === "TI");
  if (command.state === "dispute")
    return [claim?.result?.text ?? "", decisionText(since, "test-wrong")]
      .filter((part) => part !== "")
      .join("\n\n");
  if (command.role !== "coder") return "";
  const answer = since.entries.findLast(
    ({ command: other, result }) => other.state === "dispute" && result?.outcome === "RC",
  );
  return [answer?.result?.text ?? "", decisionText(since, "test-right")]
    .filter((part) => part !== "")
    .join("\n\n");
}

const decisions = { "test-wrong": "the test is wrong", "test-right": "the test is right" };

function decisionText({ entries }: HistoryWindow, answer: keyof typeof decisions): string {
  const entry = entries.findLast(
    ({ command, result }) => command.type === "ask" && result?.outcome === answer,
  );
  if (!entry) return "";
  const words = entry.result?.text ?? "";
  return `A person decided: ${decisions[answer]}${words === "" ? "." : `: ${words}`}`;
}

/** A person's answers to this role's questions; answers to other roles are excluded (ORC-58). */
function answers({ entries }: HistoryWindow, { role }: DispatchCommand): string {
  const isOwn = (key: string | undefined): boolean => {
    const asker = entries.find((entry) => entry.key === key)?.command;
    return asker?.type === "dispatch" && asker.role === role;
  };
  return entries
    .filter(
      ({ command, result }) =>
        command.type === "ask" && result?.outcome === "answer" && isOwn(command.causes.at(-1)?.key),
    )
    .map(({ result }) => result?.text ?? "")
    .join("\n\n");
}

/** The text of the person's last answer of this name. */
function answerText({ entries }: HistoryWindow, answer: string): string {
  const entry = entries.findLast(
    ({ command, result }) => command.type === "ask" && result?.outcome === answer,
  );
  return entry?.result?.text ?? "";
}

function openFindings(view: RunView, command: DispatchCommand): string {
  if (command.reply === undefined || !isReplyName(command.reply)) return "";
  return findingsText(view.findings[reviewFormats[command.reply].gate] ?? [], command.role);
}
