/** The status line at the bottom of a terminal, redrawn while a command works. Without a terminal there is none. */
import type { RunContext } from "../run/context.ts";
import { countdownText } from "../views/run/limit-text.ts";
import { safeLine } from "../lib/safe-text.ts";
import { cutTo } from "../views/styled.ts";
import { progressLine } from "../views/run/progress-line.ts";
import { progressOf } from "../views/run/run-progress.ts";
import { treeLine } from "../views/tree/tree-line.ts";
import type { Io } from "./command.ts";

export interface LiveLine {
  print(lines: readonly string[]): void;
  update(context: RunContext | null): void;
  stop(): void;
}

/** Shows the progress of work that belongs to no run yet on the status line. */
export async function withLiveProgress<Value>(
  io: Io,
  work: (progress: (what: string) => void) => Promise<Value>,
): Promise<Value> {
  if (!io.live) return work(() => undefined);
  try {
    return await work((what) => io.draw(`${clear}${cutTo(safeLine(what), io.columns - 1)}`));
  } finally {
    io.draw(clear);
  }
}

const everyMs = 250;
const clear = "\r\u001b[2K";

export function liveLine(io: Io): LiveLine {
  if (!io.live)
    return { print: (lines) => lines.forEach(io.print), update: () => undefined, stop: () => undefined };
  let context: RunContext | null = null;
  const draw = () => {
    if (!context || context.session.view.ended) return;
    const { view } = context.session;
    const now = context.clock.now();
    const tree = treeLine(view, now, io.columns);
    const progress = tree === null ? progressOf(view, now) : null;
    const limit = countdownText(view, now);
    if (limit !== null) io.draw(`${clear}${limit.slice(0, io.columns)}`);
    else if (tree !== null) io.draw(`${clear}${tree}`);
    else if (progress) io.draw(`${clear}${progressLine(progress, io.columns)}`);
  };
  const timer = setInterval(draw, everyMs);
  timer.unref();
  return {
    print(lines) {
      if (lines.length === 0) return;
      io.draw(clear);
      lines.forEach(io.print);
      draw();
    },
    update(current) {
      context = current;
    },
    stop() {
      clearInterval(timer);
      io.draw(clear);
    },
  };
}
