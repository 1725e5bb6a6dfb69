/** The final output of a command that drove a run: the summary, or the open asks and how to answer them. */
import { changedPaths } from "../git/objects/tree.ts";
import type { AskCommand } from "../kernel/command.ts";
import { presentAsk } from "../engine/asks/present.ts";
import { askCommands, askKind, environmentErrorOf } from "../views/asks.ts";
import { spentText } from "../views/run/spent-text.ts";
import type { LaterCommit } from "../views/gate/claims.ts";
import { laterText, runStatus } from "../views/run/status.ts";
import { summary, type GateUse, type SummaryFacts } from "../views/run/summary.ts";
import { resultOf, type RunView } from "../log/run-view.ts";
import { stepsSummary } from "../views/run/steps-summary.ts";
import { countsAt, stateLineOf } from "../views/run/run-state-line.ts";
import { isVerdict } from "../views/run/state-line.ts";
import { gateMarks } from "../views/gate/review-text.ts";
import { loopReviews } from "../views/run/loop-reviews.ts";
import { warningsOf } from "../views/gate/warnings.ts";
import { blockOf } from "../run/blocks.ts";
import type { FamilyRun } from "../family/family.ts";
import { latestReviews } from "../run/latest-reviews.ts";
import { laterCommit } from "../run/later-commit.ts";
import { requirementsTested } from "../engine/documents/requirements.ts";
import { outcomeOf, type RunEnd } from "./outcome.ts";
import { resultRecord, treeFacts, treeJson } from "./tree-result.ts";

