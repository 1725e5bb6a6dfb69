/**
 * Prints every event of a run: each message begins with the state line; a completed phase shows its EXECUTION_BLOCK.
 * A terminal also has a live line with the current activity; other outputs get plain lines without escape codes.
 */
import type { Recorded } from "../../log/run-event.ts";
import type { RunContext } from "../../run/context.ts";
import { mainThread } from "../../run/dialogues.ts";
import { blockOf } from "../../run/blocks.ts";
import { approvalLine } from "../../views/bound.ts";
import { reasonLines } from "../../views/gate/reason-lines.ts";
import { currentPhase, stateLineOf } from "../../views/run/run-state-line.ts";
import type { RunView } from "../../log/run-view.ts";
import { graphRenderer } from "../../views/tree/graph-timeline.ts";
import { loopLine, modeOfRun } from "../../views/run/loop-line.ts";
import { describe } from "../../views/run/timeline.ts";
import type { Io } from "../command.ts";
import type { Reporter } from "./reporter.ts";
import { liveLine } from "../live-line.ts";

export function verboseReporter(io: Io): Reporter {
  const live = liveLine(io);
  let context: RunContext | null = null;
  let graph = graphRenderer();
  let queue: Promise<void> = Promise.resolve();
  let phase: string | null = null;
  let hasPrinted = false;
  let header: readonly string[] = [];
  const shownRecords = new Set<string>();

  const block = async (
    opened: RunContext,
    { phase: about, record }: PhaseBlock,
  ): Promise<readonly string[]> => {
    // Each block is printed once: a phase that the same record proves refers to it.
    if (shownRecords.has(record))
      return [`  phase ${about} complete, proven by the block of record ${record} above`];
    shownRecords.add(record);
    const line = stateLineOf(opened.session.view, { phase: about, shown: record });
    return [...(line === null ? [] : [line]), await blockOf(opened, record)];
  };

  const printEvent = async (event: Recorded): Promise<void> => {
    if (!context) return;
    const { view } = context.session;
    const ofGraph = graph(event);
    if (ofGraph !== undefined)
      return print([
        ...(ofGraph === null || event.type === "record.written" ? [] : [indented(ofGraph)]),
        ...approvalOf(event, view),
      ]);
    const shown = blockToShow(event, view);
    if (shown) {
      header = [];
      print(await block(context, shown));
    } else if (event.type === "command.issued" || phase === null) {
      const now = modeOfRun(view)?.mode ?? currentPhase(view);
      if (now !== phase) header = headerOf(view);
      phase = now;
    }
    print(linesOf(event, view));
  };

  /** Prints the pending state line before the next lines, if there are any. */
  const print = (lines: readonly string[]): void => {
    if (lines.length === 0) return;
    live.print([...(hasPrinted && header.length > 0 ? [""] : []), ...header, ...lines]);
    header = [];
    hasPrinted = true;
  };

  return {
    progress(event) {
      if (event.type === "event") {
        // Events come with their sequence number from the session.
        const recorded = event.event as Recorded;
        queue = queue.then(() => printEvent(recorded));
      } else live.update(context);
    },
    attach(opened) {
      context = opened;
      graph = graphRenderer(opened.session.view);
      live.update(opened);
    },
    async pause() {
      await queue;
    },
    async flush() {
      await queue;
      live.stop();
      return hasPrinted;
    },
  };
}

function headerOf(view: RunView): readonly string[] {
  const line = stateLineOf(view) ?? loopLine(view);
  return line === null ? [] : [line];
}

function linesOf(event: Recorded, view: RunView): readonly string[] {
  const text = isQuiet(event, view) ? null : eventText(event, view);
  return [
    ...(text === null ? [] : [indented(text)]),
    ...approvalOf(event, view),
    ...reasonLines(reasonsOf(event, view)),
  ];
}

function indented(text: string): string {
  return `  ${text.split("\n").join("\n  ")}`;
}

/** A dispatch is reported when its agent starts, also in a resumed run. */
function eventText(event: Recorded, { commands }: RunView): string | null {
  if (event.type !== "dispatch.started") return describe(event);
  return commands[event.key]?.line ?? `${event.key}: ${event.role} works`;
}

/** The line of a person's approval, printed when the journal has it (SEE-03). */
function approvalOf(event: Recorded, { asks }: RunView): readonly string[] {
  if (event.type !== "result" || !persons.has(event.by?.answeredBy)) return [];
  const line = approvalLine(event.outcome, asks[event.key]?.shown);
  return line === null ? [] : [indented(line)];
}

const persons: ReadonlySet<string | undefined> = new Set(["tty", "file", "session", "page"]);

/** Why a gate or a reviewer refused. A gate of tests shows its reasons in its block, which comes with the same append. */
function reasonsOf(event: Recorded, { records }: RunView): readonly string[] {
  if (event.type === "review.given") return event.issues;
  if (event.type !== "gate.judged") return [];
  const hasOwnBlock = records.some(({ key, purpose }) => key === event.key && gatesOfTests.has(purpose));
  return hasOwnBlock ? [] : [...event.reasons, ...event.findings.map((finding) => `note: ${finding}`)];
}

interface PhaseBlock {
  readonly phase: string;
  readonly record: string;
}

/**
 * The block of a completed phase, of a refused test run, or of a test run that checks a claim (ORC-38, ORC-49).
 * The summary that follows shows the final proof.
 */
function blockToShow(event: Recorded, { records }: RunView): PhaseBlock | null {
  if (event.type === "phase.completed")
    return records.some(({ id, purpose }) => id === event.record && purpose === "final") ? null : event;
  if (event.type !== "record.written" || event.phase === null) return null;
  const { phase, id, purpose, verdict } = event;
  const isAnswer = purpose === "claim" || (gatesOfTests.has(purpose) && verdict !== "pass");
  return isAnswer ? { phase, record: id } : null;
}

const gatesOfTests: ReadonlySet<string> = new Set(["red", "green", "final"]);

/** Shown in other ways, or not worth a line; `mettle log` lists every event. */
function isQuiet(event: Recorded, { commands }: RunView): boolean {
  switch (event.type) {
    case "command.issued":
      // An ask is shown whole, or the next line has its answer.
      return ["check", "ask", "dispatch"].includes(commands[event.key]?.command.type ?? "");
    case "result": {
      const command = commands[event.key]?.command;
      // The verdict of a check and the review of a reviewer have events of their own.
      return command?.type === "check" || (command?.type === "dispatch" && command.reply !== undefined);
    }
    case "observed":
      // Observations of the Main Thread repeat other events.
      return event.agent === mainThread;
    case "document.written":
      return event.by !== "person";
    case "warned":
      // The first is printed as an error when the run stops, the second with the review.
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
