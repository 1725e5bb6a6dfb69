/** Markdown's code fences, told from the text around them line by line: an answer of many megabytes is read in one pass. */
export interface Fences {
  /** The last line outside fences that shows something; null where there is none. */
  readonly lastLine: string | null;
  /** Closed fences in their order. */
  readonly blocks: readonly { readonly language: string; readonly text: string }[];
  /** The last fence was never closed: all behind it is code. */
  readonly open: boolean;
}

interface Fence {
  readonly mark: string;
  readonly language: string;
  readonly lines: string[];
}

// Indented as it may be, since a fence in a list is.
const opening = /^\s*(`{3,}|~{3,})\s*([^\s`]*)([^`]*)$/u;

export function readFences(text: string): Fences {
  const blocks: { language: string; text: string }[] = [];
  let lastLine: string | null = null;
  let fence: Fence | null = null;
  for (const line of text.split(/\r?\n/u)) {
    if (fence !== null) {
      if (!closes(fence, line)) fence.lines.push(line);
      else {
        blocks.push({ language: fence.language, text: fence.lines.join("\n") });
        fence = null;
      }
      continue;
    }
    const [, mark, language = ""] = opening.exec(line) ?? [];
    if (mark !== undefined) fence = { mark, language: language.toLowerCase(), lines: [] };
    else if (line.trim() !== "") lastLine = line;
  }
  return { lastLine, blocks, open: fence !== null };
}

/** By at least as many of the same marks, and nothing else. */
function closes({ mark }: Fence, line: string): boolean {
  const end = line.trim();
  return end.startsWith(mark) && [...end].every((letter) => letter === mark[0]);
}
