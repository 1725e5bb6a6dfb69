/** Splits a step's text into prose and code (spans in backticks, and fences). */
import { fenceReader } from "../../lib/markdown.ts";

export interface CodePart {
  readonly text: string;
  readonly code: boolean;
}

/** The concatenated parts equal the text. */
export function splitCode(text: string): readonly CodePart[] {
  const parts: CodePart[] = [];
  let prose = "";
  let code = "";
  const read = fenceReader();
  const flush = (): void => {
    parts.push(...splitSpans(prose));
    prose = "";
  };
  const flushCode = (): void => {
    if (code !== "") parts.push({ text: code, code: true });
    code = "";
  };
  for (const line of text.split(/(?<=\n)/u)) {
    const { role } = read(line.replace(/\n$/u, ""));
    if (role === "opens" || role === null) {
      flushCode();
      if (role === "opens") flush();
    }
    if (role !== null) {
      code += line;
      if (role === "closes") flushCode();
      continue;
    }
    prose += line;
    // A span cannot cross a paragraph.
    if (line.trim() === "") flush();
  }
  flush();
  flushCode();
  return parts;
}

function splitSpans(prose: string): readonly CodePart[] {
  const parts: CodePart[] = [];
  const runs = [...prose.matchAll(/`+/gu)];
  let from = 0;
  for (let index = 0; index < runs.length; index++) {
    const open = runs[index];
    const close = runs.findIndex((run, other) => other > index && run[0].length === open?.[0].length);
    const end = runs[close];
    if (open === undefined || end === undefined) continue;
    parts.push({ text: prose.slice(from, open.index), code: false });
    from = end.index + end[0].length;
    parts.push({ text: prose.slice(open.index, from), code: true });
    index = close;
  }
  parts.push({ text: prose.slice(from), code: false });
  return parts.filter(({ text }) => text !== "");
}
