import type { Count } from "../kernel/command.ts";

/** `2/5`. The value is capped at the limit, since a person may lower the limit below the used count. */
export function countText({ value, limit }: Count): string {
  return limit === null ? String(value) : `${Math.min(value, limit)}/${limit}`;
}
