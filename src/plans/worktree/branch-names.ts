/** The names of implementation branches and of plan folders. */
import { sha256 } from "../../lib/hash.ts";
import type { PromptId } from "../prompt/prompt-id.ts";

/**
 * `<feature>--implementation-<n>[-<v>]`. `readBranch` accepts `<feature>/implementation-…` too, although git cannot have such a
 * branch beside `<feature>`.
 */
export function implementationBranch(feature: string, { number, variant }: PromptId): string {
  return `${feature}--implementation-${number}${variant === null ? "" : `-${variant}`}`;
}

const branchPattern =
  /^(?<feature>.+)(?:--|\/)implementation-(?<number>[1-9][0-9]*)(?:-(?<variant>[A-Z]))?$/u;

export function readBranch(branch: string): { readonly feature: string; readonly prompt: PromptId | null } {
  const groups = branchPattern.exec(branch)?.groups;
  if (groups === undefined) return { feature: branch, prompt: null };
  const { feature = "", number, variant } = groups;
  return { feature, prompt: { number: Number(number), variant: variant ?? null } };
}

/** The branch name in its usual form. */
export function realBranch(branch: string): string {
  const { feature, prompt } = readBranch(branch);
  return prompt === null ? branch : implementationBranch(feature, prompt);
}

const maxLength = 200;

/** Possible plan folders of a branch, the usual one first; the others are for branches whose usual names are equal. */
export function* folderNames(branch: string): Generator<string> {
  const plain = branch.replaceAll(/[^A-Za-z0-9_-]/gu, "-").slice(0, maxLength);
  if (branch.length <= maxLength) yield plain;
  for (let turn = 0; ; turn++)
    yield `${plain}-${sha256(branch + "\0".repeat(turn)).slice("sha256:".length, "sha256:".length + 6)}`;
}
