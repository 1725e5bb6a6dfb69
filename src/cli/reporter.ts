/**
 * What a person sees while a run goes on: each message begins with the state line; a completed phase shows its
 * EXECUTION_BLOCK. On a terminal one live line says what happens now; elsewhere plain lines, no escape codes.
 */
import type { Recorded } from "../log/run-event.ts";
import type { Progress, RunContext } from "../run/context.ts";
import { mainThread } from "../run/dialogues.ts";
import { blockOf, outerBlockOf } from "../run/blocks.ts";
import { approvalLine } from "../views/bound.ts";
import { reasonLines } from "../views/gate/reason-lines.ts";
import { currentPhase, stateLineOf } from "../views/run/run-state-line.ts";
import type { RunView } from "../log/run-view.ts";
import { graphTeller } from "../views/tree/graph-teller.ts";
import { loopLine, modeOfRun } from "../views/run/loop-line.ts";
import { describe } from "../views/run/timeline.ts";
import type { Io } from "./command.ts";
import { liveLine } from "./live-line.ts";

export interface Reporter {
  readonly progress: (event: Progress) => void;
  attach(context: RunContext): void;
  /** Resolves when everything that was told is printed: whether that was anything. */
  flush(): Promise<boolean>;
}

export function reporter(io: Io): Reporter {
  const live = liveLine(io);
  let context: RunContext | null = null;
  let graph = graphTeller();
  let queue: Promise<void> = Promise.resolve();
  let phase: string | null = null;
  let told = false;
  let header: readonly string[] = [];
  const shownRecords = new Set<string>();

  const block = async (opened: RunContext, { phase: about, record }: Shown): Promise<readonly string[]> => {
    const line = stateLineOf(opened.session.view, { phase: about, shown: record });
    const text = await (shownRecords.has(record) ? outerBlockOf : blockOf)(opened, record);
    shownRecords.add(record);
    return [...(line === null ? [] : [line]), text];
  };

  const tell = async (event: Recorded): Promise<void> => {
    if (!context) return;
    const { view } = context.session;
    const ofGraph = graph(event);
    if (ofGraph !== undefined)
      return say([
        ...(ofGraph === null || event.type === "record.written" ? [] : [indented(ofGraph)]),
        ...approvalOf(event, view),
      ]);
    const shown = blockToShow(event, view);
    if (shown) {
      header = [];
      say(await block(context, shown));
    } else if (event.type === "command.issued" || phase === null) {
      const now = modeOfRun(view)?.mode ?? currentPhase(view);
      if (now !== phase) header = headerOf(view);
      phase = now;
    }
    say(linesOf(event, view));
  };

  /** The state line stands before what is said next; where nothing is, it is not said either. */
  const say = (lines: readonly string[]): void => {
    if (lines.length === 0) return;
    live.print([...(told && header.length > 0 ? [""] : []), ...header, ...lines]);
    header = [];
    told = true;
  };

  return {
    progress(event) {
      if (event.type === "event") {
        // Events come with their sequence number from the session.
        const recorded = event.event as Recorded;
        queue = queue.then(() => tell(recorded));
      } else live.update(context, event);
    },
    attach(opened) {
      context = opened;
      graph = graphTeller(opened.session.view);
    },
    async flush() {
      await queue;
      live.stop();
      return told;
    },
  };
}

function headerOf(view: RunView): readonly string[] {
  const line = stateLineOf(view) ?? loopLine(view);
  return line === null ? [] : [line];
}

function linesOf(event: Recorded, view: RunView): readonly string[] {
  const text = isQuiet(event, view) ? null : inWords(event, view);
  return [
    ...(text === null ? [] : [indented(text)]),
    ...approvalOf(event, view),
    ...reasonLines(reasonsOf(event, view)),
  ];
}

function indented(text: string): string {
  return `  ${text.split("\n").join("\n  ")}`;
}

/** A dispatch is told when its agent starts, also where a run goes on. */
function inWords(event: Recorded, { commands }: RunView): string | null {
  if (event.type !== "dispatch.started") return describe(event);
  return commands[event.key]?.line ?? `${event.key}: ${event.role} works`;
}

/** What a person approved. It is printed when the journal has it (SEE-03). */
function approvalOf(event: Recorded, { asks }: RunView): readonly string[] {
  if (event.type !== "result" || !persons.has(event.by?.answeredBy)) return [];
  const line = approvalLine(event.outcome, asks[event.key]?.shown);
  return line === null ? [] : [indented(line)];
}

const persons: ReadonlySet<string | undefined> = new Set(["tty", "file", "session"]);

/** Why a gate or a reviewer says no. The block of a gate of tests says it too, and comes with the same append. */
function reasonsOf(event: Recorded, { records }: RunView): readonly string[] {
  if (event.type === "review.given") return event.issues;
  if (event.type !== "gate.judged") return [];
  const hasOwnBlock = records.some(({ key, purpose }) => key === event.key && gatesOfTests.has(purpose));
  return hasOwnBlock ? [] : [...event.reasons, ...event.findings.map((finding) => `note: ${finding}`)];
}

interface Shown {
  readonly phase: string;
  readonly record: string;
}

/**
 * A completed phase is shown with its proof, and so is a run that was refused or that answers a claim (ORC-38, ORC-49).
 * The final proof stands in the summary, which is the next thing said.
 */
function blockToShow(event: Recorded, { records }: RunView): Shown | null {
  if (event.type === "phase.completed")
    return records.some(({ id, purpose }) => id === event.record && purpose === "final") ? null : event;
  if (event.type !== "record.written" || event.phase === null) return null;
  const { phase, id, purpose, verdict } = event;
  const isAnswer = purpose === "claim" || (gatesOfTests.has(purpose) && verdict !== "pass");
  return isAnswer ? { phase, record: id } : null;
}

const gatesOfTests: ReadonlySet<string> = new Set(["red", "green", "final"]);

/** Told in other ways, or not worth a line while it happens; `mettle log` has it all. */
function isQuiet(event: Recorded, { commands }: RunView): boolean {
  switch (event.type) {
    case "command.issued":
      // What waits is shown whole, or answered in the next line.
      return ["check", "ask", "dispatch"].includes(commands[event.key]?.command.type ?? "");
    case "result": {
      const command = commands[event.key]?.command;
      // A check tells its verdict and a reviewer its review.
      return command?.type === "check" || (command?.type === "dispatch" && command.reply !== undefined);
    }
    case "observed":
      // The Main Thread's say what is told anyway.
      return event.agent === mainThread;
    case "document.written":
      return event.by !== "person";
    case "warned":
      // The first is said as an error when the run stops, the second with the review.
      return event.stopped !== undefined || event.code === "review_inconclusive";
    default:
      return quiet.has(event.type);
  }
}

const quiet: ReadonlySet<Recorded["type"]> = new Set([
  "run.started",
  "run.ended",
  "phase.completed",
  "files.frozen",
  "record.written",
  "head.moved",
  "question.answered",
  "breaker.tripped",
  "session.opened",
  "session.closed",
]);
