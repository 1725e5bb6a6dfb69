/**
 * The main loop: takes the kernel's open commands, executes each once and journals the result, until the run ends or waits.
 * All decisions are the kernel's.
 */
import type { AskCommand, Command } from "../kernel/command.ts";
import { openCommands } from "../kernel/inspect.ts";
import { proveMissingBase } from "./start/base-first.ts";
import { failureSettlement } from "./failed-command.ts";
import type { FamilyRun } from "../family/family.ts";
import type { Settlement } from "../run/settlement.ts";
import { editedPlan } from "./asks/answer.ts";
import type { Pause } from "../dispatch/limits/pause-until.ts";
import { waitingForLimits } from "../dispatch/limits/waiting.ts";
import { nextResult, type ActiveCommand, type CommandResult } from "./active-commands.ts";
import { openNotices, type Notices } from "./notices.ts";
import { baseAsk } from "../log/base-ask.ts";
import { openAsksOf, settleAsk } from "./asks/open.ts";
import { showAsk } from "./asks/show.ts";
import { perform, settle, type Performer } from "./perform.ts";
import { watchCheckout } from "./watch-checkout.ts";

export type DriveEnd =
  | { readonly type: "ended"; readonly outcome: string }
  | { readonly type: "waiting"; readonly asks: readonly AskCommand[] }
  /** Without `waits`: agents that could start have reached a usage limit, the first to end first. */
  | { readonly type: "limited"; readonly pauses: readonly Pause[] }
  | { readonly type: "interrupted" };

export interface DriveOptions {
  readonly signal: AbortSignal;
  /** Waits for the end of usage limits; default: true (SEE-11). */
  readonly waits?: boolean;
  /** Does the commands; default: this process. */
  readonly performer?: Performer;
  /** Answers an ask immediately (a person at the terminal, the demo, a pre-approval); null leaves it open. */
  readonly answer: (ask: AskCommand) => Promise<Settlement | null>;
}

export async function drive(
  context: FamilyRun,
  { signal, waits = true, performer = perform, answer }: DriveOptions,
): Promise<DriveEnd> {
  const active = new Map<string, ActiveCommand>();
  const shownKeys = new Set<string>();
  const { family } = context;
  const { pausedAt } = context.session.view;
  const rounds = family.rounds(context);
  await family.writeDocuments(context);
  const checkout = await watchCheckout(context);
  const notices = openNotices(context, signal);
  const news = context.news();
  const wasEnded = context.session.view.ended !== null;
  try {
    for (;;) {
      await context.session.refresh();
      const { ended, pausedAt: newestPause } = context.session.view;
      if (ended) {
        if (!wasEnded) notices.ended();
        return { type: "ended", outcome: ended.outcome };
      }
      if (signal.aborted || newestPause > pausedAt) return { type: "interrupted" };
      const open = openCommands(context.session.state);
      stopCancelled(active, open);
      if (await rounds.before(new Set([...active.values()].map(({ command }) => command.frame)))) continue;
      const asks = openAsksOf(context);
      const settledAsk = await answerFirst({ context, asks, shownKeys, notices, answer });
      if (settledAsk || signal.aborted) continue;
      if (await proveMissingBase(context, open, signal)) continue;
      const ours = oursOf(context, open);
      const limits = await waitingForLimits(context, {
        ready: ours.filter(({ key }) => !active.has(key)),
        active: [...active.values()].map(({ command }) => command),
      });
      const free = ours.filter(({ key }) => !limits.keys.has(key));
      for (const command of family.schedule(context, free, new Set(active.keys())))
        launch({ context, command, active }, (stop) =>
          performer(context, command, AbortSignal.any([stop, signal])),
        );
      const [limit] = limits.pauses;
      if (active.size === 0 && limit === undefined) return { type: "waiting", asks };
      if (active.size === 0 && !waits) return { type: "limited", pauses: limits.pauses };
      const first = await nextResult(context, { active, signal, news, until: limit?.until ?? null });
      if (!first) continue;
      const finished = active.get(first.key);
      active.delete(first.key);
      if (first.failure) throw first.failure;
      await checkout.note(first.key);
      if (first.settlement === "journaled") continue;
      if (!first.settlement) {
        if (finished) await saveStopped(context, finished.command, active);
        continue;
      }
      await rounds.beforeResult();
      await settle(context, first.key, first.settlement);
    }
  } finally {
    for (const entry of active.values()) entry.stop.abort();
    await Promise.all([...active.values()].map((entry) => entry.result));
    await Promise.all([notices.sent(), news.end()]);
  }
}

