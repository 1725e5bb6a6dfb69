/** Logs that a person pastes: the payload store keeps them whole, an agent gets as many tokens as it can read. */
import { stateHome } from "../../config/home.ts";
import { secretValues } from "../../config/env.ts";
import { homePayloads } from "../../journal/home-store.ts";
import type { Payloads } from "../../journal/payloads.ts";
import { mask } from "../../lib/mask.ts";
import type { PlanLocation } from "../find-plan.ts";

/** The estimate that all of Envoy uses. */
const charactersPerToken = 4;

export function payloadsOf({ repository }: Pick<PlanLocation, "repository">): Payloads {
  return homePayloads(stateHome({ repository: repository.id }));
}

/** @returns the address; null for empty logs */
export async function storeLogs(payloads: Payloads, logs: string): Promise<string | null> {
  return logs.trim() === "" ? null : payloads.put(mask(logs, secretValues()));
}

export interface LogExcerpt {
  readonly logs?: string;
  readonly logs_truncated?: true;
  readonly logs_ref?: string;
}

/** Returns only the end of longer logs, where failures show. */
export async function logExcerpt(
  payloads: Payloads,
  { ref, tokens }: { readonly ref: string | null; readonly tokens: number },
): Promise<LogExcerpt> {
  if (ref === null) return {};
  const text = await payloads.text(ref);
  const maxLength = tokens * charactersPerToken;
  if (text.length <= maxLength) return { logs: text };
  return { logs: text.slice(-maxLength), logs_truncated: true, logs_ref: ref };
}