export interface RunAnswer {
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** @param presented keys of the asks whose text this terminal shows already */
export async function runResult(
  context: FamilyRun,
  end: RunEnd,
  presented: ReadonlySet<string> = new Set(),
): Promise<RunAnswer> {
  const later = await laterCommit(context.repository, context.session.view);
  if (end.type !== "ended")
    return { json: await runJson(context, end, later), text: await unfinishedText(context, end, presented) };
  const text = await summaryText(context, later);
  const ended = { summary: text, state_line: lastStateLine(context, later) };
  return { json: { ...(await runJson(context, end, later)), ...ended }, text };
}

async function runJson(
  context: FamilyRun,
  end: RunEnd,
  later: LaterCommit | null,
): Promise<Readonly<Record<string, unknown>>> {
  const { view } = context.session;
  const { waiting, ...status } = runStatus(view, { owner: null, later });
  const [first] = waiting;
  return {
    ...status,
    ...(await treeJson(context)),
    ...(await outcomeOf(context, end)),
    interrupted: end.type === "interrupted",
    waiting: first ?? null,
    waiting_all: waiting,
  };
}

async function unfinishedText(
  context: FamilyRun,
  end: Exclude<RunEnd, { readonly type: "ended" }>,
  presented: ReadonlySet<string>,
): Promise<string> {
  switch (end.type) {
    case "detached":
      return `run ${context.run} goes on without this command; \`mettle watch ${context.run}\` follows it, \`mettle status\` says when it waits for you`;
    case "interrupted":
      return `interrupted; \`mettle resume ${context.run}\` continues run ${context.run}`;
    case "waiting":
      return waitingTexts(context, end.asks, presented);
    case "limited":
      return `stopped at a usage limit; \`mettle resume ${context.run}\` continues run ${context.run}`;
  }
}

/** The last line of a run at a breaker says that it is not done (ORC-54). */
async function waitingTexts(
  context: FamilyRun,
  asks: readonly AskCommand[],
  presented: ReadonlySet<string>,
): Promise<string> {
  const texts = await Promise.all(asks.map((ask) => waitingText(context, ask, presented.has(ask.key))));
  const stopped = asks.find((ask) => ["breaker", "failed"].includes(askKind(ask)));
  return [...texts, ...(stopped ? [`✗ NOT DONE: ${stopped.text}`] : [])].join("\n\n");
}

async function waitingText(context: FamilyRun, ask: AskCommand, isPresented: boolean): Promise<string> {
  const { view } = context.session;
  // Since it was shown, questions may have been answered and the code may have changed.
  const isOld =
    askKind(ask) === "questions" ||
    (askKind(ask) === "code" && (await laterCommit(context.repository, view)) !== null);
  const shown = isOld ? null : view.asks[ask.key]?.text;
  const text =
    isPresented && !isOld
      ? null
      : withoutHint(shown ?? (await presentAsk(context, ask)), environmentErrorOf(view, ask));
  const before = text === null ? [] : [text, ""];
  // The block of a breaker contains its commands.
  if (askKind(ask) === "breaker")
    return [...before, `run ${context.run} waits for you; \`mettle abort ${context.run}\` ends it`].join(
      "\n",
    );
  const commands = askCommands(view, ask).map((command) => `  ${command}`);
  return [...before, `run ${context.run} waits for you:`, ...commands].join("\n");
}

/** The hint is printed with the error on stderr. */
function withoutHint(text: string, stop: ReturnType<typeof environmentErrorOf>): string {
  return stop?.stopped ? text.replaceAll(stop.message, `error[${stop.code}]: ${stop.stopped.message}`) : text;
}

/** The record that the summary shows as proof. */
function recordShown(view: RunView): RunView["records"][number] | undefined {
  const newest = (wanted: string) => view.records.findLast(({ purpose }) => purpose === wanted);
  return resultRecord(view) ?? newest("final") ?? newest("green");
}

/** A run that ended without proof has no state line. */
function lastStateLine({ session: { view } }: FamilyRun, later: LaterCommit | null): string | null {
  if (!view.ended) return stateLineOf(view, { later });
  const shown = recordShown(view)?.id;
  if (view.ended.outcome !== "complete" || shown === undefined) return null;
  return stateLineOf(view, { later, shown });
}

/** The first line is the state line, the last one says whether the run is done. */
async function summaryText(context: FamilyRun, later: LaterCommit | null): Promise<string> {
  const { session, run, started, repository } = context;
  const { view } = session;
  if (started.steps !== undefined) return stepsSummary(view);
  const tree = await treeFacts(context);
  const squash = resultRecord(view);
  const record = recordShown(view);
  const line = lastStateLine(context, later);
  const head = resultOf(view) ?? view.head.branch;
  const facts: SummaryFacts = {
    run,
    task: started.task,
    protocol: started.protocol,
    outcome: view.ended?.outcome ?? "stopped",
    reason: view.ended?.reason ?? "the run has not ended",
    requirements: await requirementsTested(context),
    files:
      head === null
        ? []
        : (await changedPaths(repository, { from: started.base, to: head })).map(({ path }) => path),
    gates: [1, 2, 3].flatMap((gate) => gateUse(context, gate)),
    loopReviews: loopReviews(view),
    warnings: [...warningsOf(view), ...laterText(view, later)],
    trips: view.breakers.map(({ trigger, attempts, max }) => ({ trigger, attempts, max })),
    cost: spentText(view),
    branch: view.ended?.outcome === "complete" ? `mettle/${run}/result` : `mettle/${run}/work`,
    block: record ? { text: await blockOf(context, record.id, 20), exitCode: record.exitCode } : null,
    // A squash that passed may include tests that failed before.
    failing: squash === undefined ? (record?.failing ?? []) : [],
    ...tree,
  };
  return [...(line === null ? [] : [line]), summary(facts)].join("\n");
}

const gateNames = ["plan", "tests", "code"] as const;

function gateUse({ session }: FamilyRun, gate: number): readonly GateUse[] {
  const { view } = session;
  const all = view.reviews.filter((review) => review.gate === gate && isVerdict(review.verdict));
  if (!view.reviews.some((review) => review.gate === gate)) return [];
  return [
    {
      name: `gate ${gate} (${gateNames[gate - 1] ?? ""})`,
      reviews: countsAt(view, gate).map((count) => ({
        ...count,
        all: all.filter(({ label }) => label === count.label).length,
      })),
      marks: gateMarks(latestReviews(view, gate)),
    },
  ];
}
