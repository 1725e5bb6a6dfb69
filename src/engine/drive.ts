/**
 * The main loop: takes the kernel's open commands, executes each once and journals the result, until the run ends or waits.
 * All decisions are the kernel's.
 */
import { assertNever } from "../lib/assert-never.ts";
import type { AskCommand, Command } from "../kernel/command.ts";
import { openCommands } from "../kernel/inspect.ts";
import { runCheck } from "./checks/run-check.ts";
import { baseBefore } from "./start/base-first.ts";
import { runDispatch } from "../dispatch/dispatch.ts";
import { settledFailure } from "./failed-command.ts";
import type { FamilyRun } from "../family/family.ts";
import type { Settlement } from "../run/settlement.ts";
import { editedPlan } from "./asks/answer.ts";
import { baseAsk } from "../log/base-ask.ts";
import { openAsksOf, settleAsk } from "./asks/open.ts";
import { showAsk } from "./asks/show.ts";
import { watchCheckout } from "./watch-checkout.ts";

export type DriveEnd =
  | { readonly type: "ended"; readonly outcome: string }
  | { readonly type: "waiting"; readonly asks: readonly AskCommand[] }
  | { readonly type: "interrupted" };

export interface DriveOptions {
  readonly signal: AbortSignal;
  /** Answers an ask immediately (a person at the terminal, the demo, a pre-approval); null leaves it open. */
  readonly answer: (ask: AskCommand) => Promise<Settlement | null>;
}

export async function drive(context: FamilyRun, { signal, answer }: DriveOptions): Promise<DriveEnd> {
  const flights = new Map<string, Flight>();
  const asked = new Set<string>();
  const { family } = context;
  const rounds = family.rounds(context);
  await family.project(context);
  const checkout = await watchCheckout(context);
  try {
    for (;;) {
      await context.session.refresh();
      const { ended } = context.session.view;
      if (ended) return { type: "ended", outcome: ended.outcome };
      if (signal.aborted) return { type: "interrupted" };
      const open = openCommands(context.session.state);
      stopCancelled(flights, open);
      if (await rounds.before(new Set([...flights.values()].map(({ command }) => command.frame)))) continue;
      const asks = openAsksOf(context);
      const settledAsk = await answerFirst({ context, asks, asked, answer });
      if (settledAsk || signal.aborted) continue;
      if (await baseBefore(context, open, signal)) continue;
      for (const command of startNow(context, open, flights)) launch({ context, command, flights, signal });
      if (flights.size === 0) return { type: "waiting", asks };
      const first = await nextLanding(flights, signal);
      if (!first) continue;
      const landed = flights.get(first.key);
      flights.delete(first.key);
      if (first.failure) throw first.failure;
      await checkout.note(first.key);
      if (!first.settlement) {
        if (landed) await keepStopped(context, landed.command, flights);
        continue;
      }
      await rounds.beforeResult();
      await settle(context, first.key, first.settlement);
    }
  } finally {
    for (const flight of flights.values()) flight.stop.abort();
    await Promise.all([...flights.values()].map((flight) => flight.landing));
  }
}

function startNow(
  context: FamilyRun,
  open: readonly Command[],
  flights: ReadonlyMap<string, Flight>,
): readonly Command[] {
  if (baseAsk(context.session.view) !== null) return [];
  const ours = open.filter((command) => !isTheirs(context, command));
  return context.family.schedule(context, ours, new Set(flights.keys()));
}

/** In referee mode the user's session starts and reports each dispatch (design 1). */
function isTheirs({ started }: FamilyRun, command: Command): boolean {
  return started.front === "referee" && command.type === "dispatch";
}

/** Journals a result, then updates the documents in the main checkout. */
async function settle(context: FamilyRun, key: string, settlement: Settlement): Promise<void> {
  await context.session.settle(key, settlement).catch((error: unknown) => {
    const failed = settledFailure(context, key, error);
    if (failed === null) throw error;
    return context.session.settle(key, failed);
  });
  await context.family.project(context);
}

