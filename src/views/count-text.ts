import type { Count } from "../kernel/command.ts";

/** `2/5`; a limit that a person lowered below what was used already is reached, not exceeded. */
export function countText({ value, limit }: Count): string {
  return limit === null ? String(value) : `${Math.min(value, limit)}/${limit}`;
}
