/** The tree of a graph, drawn again in its place while it changes. A terminal only. */
import type { Io } from "./command.ts";

export interface LiveTree {
  draw(lines: readonly string[]): void;
  /** Leaves the place empty. */
  clear(): void;
}

const escape = "\u001b";

export function liveTree(io: Pick<Io, "draw">): LiveTree {
  let shown: readonly string[] = [];
  const wipe = (): string => (shown.length === 0 ? "" : `${escape}[${shown.length}A\r${escape}[J`);
  return {
    draw(lines) {
      if (lines.join("\n") === shown.join("\n")) return;
      io.draw(`${wipe()}${lines.map((line) => `${line}\n`).join("")}`);
      shown = lines;
    },
    clear() {
      io.draw(wipe());
      shown = [];
    },
  };
}
