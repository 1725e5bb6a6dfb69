/** Logs that a person pastes: kept whole in the payload store; an agent is handed as many tokens as it can read. */
import { stateHome } from "../../config/home.ts";
import { secretValues } from "../../config/env.ts";
import { filePayloads } from "../../journal/file-payloads.ts";
import type { Payloads } from "../../journal/payloads.ts";
import { mask } from "../../lib/mask.ts";
import type { PlanLocation } from "../find-plan.ts";

/** As everywhere in Envoy: four characters. */
const charactersPerToken = 4;

export function payloadsOf({ repository }: Pick<PlanLocation, "repository">): Payloads {
  return filePayloads(stateHome({ repository: repository.id }).payloads);
}

/** The address; null where there are none. */
export async function storeLogs(payloads: Payloads, logs: string): Promise<string | null> {
  return logs.trim() === "" ? null : payloads.put(mask(logs, secretValues()));
}

export interface LogExcerpt {
  readonly logs?: string;
  readonly logs_truncated?: true;
  readonly logs_ref?: string;
}

/** The end of them, which is where things went wrong, when they are longer. */
export async function logExcerpt(
  payloads: Payloads,
  { ref, tokens }: { readonly ref: string | null; readonly tokens: number },
): Promise<LogExcerpt> {
  if (ref === null) return {};
  const text = await payloads.text(ref);
  const most = tokens * charactersPerToken;
  if (text.length <= most) return { logs: text };
  return { logs: text.slice(-most), logs_truncated: true, logs_ref: ref };
}
