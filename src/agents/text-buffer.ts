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
      if (text.length > room) tail = (tail + text.slice(Math.max(0, room))).slice(-keep);
    },
    get text() {
      const left = length - head.length - tail.length;
      return left > 0 ? `${head}\n… ${left} characters left out …\n${tail}` : head + tail;
    },
    get length() {
      return length;
    },
  };
}
