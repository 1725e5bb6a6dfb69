/** Which parts of a step's text are code: spans in backticks, and fences. */

export interface Part {
  readonly text: string;
  readonly code: boolean;
}

/** The parts joined are the text. */
export function splitCode(text: string): readonly Part[] {
  const parts: Part[] = [];
  let prose = "";
  let fence: { readonly mark: string; body: string } | null = null;
  const flush = (): void => {
    parts.push(...splitSpans(prose));
    prose = "";
  };
  for (const line of text.split(/(?<=\n)/u)) {
    if (fence !== null) {
      fence.body += line;
      const closing = /^\s*(`+|~+)\s*$/u.exec(line)?.[1] ?? "";
      if (!closing.startsWith(fence.mark)) continue;
      parts.push({ text: fence.body, code: true });
      fence = null;
      continue;
    }
    const mark = /^\s*(?:[-*+]\s+|\d+[.)]\s+)*(`{3,}(?=[^`]*$)|~{3,})/u.exec(line)?.[1];
    if (mark !== undefined) {
      flush();
      fence = { mark, body: line };
      continue;
    }
    prose += line;
    // A span ends with its paragraph at the latest.
    if (line.trim() === "") flush();
  }
  flush();
  if (fence !== null) parts.push({ text: fence.body, code: true });
  return parts;
}

function splitSpans(prose: string): readonly Part[] {
  const parts: Part[] = [];
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
