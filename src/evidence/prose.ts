/** An agent's own words in a text: everything that it cites is taken out. Pure. */

/** Replaces what is cited by blanks; line breaks stay where they were. */
export function plainProse(text: string): string {
  const lines = withoutFences(text.replaceAll("\r", "").replaceAll("\u2019", "'").split("\n"));
  const own = lines.map((line) => (isCited(line) ? "" : line)).join("\n");
  return citations.reduce((rest, citation) => rest.replace(citation, blank), own);
}

const citations: readonly RegExp[] = [
  /<(tool_result|tool_output|function_results|output|stdout|stderr|file|document)\b[^>]*>[\s\S]*?<\/\1>/gi,
  /(`+)(?!`)[^\n]*?[^`]\1(?!`)/g,
  /"[^"\n]*"/g,
  /\u201c[^\u201d\n]*\u201d/g,
  /\u00ab[^\u00bb\n]*\u00bb/g,
  // An apostrophe opens a quotation only at the start of a word, and closes it only at the end of one.
  /(?<=^|[\s(])'[^'\n]*(?:\w'\w[^'\n]*)*'(?!\w)/gm,
];

function blank(cited: string): string {
  return cited.replace(/[^\n]/g, " ");
}

/** A fence that is never closed runs to the end, as in Markdown. */
function withoutFences(lines: readonly string[]): readonly string[] {
  let fence: string | null = null;
  return lines.map((line) => {
    const mark = /^\s*(?:[-*+]\s+)?(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    if (fence === null) {
      fence = mark;
      return mark === null ? line : "";
    }
    if (mark !== null && mark.startsWith(fence) && line.trim() === mark) fence = null;
    return "";
  });
}

/** Quoted lines, boxes and the state line of the protocol. */
function isCited(line: string): boolean {
  return /^\s*(?:>|[\u2500-\u257f]|\[Orc\.Phase)/.test(line);
}
