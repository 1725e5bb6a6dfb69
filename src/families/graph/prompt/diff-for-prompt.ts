/** Replaces a diff that is too long for a prompt by its statistics and the command that prints it. */
import { counted } from "../../../lib/counted.ts";
import type { NodeInput } from "../../../protocol/graph-types/nodes.ts";

const maxChars = 200_000;

/** The input with a diff short enough for a prompt. */
export function inputForPrompt(input: NodeInput, command?: string): NodeInput {
  if (!("mode" in input) || !("ReviewImpl" in input.mode)) return input;
  const { implResult, diff } = input.mode.ReviewImpl;
  const shows = command ?? `git diff ${input.scaffold.scaffoldCommit} ${implResult.commitHash}`;
  return { ...input, mode: { ReviewImpl: { implResult, diff: diffForPrompt(diff, shows) } } };
}

export function diffForPrompt(diff: string, command: string): string {
  if (diff.length <= maxChars) return diff;
  const files = diffStat(diff);
  const [added, removed] = [sum(files, "added"), sum(files, "removed")];
  return [
    `The diff has ${diff.length} characters, too many to show here. \`${command}\` shows it.`,
    "",
    ...files.map((file) => ` ${file.path} | +${file.added} -${file.removed}`),
    ` ${counted(files.length, "file")} changed, ${counted(added, "insertion")}(+), ${counted(removed, "deletion")}(-)`,
  ].join("\n");
}

interface FileStat {
  readonly path: string;
  added: number;
  removed: number;
}

function diffStat(diff: string): readonly FileStat[] {
  const files: FileStat[] = [];
  let inHunk = false;
  for (const line of diff.split("\n")) {
    const header = /^diff --git a\/.* b\/(.*)$/.exec(line);
    if (header !== null) {
      files.push({ path: header[1] ?? "", added: 0, removed: 0 });
      inHunk = false;
    }
    const file = files.at(-1);
    if (line.startsWith("@@")) inHunk = true;
    else if (inHunk && file !== undefined && line.startsWith("+")) file.added++;
    else if (inHunk && file !== undefined && line.startsWith("-")) file.removed++;
  }
  return files;
}

function sum(files: readonly FileStat[], key: "added" | "removed"): number {
  return files.reduce((total, file) => total + file[key], 0);
}
