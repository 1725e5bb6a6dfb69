/** Keeps the head and the tail of an agent's text, so that 100 MB of text need bounded memory (CORE-49). */
export interface TextBuffer {
  add(text: string): void;
  readonly text: string;
  /** Characters added in total. */
  readonly length: number;
}

export function textBuffer(keep = 1 << 20): TextBuffer {
  let head = "";
  let tail = "";
  let length = 0;
  return {
    add(text) {
      length += text.length;
      const room = keep - head.length;
      head += text.slice(0, Math.max(0, room));
      if (text.length <= room) return;
      tail += text.slice(Math.max(0, room));
      // Cut seldom: each cut copies the tail, and a program may print a million short lines.
      if (tail.length > 2 * keep) tail = tail.slice(-keep);
    },
    get text() {
      const end = tail.slice(-keep);
      const left = length - head.length - end.length;
      return left > 0 ? `${head}\n… ${left} characters left out …\n${end}` : head + end;
    },
    get length() {
      return length;
    },
  };
}
