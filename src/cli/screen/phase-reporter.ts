/**
 * The progress of a run in short (SEE-01): one line for each phase, details only of what failed. A terminal also shows the
 * phases at work, with a spinner and what their agents and tests do now.
 */
import type { Recorded } from "../../log/run-event.ts";
import { blockOf } from "../../run/blocks.ts";
import type { Progress, RunContext } from "../../run/context.ts";
import { loopLine } from "../../views/run/loop-line.ts";
import { stateLineOf } from "../../views/run/run-state-line.ts";
import { fitBlocks } from "../../views/gate/fit-blocks.ts";
import { phaseBoard } from "../../views/phases/phase-board.ts";
import type { Phase } from "../../views/phases/phase.ts";
import { phaseLines, runningLine } from "../../views/phases/phase-line.ts";
import { noteLines } from "../../views/phases/note-lines.ts";
import { runHead } from "../../views/phases/run-head.ts";
import { countdownText } from "../../views/run/limit-text.ts";
import { cutTo, type StyledLine } from "../../views/styled.ts";
import type { Io } from "../command.ts";
import type { Reporter } from "./reporter.ts";
import { liveArea } from "./live-area.ts";
import { painted } from "./paint.ts";
import { styledLines, wrapped } from "./person-text.ts";

const everyMs = 120;
const spinner = [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"];
/** Phases at work at the same time that are shown; the others are counted. */
const maxShown = 8;

export function phaseReporter(io: Io): Reporter {
  const area = liveArea(io);
  const board = phaseBoard();
  const width = () => (io.isTerminal ? io.columns : null);
  const fit = (text: string): string => (io.isTerminal ? fitBlocks(text, io.columns) : text);
  /** Key of a command -> what its agent or its tests do now. */
  const doing = new Map<string, string>();
  const shownRecords = new Set<string>();
  let context: RunContext | null = null;
  let queue: Promise<void> = Promise.resolve();
  let hasPrinted = false;
  let timer: NodeJS.Timeout | null = null;
  let tick = 0;

  const print = (lines: readonly StyledLine[]): void =>
    area.above(lines.map((line) => painted(line, io.hasColours)));

  /** Once, when the first phase begins: the state line, as every response begins with it (ORC-88), and what runs. */
  const printHead = ({ session: { view } }: RunContext): void => {
    if (hasPrinted) return;
    hasPrinted = true;
    const line = stateLineOf(view) ?? loopLine(view);
    const head = runHead(view).flatMap((one) => wrapped(one, width()));
    print([...(line === null ? [] : [...styledLines(line, width()), []]), ...head, []]);
  };

  const blocksOf = async (opened: RunContext, { records }: Phase): Promise<readonly string[]> => {
    const texts: string[] = [];
    for (const id of records.filter((one) => !shownRecords.has(one))) {
      shownRecords.add(id);
      const { view } = opened.session;
      const phase = view.records.find((record) => record.id === id)?.phase ?? undefined;
      const line = stateLineOf(view, { shown: id, ...(phase === undefined ? {} : { phase }) });
      texts.push(...(line === null ? [] : [line]), fit(await blockOf(opened, id)));
    }
    return texts.flatMap((text) => text.split("\n"));
  };

  const printPhases = async (opened: RunContext, phases: readonly Phase[]): Promise<void> => {
    if (phases.length > 0 || board.open().length > 0) printHead(opened);
    for (const phase of phases) {
      const { view } = opened.session;
      print([
        ...phaseLines(phase, view, width()),
        ...noteLines(phase.notes, width()),
        ...(await blocksOf(opened, phase)).flatMap((line) => styledLines(line, width())),
      ]);
    }
  };

  const draw = (): void => {
    if (!context || context.session.view.ended) return area.draw([]);
    const { view } = context.session;
    const nowMs = context.clock.now();
    tick += 1;
    const mark = spinner[tick % spinner.length] ?? "";
    const working = board.open().flatMap((phase) => {
      const key = phase.keys.findLast((one) => isAtWork(view.commands[one]) && !view.cancelled.includes(one));
      if (key === undefined) return [];
      return [
        runningLine(phase, view, { columns: io.columns, nowMs, spinner: mark, doing: doing.get(key) ?? "" }),
      ];
    });
    const shown = working.slice(0, Math.max(1, Math.min(maxShown, io.rows - 4)));
    const rest = working.length - shown.length;
    const more: readonly StyledLine[] =
      rest === 0 ? [] : [[{ text: `   and ${rest} more at work`, tone: "dim" }]];
    const limit = countdownText(view, nowMs);
    const pause: readonly StyledLine[] =
      limit === null ? [] : [[{ text: ` ${cutTo(limit, io.columns - 2)}`, tone: "warn" }]];
    area.draw([...shown, ...more, ...pause].map((line) => painted(line, io.hasColours)));
  };

  const start = (): void => {
    if (!io.live || timer !== null) return;
    timer = setInterval(draw, everyMs);
    timer.unref();
  };
  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
    area.draw([]);
  };

  return {
    progress(event: Progress) {
      start();
      if (event.type === "event") {
        // Events come with their sequence number from the session.
        const recorded = event.event as Recorded;
        queue = queue.then(async () => {
          if (context) await printPhases(context, board.accept(recorded, context.session.view));
        });
      } else {
        doing.set(event.key, event.what);
      }
    },
    attach(opened) {
      context = opened;
      // A run that waits for a usage limit has no event yet.
      start();
    },
    async pause() {
      await queue;
      stop();
    },
    async flush() {
      await queue;
      stop();
      if (context) await printPhases(context, board.end());
      return hasPrinted;
    },
  };
}

function isAtWork(entry: RunContext["session"]["view"]["commands"][string] | undefined): boolean {
  return entry !== undefined && entry.result === null && entry.command.type !== "ask";
}
