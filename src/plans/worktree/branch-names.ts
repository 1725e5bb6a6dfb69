/** How implementation branches are called, and what a branch's plan folder is called. */
import { sha256 } from "../../lib/hash.ts";
import type { PromptId } from "../prompt/prompt-id.ts";

/**
 * `<feature>--implementation-<n>[-<v>]`. The form `<feature>/implementation-…` is read too and means the same, though git
 * cannot have such a branch beside `<feature>`.
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

/** A branch under its real name. */
export function realBranch(branch: string): string {
  const { feature, prompt } = readBranch(branch);
  return prompt === null ? branch : implementationBranch(feature, prompt);
}

const maxLength = 200;

/** The folders that a branch's plan may have, the usual one first: others are for names that two branches share. */
export function* folderNames(branch: string): Generator<string> {
  const plain = branch.replaceAll(/[^A-Za-z0-9_-]/gu, "-").slice(0, maxLength);
  if (branch.length <= maxLength) yield plain;
  for (let turn = 0; ; turn++)
    yield `${plain}-${sha256(branch + "\0".repeat(turn)).slice("sha256:".length, "sha256:".length + 6)}`;
}