interface Landing {
  readonly key: string;
  readonly settlement: Settlement | null;
  readonly failure: Error | null;
}

interface Flight {
  readonly command: Command;
  readonly stop: AbortController;
  readonly landing: Promise<Landing>;
}

interface Launch {
  readonly context: FamilyRun;
  readonly command: Command;
  readonly flights: Map<string, Flight>;
  readonly signal: AbortSignal;
}

function launch({ context, command, flights, signal }: Launch): void {
  if (command.type === "ask" || flights.has(command.key)) return;
  const stop = new AbortController();
  const combined = AbortSignal.any([stop.signal, signal]);
  const landing = perform(context, command, combined).then(
    (settlement) => ({ key: command.key, settlement, failure: null }),
    (failure: unknown) => toLanding(context, command.key, failure),
  );
  flights.set(command.key, { command, stop, landing });
}

function toLanding(context: FamilyRun, key: string, error: unknown): Landing {
  const settlement = settledFailure(context, key, error);
  if (settlement !== null) return { key, settlement, failure: null };
  return { key, settlement, failure: error instanceof Error ? error : new Error(String(error)) };
}

async function perform(
  context: FamilyRun,
  command: Command,
  signal: AbortSignal,
): Promise<Settlement | null> {
  switch (command.type) {
    case "dispatch":
      return runDispatch(context, command, signal);
    case "check":
    case "merge":
    case "rebase":
      return runCheck(context, command, signal);
    case "timer":
      await context.clock.sleep(command.ms, signal);
      return signal.aborted ? null : { outcome: "fired" };
    case "ask":
    case "spawn":
    case "cancel":
    case "finish":
      return null;
    default:
      return assertNever(command);
  }
}

/** Stops the agents of commands that the kernel cancelled. */
function stopCancelled(flights: ReadonlyMap<string, Flight>, open: readonly Command[]): void {
  const wanted = new Set(open.map((command) => command.key));
  for (const [key, flight] of flights) if (!wanted.has(key)) flight.stop.abort();
}

async function keepStopped(
  context: FamilyRun,
  command: Command,
  flights: ReadonlyMap<string, Flight>,
): Promise<void> {
  if (command.type !== "dispatch") return;
  if (openCommands(context.session.state).some(({ key }) => key === command.key)) return;
  const others = [...flights.values()].map((flight) => flight.command);
  await context.family.stopped(
    context,
    command,
    others.filter((other) => other.type === "dispatch"),
  );
}

interface Asking {
  readonly context: FamilyRun;
  readonly asks: readonly AskCommand[];
  readonly asked: Set<string>;
  readonly answer: DriveOptions["answer"];
}

async function answerFirst({ context, asks, asked, answer }: Asking): Promise<boolean> {
  for (const ask of asks) {
    if (asked.has(ask.key)) continue;
    asked.add(ask.key);
    const settlement = (await editedPlan(context, ask)) ?? (await showAndAsk({ context, ask, answer }));
    if (!settlement) continue;
    await settleAsk(context, ask, settlement);
    await context.family.project(context);
    return true;
  }
  return false;
}

async function showAndAsk({
  context,
  ask,
  answer,
}: Pick<Asking, "context" | "answer"> & { readonly ask: AskCommand }): Promise<Settlement | null> {
  await showAsk(context, ask);
  return answer(ask);
}

/** The next result, or null on abort or after one second (then the journal is read again). */
async function nextLanding(
  flights: ReadonlyMap<string, Flight>,
  signal: AbortSignal,
): Promise<Landing | null> {
  const landings = [...flights.values()].map((flight) => flight.landing);
  let wake: () => void = () => undefined;
  const woken = new Promise<null>((resolve) => {
    wake = () => resolve(null);
  });
  const timer = setTimeout(wake, 1000);
  signal.addEventListener("abort", wake, { once: true });
  try {
    return await Promise.race([...landings, woken]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", wake);
  }
}
