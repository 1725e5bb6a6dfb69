/** Keeps only an agent's own prose in a text: blanks code, quotations and other quoted parts. Pure. */
import { fencesOf } from "../lib/markdown.ts";

/** Replaces quoted parts with blanks; keeps line breaks. */
export function plainProse(text: string): string {
  const lines = withoutFences(text.replaceAll("\r", "").replaceAll("\u2019", "'").split("\n"));
  const own = lines.map((line) => (isQuoted(line) ? "" : line)).join("\n");
  return quotations.reduce((rest, quotation) => rest.replace(quotation, blank), withoutElements(own));
}

// Bounded, so that an unpaired quotation mark costs little; longer than two lines is not a quotation.
const quotations: readonly RegExp[] = [
  /(?<!`)(`+)(?!`)[^\n]{0,500}?[^`]\1(?!`)/g,
  /"[^"\n]{0,500}"/g,
  /\u201c[^\u201d\n]{0,500}\u201d/g,
  /\u00ab[^\u00bb\n]{0,500}\u00bb/g,
  // An apostrophe opens a quotation only at the start of a word and closes it only at the end of one.
  /(?<=^|[\s(])'(?:[^'\n]|(?<=\w)'(?=\w)){0,500}'(?!\w)/gm,
];

const tag =
  /<(\/?)(tool_result|tool_output|function_results|output|stdout|stderr|file|document)\b[^<>\n]{0,200}>/gi;

/** Blanks the text between the tags of quoted output; an unclosed tag quotes nothing. */
function withoutElements(text: string): string {
  const parts: string[] = [];
  let done = 0;
  let open: { readonly name: string; readonly start: number } | null = null;
  for (const { 0: whole, 1: slash, 2: word, index } of text.matchAll(tag)) {
    const name = word?.toLowerCase() ?? "";
    if (slash === "") open ??= { name, start: index + whole.length };
    if (slash === "" || open?.name !== name) continue;
    parts.push(text.slice(done, open.start), blank(text.slice(open.start, index)));
    done = index;
    open = null;
  }
  return parts.join("") + text.slice(done);
}

function blank(quoted: string): string {
  return quoted.replace(/[^\n]/g, " ");
}

/** An unclosed fence extends to the end, as in Markdown. */
function withoutFences(lines: readonly string[]): readonly string[] {
  const fences = fencesOf(lines);
  return lines.map((line, index) => (fences[index]?.role === null ? line : ""));
}

/** Quoted lines, boxes and the state line of the protocol. */
function isQuoted(line: string): boolean {
  return /^\s*(?:>|[\u2500-\u257f]|\[Orc\.Phase)/.test(line);
}
