/** A line, or a note that a line was longer than the limit. */
export type LineResult = { readonly type: "line"; readonly text: string } | { readonly type: "too_long" };

export interface LineSplitter {
  push(chunk: Buffer): readonly LineResult[];
  /** The last line, if it has no line break. */
  end(): readonly LineResult[];
}

/** Splits received bytes into lines. A line over the limit is dropped; the next one is returned again. */
export function splitLines(maxBytes: number): LineSplitter {
  let parts: Buffer[] = [];
  let bytes = 0;
  let skipping = false;
  const take = (): readonly LineResult[] => {
    const whole = skipping ? [] : [{ type: "line" as const, text: Buffer.concat(parts).toString("utf8") }];
    [parts, bytes, skipping] = [[], 0, false];
    return whole;
  };
  const add = (piece: Buffer): readonly LineResult[] => {
    if (skipping) return [];
    parts.push(piece);
    bytes += piece.length;
    if (bytes <= maxBytes) return [];
    [parts, bytes, skipping] = [[], 0, true];
    return [{ type: "too_long" }];
  };
  return {
    push(chunk) {
      const found: LineResult[] = [];
      let from = 0;
      for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
        found.push(...add(chunk.subarray(from, at)), ...take());
        from = at + 1;
      }
      return [...found, ...add(chunk.subarray(from))];
    },
    end: () => (bytes > 0 ? take() : []),
  };
}
