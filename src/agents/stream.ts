/** Splits an agent's standard output into lines, in bounded memory; longer lines are passed on in pieces. */
export interface LineReader {
  push(chunk: Buffer): void;
  end(): void;
}

export interface OutputLine {
  readonly text: string;
  /** False for a piece of a line that is longer than the limit. */
  readonly whole: boolean;
}

/** @param maxBytes maximum length of a whole line, in characters */
export function readLines(onLine: (line: OutputLine) => void, maxBytes = 4 << 20): LineReader {
  const decoder = new TextDecoder("utf-8");
  // The chunks of the incomplete line: joined once, never scanned again.
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
