/** Finds EXECUTION_BLOCKs that an agent typed into its text (ORC-48). They prove nothing; Mettle reports them. Pure. */

export interface TypedBlock {
  /** The text after `$ `. */
  readonly command: string;
  /** The text after `EXIT_CODE:`. */
  readonly exitCode: string;
}

const longest = 500;

/** Typed blocks in the text, with or without frame or fence, that match no record. */
export function forgedBlocks(text: string, known: readonly TypedBlock[] = []): readonly TypedBlock[] {
  const lines = text.split("\n").map(unframed);
  return lines.flatMap((line, index) => {
    if (!/^EXECUTION_BLOCK\b/i.test(line)) return [];
    const block = read(lines.slice(index + 1, index + 1 + longest));
    const isTrue = known.some(
      ({ command, exitCode }) => command === block?.command && exitCode === block.exitCode,
    );
    return block === null || isTrue ? [] : [block];
  });
}

function read(lines: readonly string[]): TypedBlock | null {
  const next = lines.findIndex((line) => /^EXECUTION_BLOCK\b/i.test(line));
  const own = next < 0 ? lines : lines.slice(0, next);
  const command = own
    .find((line) => line.startsWith("$ "))
    ?.slice(2)
    .trim();
  const exitCode = own
    .map((line) => /^EXIT[_ ]CODE\s*[:=]\s*(-?\d.*)$/i.exec(line)?.[1]?.trim())
    .find((code) => code !== undefined);
  return command === undefined || exitCode === undefined ? null : { command, exitCode };
}

/** Removes frames, Markdown marks and quote marks. */
function unframed(line: string): string {
  return line.replace(/^[\s>|*_#\u2500-\u257f]+/, "").replace(/[\s|*_\u2500-\u257f]+$/, "");
}
