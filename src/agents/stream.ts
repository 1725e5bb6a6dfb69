/** Splits an agent's stdout into lines with bounded memory; a longer line is passed on in pieces marked as text. */
export interface LineReader {
  push(chunk: Buffer): void;
  end(): void;
}

export interface Line {
  readonly text: string;
  /** False for a piece of a line that is longer than the bound. */
  readonly whole: boolean;
}

/** @param maxBytes longest line kept whole, in bytes */
export function readLines(onLine: (line: Line) => void, maxBytes = 4 << 20): LineReader {
  const decoder = new TextDecoder("utf-8");
  let rest = "";
  let broken = false;
  const flush = (text: string, ended: boolean) => {
    if (text !== "" || ended) onLine({ text, whole: ended && !broken });
    broken = !ended;
  };
  return {
    push(chunk) {
      rest += decoder.decode(chunk, { stream: true });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) flush(line, true);
      if (rest.length > maxBytes) {
        flush(rest, false);
        rest = "";
      }
    },
    end() {
      rest += decoder.decode();
      if (rest !== "") flush(rest, true);
    },
  };
}
