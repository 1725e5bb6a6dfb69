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

/** @param maxBytes longest line kept whole, in characters */
export function readLines(onLine: (line: Line) => void, maxBytes = 4 << 20): LineReader {
  const decoder = new TextDecoder("utf-8");
  // The unfinished line, in the pieces in which it came: joined once, never scanned again.
  let parts: string[] = [];
  let length = 0;
  let broken = false;
  const flush = (ended: boolean) => {
    const text = parts.join("");
    parts = [];
    length = 0;
    if (text !== "" || ended) onLine({ text, whole: ended && !broken });
    broken = !ended;
  };
  const add = (text: string) => {
    parts.push(text);
    length += text.length;
  };
  return {
    push(chunk) {
      const [first = "", ...others] = decoder.decode(chunk, { stream: true }).split("\n");
      add(first);
      for (const line of others) {
        flush(true);
        add(line);
      }
      if (length > maxBytes) flush(false);
    },
    end() {
      add(decoder.decode());
      if (length > 0) flush(true);
    },
  };
}
