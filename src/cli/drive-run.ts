/** Shared by the commands that continue a run: claims it, drives it with live progress, and prints its state. */
import type { PrintedError } from "../lib/answer.ts";
import type { RunView } from "../log/run-view.ts";
import type { AskCommand } from "../kernel/command.ts";
import { preapproval } from "../engine/asks/preapproval.ts";
import { environmentErrorOf } from "../views/asks.ts";
import type { FamilyRun } from "../family/family.ts";
import { drive, type DriveEnd } from "../engine/drive.ts";
import { finishRun, prepareRun } from "../engine/lifecycle.ts";
import type { Progress } from "../run/context.ts";
import type { OpenHost } from "../run/host.ts";
import { recorded } from "../run/list-runs.ts";
import { assertRunsHere } from "../run/run-host.ts";
import { openRun } from "../families/open-run.ts";
import type { Pause } from "../dispatch/limits/pause-until.ts";
import { AppError } from "../lib/errors.ts";
import { limitsOf, limitText, timeText } from "../views/run/limit-text.ts";
import type { Settlement } from "../run/settlement.ts";
import type { CliResult, Io } from "./command.ts";
import { goOnDetached, isDetached } from "./background/go-on.ts";
import { handOver } from "./background/hand-over.ts";
import { exitOfEnd, exitOfEnvironment, exitOfWaiting } from "./exit.ts";
import { askAtTerminal } from "./prompt/ask-terminal.ts";
import { reporter } from "./reporter.ts";
import type { Reporter } from "./screen/reporter.ts";
import { runResult } from "./run-result.ts";

export interface DriveRunOptions {
  readonly io: Io;
  readonly host: OpenHost;
  readonly run: string;
  /** Waits for the end of usage limits; default: true. */
  readonly waits?: boolean;
  /** Answers in place of a person: the demo's. */
  readonly standIn?: (context: FamilyRun, ask: AskCommand) => Promise<Settlement | null>;
  /** Runs after the claim, before the run is opened. */
  readonly beforeOpen?: () => Promise<void>;
  /** This process is the one to which commands leave the run. */
  readonly isOwn?: true;
  /** Runs before driving, for example the answer of the command. */
  readonly beforeDrive?: (context: FamilyRun) => Promise<void>;
  /** Runs after driving, while the run is still claimed. */
  readonly afterDrive?: (context: FamilyRun) => void;
}

export async function driveRun(options: DriveRunOptions): Promise<CliResult> {
  const { io, host, run, standIn } = options;
  const events = (await host.journal.read(run)).map(recorded);
  const started = events.find((event) => event.type === "run.started");
  if (started !== undefined && options.isOwn !== true && isDetached(started)) return leaveDetached(options);
  // Before the claim: it could be taken from a host that was only cut off.
  if (started !== undefined) assertRunsHere({ run, started, home: host.home });
  const claim = await host.journal.claim(run, host.me);
  const report = reporter(io);
  const presented = new Set<string>();
  try {
    await options.beforeOpen?.();
    const sayLimit = limitSayer(options);
    const progress = (event: Progress) => {
      report.progress(event);
      if (event.type === "event" && event.event.type === "account.paused") sayLimit(event.event);
    };
    const context = await openRun(host, { run, events, progress });
    const opened = context.clock.now();
    limitsOf(context.session.view)
      .filter(({ until }) => Date.parse(until) > opened)
      .forEach(sayLimit);
    report.attach(context);
    await prepareRun(context);
    await options.beforeDrive?.(context);
    const end = await drive(context, {
      signal: AbortSignal.any([io.signal, claim.lost]),
      waits: options.waits ?? true,
      answer: (ask) => answer({ io, context, ask, standIn, presented, report }),
    });
    claim.lost.throwIfAborted(); // it stopped for that, and the run is another's
    const hasPrinted = await report.flush();
    await finishRun(context, end);
    options.afterDrive?.(context);
    const ended = await result(context, end, presented);
    return hasPrinted && ended.text !== "" ? { ...ended, text: `\n${ended.text}` } : ended;
  } finally {
    await report.flush();
    await claim.release();
  }
}

/** After what this command decides, the run goes on without it: with workers, or in a process of its own (SCL-09). */
async function leaveDetached({ host, run, beforeOpen, beforeDrive }: DriveRunOptions): Promise<CliResult> {
  await beforeOpen?.();
  const context = await openRun(host, { run });
  await handOver(host, context);
  await beforeDrive?.(context);
  const { view } = context.session;
  if (view.ended) return result(context, { type: "ended", outcome: view.ended.outcome }, new Set());
  await goOnDetached(host, context);
  return { exit: 0, ...(await runResult(context, { type: "detached" })) };
}

/** A terminal shows the countdown of a limit; every other output says at once that the run waits. */
function limitSayer({ io, waits = true }: DriveRunOptions): (limit: WaitedLimit) => void {
  return (limit) => {
    if (waits && !io.live) io.warn(`note: ${limitText(limit)}`);
  };
}

type WaitedLimit = Parameters<typeof limitText>[0];

interface AskContext {
  readonly io: Io;
  readonly context: FamilyRun;
  readonly ask: AskCommand;
  readonly standIn: DriveRunOptions["standIn"];
  readonly report: Reporter;
  /** Gets the keys of the asks whose text the terminal shows. */
  readonly presented: Set<string>;
}

async function answer({
  io,
  context,
  ask,
  standIn,
  presented,
  report,
}: AskContext): Promise<Settlement | null> {
  const given = await standIn?.(context, ask);
  if (given) return given;
  const approved = await preapproval(context, ask);
  if (approved !== null) return approved;
  // Somebody else answers for the person.
  if (!io.interactive || standIn !== undefined) return null;
  presented.add(ask.key);
  await report.pause();
  return askAtTerminal(context, ask, io.interrupt);
}

async function result(context: FamilyRun, end: DriveEnd, presented: ReadonlySet<string>): Promise<CliResult> {
  const { view } = context.session;
  const error =
    end.type === "waiting"
      ? stopError(view, end.asks)
      : end.type === "limited"
        ? limitError(context.run, end)
        : null;
  return {
    exit: exitOf(view, end),
    ...(await runResult(context, end, presented)),
    ...(error && { error }),
  };
}

/** The error of the environment that stopped the run; printed on stderr beside the state of the run. */
function stopError(view: RunView, asks: readonly AskCommand[]): PrintedError | null {
  const stop = asks.map((ask) => environmentErrorOf(view, ask)).findLast((found) => found !== null);
  return stop?.stopped ? { code: stop.code, message: stop.stopped.message, hint: stop.stopped.hint } : null;
}

function limitError(run: string, { pauses }: Extract<DriveEnd, { readonly type: "limited" }>): PrintedError {
  const { code, message, hint } = new AppError("usage_limit", pauses.map(pauseText).join("; "), {
    hint: `\`mettle resume ${run}\` waits until then and goes on; nothing was charged`,
  });
  return { code, message, hint };
}

function pauseText({ account, until, why }: Pause): string {
  return `the usage limit of ${account} is reached until ${timeText(new Date(until).toISOString())}: ${why}`;
}

function exitOf(view: RunView, end: DriveEnd): number {
  switch (end.type) {
    case "ended":
      return exitOfEnd(view.ended?.outcome ?? end.outcome);
    case "waiting":
      return exitOfWaiting(view, end.asks);
    case "limited":
      return exitOfEnvironment;
    case "interrupted":
      return 130;
  }
}
