/** The lines at the bottom of a terminal that are drawn again while a run works. */
import type { Io } from "../command.ts";

export interface LiveArea {
  /** Writes whole lines above the area. */
  above(lines: readonly string[]): void;
  /** Replaces the area. */
  draw(lines: readonly string[]): void;
}

export function liveArea({ paint, live }: Pick<Io, "paint" | "live">): LiveArea {
  let shown: readonly string[] = [];
  const clear = (): string => (shown.length === 0 ? "" : `\u001b[${shown.length}A\r\u001b[J`);
  const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
  return {
    above(lines) {
      if (lines.length === 0) return;
      paint(`${clear()}${text(lines)}${text(shown)}`);
    },
    draw(lines) {
      if (!live || lines.join("\n") === shown.join("\n")) return;
      paint(`${clear()}${text(lines)}`);
      shown = lines;
    },
  };
}
