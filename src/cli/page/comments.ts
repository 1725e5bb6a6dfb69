import type { LineComment } from "../../page/app/wire.ts";

export interface Rejection {
  readonly reason: string;
  readonly comments: readonly LineComment[];
}

/** The reason of a rejection with the comments on lines, as the agent reads it in its next prompt. */
export function commentedReason({ reason, comments }: Rejection): string {
  const head = reason.trim();
  const lines = comments.map(({ file, line, quote, text }) =>
    [`${file}:${line}`, ...indented(quote.trim(), "  > "), ...indented(text.trim(), "  ")].join("\n"),
  );
  return [...(head === "" ? [] : [head]), ...lines].join("\n\n");
}

function indented(text: string, prefix: string): readonly string[] {
  return text === "" ? [] : text.split(/\r?\n/u).map((line) => `${prefix}${line}`);
}
