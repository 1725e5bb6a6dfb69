/** Finds the code fences of a Markdown text in one pass, since an answer may have many megabytes. */
import { fenceReader } from "../lib/markdown.ts";

export interface Fences {
  /** The last line outside fences that is not blank; null: none. */
  readonly lastLine: string | null;
  /** Closed fences in order. */
  readonly blocks: readonly { readonly language: string; readonly text: string }[];
  /** The last fence is not closed: everything after it is code. */
  readonly open: boolean;
}

export function readFences(text: string): Fences {
  const blocks: { language: string; text: string }[] = [];
  const read = fenceReader();
  let lastLine: string | null = null;
  let block: { readonly language: string; readonly lines: string[] } | null = null;
  for (const line of text.split(/\r?\n/u)) {
    const { role, info, code } = read(line);
    if (role === "opens") {
      const [language = ""] = info.split(/\s/u);
      block = { language: language.toLowerCase(), lines: [] };
    } else if (role === "inside") block?.lines.push(code);
    else if (role === "closes") {
      if (block !== null) blocks.push({ language: block.language, text: block.lines.join("\n") });
      block = null;
    } else {
      // The end of a quote or list ends its fence without closing it.
      block = null;
      if (line.trim() !== "") lastLine = line;
    }
  }
  return { lastLine, blocks, open: block !== null };
}