/** Open commands of this process; none while a person must accept the base. */
function oursOf(context: FamilyRun, open: readonly Command[]): readonly Command[] {
  if (baseAsk(context.session.view) !== null) return [];
  return open.filter((command) => !isRunByUserSession(context, command));
}

/** In referee mode the user's session starts and reports each dispatch. */
function isRunByUserSession({ started }: FamilyRun, command: Command): boolean {
  return started.front === "referee" && command.type === "dispatch";
}

interface Launch {
  readonly context: FamilyRun;
  readonly command: Command;
  readonly active: Map<string, ActiveCommand>;
}

/** @param work does the command, until it is stopped */
function launch(
  { context, command, active }: Launch,
  work: (stop: AbortSignal) => ReturnType<Performer>,
): void {
  if (command.type === "ask" || active.has(command.key)) return;
  const stop = new AbortController();
  const result = work(stop.signal).then(
    (settlement) => ({ key: command.key, settlement, failure: null }),
    (failure: unknown) => failedResult(context, command.key, failure),
  );
  active.set(command.key, { command, stop, result });
}

function failedResult(context: FamilyRun, key: string, error: unknown): CommandResult {
  const settlement = failureSettlement(context, key, error);
  if (settlement !== null) return { key, settlement, failure: null };
  return { key, settlement, failure: error instanceof Error ? error : new Error(String(error)) };
}

/** Stops the agents of commands that the kernel cancelled. */
function stopCancelled(active: ReadonlyMap<string, ActiveCommand>, open: readonly Command[]): void {
  const wanted = new Set(open.map((command) => command.key));
  for (const [key, entry] of active) if (!wanted.has(key)) entry.stop.abort();
}

async function saveStopped(
  context: FamilyRun,
  command: Command,
  active: ReadonlyMap<string, ActiveCommand>,
): Promise<void> {
  if (command.type !== "dispatch") return;
  if (openCommands(context.session.state).some(({ key }) => key === command.key)) return;
  const others = [...active.values()].map((entry) => entry.command);
  await context.family.stopped(
    context,
    command,
    others.filter((other) => other.type === "dispatch"),
  );
}

interface AskRequest {
  readonly context: FamilyRun;
  readonly asks: readonly AskCommand[];
  readonly shownKeys: Set<string>;
  readonly notices: Notices;
  readonly answer: DriveOptions["answer"];
}

/** @returns whether the loop must look again at what is open */
async function answerFirst({ context, asks, shownKeys, notices, answer }: AskRequest): Promise<boolean> {
  for (const ask of asks) {
    if (shownKeys.has(ask.key)) continue;
    shownKeys.add(ask.key);
    const edited = await editedPlan(context, ask);
    if (edited === null) await showAndTell(context, ask, notices);
    const { seq } = context.session.view;
    const settlement = edited ?? (await answer(ask));
    if (!settlement) {
      // While a person thought, others may have answered, paused or ended the run.
      await context.session.refresh();
      if (context.session.view.seq > seq) return true;
      continue;
    }
    await settleAsk(context, ask, settlement);
    await context.family.writeDocuments(context);
    return true;
  }
  return false;
}

async function showAndTell(context: FamilyRun, ask: AskCommand, notices: Notices): Promise<void> {
  await showAsk(context, ask);
  notices.waits(ask);
}
