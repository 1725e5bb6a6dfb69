/** Shared by approve, reject and answer: journals the person's answer; then the run goes on, here or in the process that drives it. */
import { AppError } from "../lib/errors.ts";
import type { AskCommand } from "../kernel/command.ts";
import type { RunEvent } from "../log/run-event.ts";
import type { By } from "../log/by.ts";
import { answerAsk, findAsk } from "../engine/asks/answer.ts";
import { answeredFirst, settleAsk } from "../engine/asks/open.ts";
import { approvalLine } from "../views/bound.ts";
import type { RunContext } from "../run/context.ts";
import { withHost } from "../run/host.ts";
import { foldRun } from "../run/list-runs.ts";
import { otherHostOf } from "../run/run-host.ts";
import { openRun } from "../families/open-run.ts";
import { waitingRun } from "../engine/waiting-run.ts";
import type { CliResult, Io } from "./command.ts";
import { asksToAnswer } from "./asks-for-node.ts";
import { isDetached } from "./background/go-on.ts";
import { driveRun } from "./drive-run.ts";
import { requirePerson } from "../channel/person.ts";

export interface PersonAnswer {
  readonly outcome: string;
  readonly text?: string;
  readonly facts?: readonly RunEvent[];
  /** A rejection, too, counts only for what was shown. */
  readonly bound?: true;
}

/** What a person decides about one ask of a run. */
export interface AskDecision {
  /** Of a graph: the node whose question is answered. */
  readonly node?: string | undefined;
  /** Whether this kind of answer fits the ask. */
  readonly matches: (ask: AskCommand) => boolean;
  /** The answer to the ask; null if it is already journaled and the ask stays open. */
  readonly decide: (context: RunContext, ask: AskCommand, by: By) => Promise<PersonAnswer | null>;
}

export interface AnswerOptions extends AskDecision {
  readonly io: Io;
  readonly given: string | null;
}

export async function answerRun({ io, given, ...decision }: AnswerOptions): Promise<CliResult> {
  const by = requirePerson();
  return withHost(io.cwd, async (host) => {
    const run = await waitingRun(host, given, decision.matches);
    const apply = (context: RunContext) => applyDecision(context, decision, by);
    const began = await host.journal.head(run);
    let late: AppError | null = null;
    const beforeDrive = async (context: RunContext): Promise<void> => {
      try {
        await apply(context);
      } catch (error) {
        // The person who was first relies on this process to drive the run, since it has claimed it.
        const isLate = context.session.view.answers.some(({ seq }) => seq > began);
        if (!isLate || !isAnsweredFirst(error)) throw error;
        io.warn(`note: ${error.message}`);
        late = error;
      }
    };
    const { started } = await foldRun(host.journal, run);
    const isLeft = started !== null && isDetached(started);
    if (isLeft || (await host.journal.owner(run)) === null)
      try {
        const driven = await driveRun({ io, host, run, beforeDrive });
        return late === null ? driven : lateResult(driven, late);
      } catch (error) {
        // Somebody else answered in the same moment and drives the run now, or it goes on where it began.
        if (!isRunBusy(error) && !isElsewhere(error)) throw error;
      }
    const context = await openRun(host, { run });
    const approval = await apply(context);
    const owner = (await host.journal.owner(run))?.pid ?? null;
    const answered = ["answered", ...nextStep(run, owner, otherHostOf(context))].join("; ");
    const text = approval === null ? answered : `${approval}\n${answered}`;
    return { exit: 0, json: { run, answered: true, owner }, text };
  });
}

function nextStep(run: string, owner: number | null, host: string | null): readonly string[] {
  if (owner !== null) return [`process ${owner} ${host === null ? "" : `on ${host} `}continues run ${run}`];
  return host === null ? [] : [`\`mettle resume ${run}\` on ${host} continues it`];
}

function lateResult(result: CliResult, { code, message, hint, exitCode }: AppError): CliResult {
  return { ...result, exit: exitCode, error: { code, message, hint } };
}

/** Another answer came between the look at the ask and this one. */
export function isAnsweredFirst(error: unknown): error is AppError {
  return error instanceof AppError && error.code === "nothing_waiting";
}

function isElsewhere(error: unknown): boolean {
  return error instanceof AppError && error.code === "run_elsewhere";
}

export function isRunBusy(error: unknown): boolean {
  return error instanceof AppError && error.code === "run_busy";
}

/** @returns what an approval was bound to; null for another answer @throws nothing_waiting if another answer came first */
export async function applyDecision(
  context: RunContext,
  { node, matches, decide }: AskDecision,
  by: By,
): Promise<string | null> {
  const ask = findAsk(context, asksToAnswer(context, node, matches), matches);
  const answer = await decide(context, ask, by);
  if (!answer) return null;
  const { outcome, text, facts, bound } = answer;
  const settlement = await answerAsk(context, {
    ask,
    outcome,
    by,
    ...(text === undefined ? {} : { text }),
    ...(bound === undefined ? {} : { bound }),
  });
  const { ignored } = await settleAsk(context, ask, {
    ...settlement,
    facts: [...(facts ?? []), ...(settlement.facts ?? [])],
  });
  if (ignored !== null) throw answeredFirst(context, ask);
  return approvalLine(outcome, context.session.view.asks[ask.key]?.shown);
}
