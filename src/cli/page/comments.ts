/** Comments of a person on lines that the page showed, as the agent reads them in its next prompt (SEE-06). */
import { diffText } from "../../git/objects/diff.ts";
import { readFile } from "../../git/objects/tree.ts";
import { AppError } from "../../lib/errors.ts";
import { safeLine } from "../../lib/safe-text.ts";
import { resultOf } from "../../log/run-view.ts";
import { linesOfDiff, linesOfText, type ShownLine } from "../../page/app/lines.ts";
import type { CommentedText, LineComment } from "../../page/app/wire.ts";
import type { RunContext } from "../../run/context.ts";

export interface Rejection {
  readonly reason: string;
  readonly comments: readonly LineComment[];
}

interface Source extends Pick<RunContext, "payloads" | "repository"> {
  readonly session: Pick<RunContext["session"], "view">;
}

/**
 * The reason with each comment, its place, and the line as it really is.
 * @throws approval_stale if a comment is about a line of another version
 */
export async function commentedReason(source: Source, { reason, comments }: Rejection): Promise<string> {
  const head = reason.trim();
  const parts = head === "" ? [] : [head];
  for (const comment of comments) {
    const { file, line, side, text } = comment;
    const where = `${safeLine(file)}:${line}${side === "before" ? " (a line that the change removes)" : ""}`;
    const quote = (await commentedLine(source, comment)).trim();
    parts.push([where, ...indented(shortened(quote), "  > "), ...indented(text.trim(), "  ")].join("\n"));
  }
  return parts.join("\n\n");
}

const maxQuoteChars = 500;

function shortened(quote: string): string {
  return quote.length > maxQuoteChars ? `${quote.slice(0, maxQuoteChars)}…` : quote;
}

function indented(text: string, prefix: string): readonly string[] {
  return text === "" ? [] : text.split(/\r?\n/u).map((line) => `${prefix}${line}`);
}

/** The text of the line; who commented on it saw exactly this text. */
async function commentedLine(source: Source, comment: LineComment): Promise<string> {
  const { file, line, side } = comment;
  const lines = await linesOf(source, comment);
  const found = lines.find(
    ({ place }) => place !== null && place.file === file && place.line === line && place.side === side,
  );
  if (found !== undefined) return found.text;
  throw new AppError("approval_stale", `what was shown has no line ${line} of ${safeLine(file)}`, {
    hint: "remove this comment, look again, then comment on a line that is shown",
  });
}

async function linesOf(source: Source, { of, file }: LineComment): Promise<readonly ShownLine[]> {
  if (of.type === "diff") {
    await assertCurrent(source, of, file);
    const range = { from: of.from ?? `${of.commit}^`, to: of.commit };
    return linesOfDiff(await diffText(source.repository, range));
  }
  const name = file.replace(/\.md$/u, "");
  if (source.session.view.documents[name]?.ref !== of.ref) throw changed(file);
  return linesOfText(await source.payloads.text(of.ref), file);
}

/** A line of an earlier commit counts as long as its file is the same where the next agent works. */
async function assertCurrent(
  { session: { view }, repository }: Source,
  { commit }: Extract<CommentedText, { type: "diff" }>,
  path: string,
): Promise<void> {
  const head = view.head.branch ?? resultOf(view);
  if (head === commit) return;
  const [then, now] = await Promise.all(
    [commit, head ?? view.started?.base ?? commit].map((at) => readFile(repository, { commit: at, path })),
  );
  if (then === undefined || now === undefined || !isSame(then, now)) throw changed(path);
}

function isSame(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}

function changed(file: string): AppError {
  return new AppError("approval_stale", `${safeLine(file)} has changed since it was commented on`, {
    hint: "remove this comment, look at the newest version, then comment on it",
  });
}
