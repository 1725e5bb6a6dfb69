/**
 * What a person sees while a run goes on: each message begins with the state line; a completed phase shows its
 * EXECUTION_BLOCK. On a terminal one live line says what happens now; elsewhere plain lines, no escape codes.
 */
import type { Recorded } from "../kernel/run-event.ts";
import type { Progress, RunContext } from "../runtime/context.ts";
import { blockOf } from "../runtime/blocks.ts";
import { reasonLines } from "../views/reason-lines.ts";
import { currentPhase, stateLineOf } from "../views/run-state-line.ts";
import type { RunView } from "../views/run-view.ts";
import { describe } from "../views/timeline.ts";
import type { Io } from "./command.ts";
import { liveLine } from "./live-line.ts";

export interface Reporter {
  readonly progress: (event: Progress) => void;
  attach(context: RunContext): void;
  /** Resolves when everything that was told is printed. */
  flush(): Promise<void>;
}

export function reporter(io: Io): Reporter {
  const live = liveLine(io);
  let context: RunContext | null = null;
  let queue: Promise<void> = Promise.resolve();
  let phase: string | null = null;

  const tell = async (event: Recorded): Promise<void> => {
    if (!context) return;
    const { view } = context.session;
    const lines: string[] = [];
    const now = currentPhase(view);
    const shown = blockToShow(event);
    if (shown) {
      const line = stateLineOf(view, { phase: shown.phase, shown: shown.record });
      lines.push(...(line === null ? [] : [line]), await blockOf(context, shown.record));
    } else if ((event.type === "command.issued" || phase === null) && now !== phase) {
      phase = now;
      const line = stateLineOf(view);
      if (line !== null) lines.push("", line);
    }
    const text = isQuiet(event, view) ? null : describe(event);
    if (text !== null) lines.push(`  ${text.split("\n").join("\n  ")}`);
    if (event.type === "gate.judged")
      lines.push(...reasonLines(event.reasons), ...reasonLines(event.findings));
    live.print(lines);
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
    },
    async flush() {
      await queue;
      live.stop();
    },
  };
}

/** A completed phase is shown with its proof, and so is a run that was refused or that answers a claim (ORC-38, ORC-49). */
function blockToShow(event: Recorded): { readonly phase: string; readonly record: string } | null {
  if (event.type === "phase.completed") return event;
  if (event.type !== "record.written" || event.phase === null) return null;
  const { phase, id, purpose, verdict } = event;
  const isAnswer = purpose === "claim" || (gatesOfTests.has(purpose) && verdict !== "pass");
  return isAnswer ? { phase, record: id } : null;
}

const gatesOfTests: ReadonlySet<string> = new Set(["red", "green", "final"]);

/** Told in other ways, or not worth a line while it happens; `mettle log` has it all. */
function isQuiet(event: Recorded, { commands }: RunView): boolean {
  if (event.type === "command.issued") return commands[event.key]?.command.type === "check";
  if (event.type === "result") return commands[event.key]?.command.type !== "dispatch";
  return quiet.has(event.type);
}

const quiet: ReadonlySet<Recorded["type"]> = new Set([
  "run.started",
  "run.ended",
  "phase.completed",
  "dispatch.started",
  "files.frozen",
  "record.written",
  "head.moved",
  "question.answered",
]);
