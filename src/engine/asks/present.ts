/** Renders the text of an ask from the journal and the store. */
import { changedPaths } from "../../git/objects/tree.ts";
import type { AskCommand } from "../../kernel/command.ts";
import { askKind, planGateOf, questionsText } from "../../views/asks.ts";
import { baseText } from "../../log/base-ask.ts";
import { breakerBlock } from "../../views/gate/breaker-block.ts";
import { breakerFacts } from "../../views/gate/breaker-facts.ts";
import { codePresentation, planPresentation } from "../../views/gate/presentation.ts";
import { safeText } from "../../lib/safe-text.ts";
import { stateLineOf, type StateLineOptions } from "../../views/run/run-state-line.ts";
import { laterText } from "../../views/run/status.ts";
import { warningsOf } from "../../views/gate/warnings.ts";
import { blockOf, readRecord } from "../../run/blocks.ts";
import type { FamilyRun } from "../../family/family.ts";
import { documentPath } from "../../run/documents/documents.ts";
import { laterCommit } from "../../run/later-commit.ts";
import { latestReviews } from "../../run/latest-reviews.ts";
import { unreachableReviewer } from "./unreachable.ts";
import { plannedBy, requirementsTested } from "../documents/requirements.ts";

export async function presentAsk(context: FamilyRun, ask: AskCommand): Promise<string> {
  switch (askKind(ask)) {
    case "plan":
      return presentPlan(context);
    case "code":
      return presentCode(context);
    case "base":
      return withStateLine(context, baseText(context.session.view));
    case "questions":
      return withStateLine(context, questionsText(context.session.view));
    case "breaker":
      return presentBreaker(context, ask);
    case "plan_gate":
      return presentGate(context, ask);
    case "paused":
    case "question":
    case "failed":
      return presentPlain(context, ask);
  }
}

async function presentPlan(context: FamilyRun): Promise<string> {
  const { requirements, files, plannedTests } = await plannedBy(context);
  const text = planPresentation({
    task: context.started.task,
    requirements,
    files,
    plannedTests,
    documents: ["spec", "architecture"].map((name) => documentPath(context, name)),
    gate: latestReviews(context.session.view, 1),
    warnings: warningsOf(context.session.view),
  });
  return withStateLine(context, text);
}

async function presentCode(context: FamilyRun): Promise<string> {
  const { session, repository, started, run } = context;
  const { view } = session;
  const commit = view.head.green ?? "";
  const later = await laterCommit(repository, view);
  const event = view.records.findLast(({ purpose }) => purpose === "green");
  const record = event ? await readRecord(context, event.id) : null;
  const text = codePresentation({
    task: started.task,
    commit,
    branch: `mettle/${run}/work`,
    requirements: await requirementsTested(context),
    files: (await changedPaths(repository, { from: started.base, to: commit })).map(({ path }) => path),
    gate: latestReviews(view, 3),
    block:
      event && record
        ? {
            text: await blockOf(context, event.id),
            exit: String(event.exitCode ?? "none"),
            forCurrentTree: event.commit === commit && later === null,
          }
        : null,
    failing: event?.failing ?? [],
    warnings: [...warningsOf(view), ...laterText(view, later)],
  });
  return withStateLine(context, text, { later, ...(event ? { shown: event.id } : {}) });
}

async function presentBreaker(context: FamilyRun, ask: AskCommand): Promise<string> {
  const facts = breakerFacts(context.session.view, ask);
  if (facts === null) return ask.text;
  const details = await context.family.askContext(context, ask);
  return withStateLine(context, breakerBlock({ ...facts, details }));
}

/** Names the file that holds the questions and takes the answers. */
function presentGate({ session }: FamilyRun, ask: AskCommand): string {
  const open = planGateOf(session.view, ask);
  return open === null ? ask.text : `${open.gate} waits for you: fill in ${open.file}`;
}

/** The asking agent's message; for a dispute the messages of both sides (ORC-20). */
async function presentPlain(context: FamilyRun, ask: AskCommand): Promise<string> {
  const { view } = context.session;
  const shown = [...(await context.family.askContext(context, ask)), ...workShown(context, ask)];
  if (shown.length > 0) return withStateLine(context, [ask.text, ...shown].join("\n"));
  const messages = ask.causes.flatMap(({ key }) => {
    const entry = view.commands[key];
    const role = entry?.command.type === "dispatch" ? entry.command.role : (entry?.command.state ?? key);
    const who = view.reviews.findLast((review) => review.key === key)?.label ?? role;
    return entry?.result?.text ? [`  ${who}: ${entry.result.text}`] : [];
  });
  const claim = view.order
    .map((key) => view.commands[key])
    .findLast((entry) => entry?.result?.outcome === "TI");
  const dispute =
    ask.answers.includes("test-wrong") && claim?.result?.text ? [`  coder: ${claim.result.text}`] : [];
  const unread = await Promise.all(ask.causes.map(({ key }) => unreadableReview(context, key)));
  const unreachable = unreachableReviewer(view, ask);
  const error = unreachable === null ? [] : [unreachable.message];
  return withStateLine(
    context,
    [ask.text, ...error, ...new Set([...dispute, ...messages]), ...unread.flat()].join("\n"),
  );
}

/** The text of a review without a readable verdict, so that a person can judge it. */
async function unreadableReview({ session, payloads }: FamilyRun, key: string): Promise<readonly string[]> {
  const review = session.view.reviews.findLast((one) => one.key === key);
  const ref = session.view.outputs[key];
  if (review?.verdict !== "inconclusive" || ref === undefined) return [];
  const lines = safeText(await payloads.text(ref)).split("\n");
  const more = lines.length > maxUnreadLines ? [`    …; \`mettle show ${ref}\` prints all of it`] : [];
  return [
    `  ${review.label} wrote:`,
    ...lines.slice(0, maxUnreadLines).map((line) => `    ${line}`),
    ...more,
  ];
}

const maxUnreadLines = 30;

/** The commit that an approval would accept. */
function workShown({ session, run }: FamilyRun, { answers }: AskCommand): readonly string[] {
  const { branch } = session.view.head;
  return answers.includes("approve") && branch !== null
    ? [`  The work is commit ${branch} on mettle/${run}/work.`]
    : [];
}

function withStateLine({ session }: FamilyRun, text: string, options: StateLineOptions = {}): string {
  const line = stateLineOf(session.view, options);
  return line === null ? text : `${line}\n${text}`;
}
