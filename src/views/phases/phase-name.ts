/** The names of phases as people read them. Pure. */
import type { Command } from "../../kernel/command.ts";
import { modes } from "../../notation/modes.ts";

/** Commands with the same name, in one node, one after the other, are one phase. */
export function phaseName({ phase, mode, state, path }: Command): string {
  const known = modes.find((entry) => entry.mode === mode);
  // A graph's mode is a word: `TDD WriteTests`.
  if (known === undefined) return words([phase ?? state.replaceAll("_", " "), mode]);
  const cycle = /(?:^|\/)(C\d+)\//u.exec(path)?.[1];
  if (cycle === undefined) return `${known.mode} ${known.name}`;
  return words([known.mode, cycle, stepNames[phase ?? ""] ?? (phase ?? state).replaceAll("_", " ")]);
}

/** The steps of a cycle of riper and dptr. */
const stepNames: Readonly<Record<string, string>> = {
  ℜ: "red",
  ℜᴳ: "green",
  ℜᶠᵗ: "refactor tests",
  ℜᶠⁱ: "refactor code",
  review_tests: "review tests",
  review_impl: "review code",
};

function words(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(" ");
}
