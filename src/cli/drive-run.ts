/** Shared by the commands that let a run go on: claim it, drive it with live progress, and say where it stands. */
import type { RunView } from "../log/run-view.ts";
import type { AskCommand } from "../kernel/command.ts";
import type { By } from "../log/by.ts";
import { answerAsk } from "../engine/asks/answer.ts";
import { askKind, stopOf } from "../views/asks.ts";
import type { FamilyRun } from "../family/family.ts";
import { drive, type DriveEnd } from "../engine/drive.ts";
import { finishRun, prepareRun } from "../engine/lifecycle.ts";
import type { OpenHost } from "../run/host.ts";
import { openRun } from "../families/open-run.ts";
import type { Settlement } from "../run/settlement.ts";
import type { CliResult, Io, SaidError } from "./command.ts";
import { exitOfAsks, exitOfEnd } from "./exit.ts";
import { askAtTerminal } from "./ask-terminal.ts";
import { reporter } from "./reporter.ts";
import { runResult } from "./run-result.ts";

export interface Drive {
  readonly io: Io;
  readonly host: OpenHost;
  readonly run: string;
  /** Answers that are given without a person at hand: the demo's. */
  readonly standIn?: (context: FamilyRun, ask: AskCommand) => Promise<Settlement | null>;
  /** What to do to the claimed run before it is opened. */
  readonly before?: () => Promise<void>;
  /** What to do before driving: an answer of the command that was called. */
  readonly first?: (context: FamilyRun) => Promise<void>;
}

export async function driveRun({ io, host, run, standIn, before, first }: Drive): Promise<CliResult> {
  const claim = await host.journal.claim(run, host.me);
  const report = reporter(io);
  try {
    await before?.();
    const context = await openRun(host, { run, progress: report.progress });
    report.attach(context);
    await prepareRun(context);
    await first?.(context);
    const end = await drive(context, {
      signal: io.signal,
      answer: (ask) => answer({ io, context, ask, standIn }),
    });
    const told = await report.flush();
    await finishRun(context, end);
    const ended = await result(context, end);
    return told && ended.text !== "" ? { ...ended, text: `\n${ended.text}` } : ended;
  } finally {
    await report.flush();
    await claim.release();
  }
}

interface Asked {
  readonly io: Io;
  readonly context: FamilyRun;
  readonly ask: AskCommand;
  readonly standIn: Drive["standIn"];
}

async function answer({ io, context, ask, standIn }: Asked): Promise<Settlement | null> {
  const given = await standIn?.(context, ask);
  if (given) return given;
  const kind = askKind(ask);
  if ((kind === "plan" || kind === "code") && context.started.preapproved.includes(kind))
    return answerAsk(context, { ask, outcome: "approve", by: preapproved });
  return io.interactive ? askAtTerminal(context, ask, io.interrupt) : null;
}

const preapproved: By = { answeredBy: "preapproved", authenticated: true, who: "run --approve" };

async function result(context: FamilyRun, end: DriveEnd): Promise<CliResult> {
  const { view } = context.session;
  const error = end.type === "waiting" ? stopError(view, end.asks) : null;
  return {
    exit: exitOf(view, end),
    ...(await runResult(context, end)),
    ...(error && { error }),
  };
}

/** The environment stopped the run: said on stderr like every error, beside where the run stands. */
function stopError(view: RunView, asks: readonly AskCommand[]): SaidError | null {
  const stop = asks.map((ask) => stopOf(view, ask)).findLast((found) => found !== null);
  return stop?.stopped ? { code: stop.code, message: stop.stopped.message, hint: stop.stopped.hint } : null;
}

function exitOf(view: RunView, end: DriveEnd): number {
  switch (end.type) {
    case "ended":
      return exitOfEnd(view.ended?.outcome ?? end.outcome);
    case "waiting":
      return exitOfAsks(end.asks);
    case "interrupted":
      return 130;
  }
}
