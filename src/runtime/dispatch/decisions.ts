/** The decisions that an agent gives in one dispatch, by whatever channel: the first that may be given here counts. */
import type { z } from "zod";
import { maskValue } from "../../lib/mask.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { EventOf } from "../../kernel/run-event.ts";
import { firstFault } from "../channel/wire.ts";
import { allowedCodes } from "./codes.ts";

export interface Report {
  readonly status: string;
  readonly message: string;
  readonly payload?: unknown;
}

export type Offer =
  | { readonly type: "accepted"; readonly report: Report }
  | { readonly type: "refused"; readonly why: string; readonly field?: string };

export interface Decisions {
  /** The same for a report by the agent's stream, by the channel and by its last line (CORE-54). */
  offer(offered: Report): Offer;
  accepted(): Report | null;
  /** What was offered and does not count. */
  refused(): readonly EventOf<"report.refused">[];
}

/** More are not kept: an agent that goes on and on says nothing new. */
const mostRefused = 100;

export function collectDecisions(command: DispatchCommand, secrets: readonly string[]): Decisions {
  const refused: EventOf<"report.refused">[] = [];
  let report: Report | null = null;
  const judge = (offered: Report): Offer => {
    if (report !== null)
      return { type: "refused", why: `a later decision ${offered.status}; ${report.status} counts` };
    const schema = payloadSchema(command, offered.status);
    return judgeReport(offered, { codes: allowedCodes(command), schema });
  };
  return {
    offer(told) {
      const offered = withoutSecrets(told, secrets);
      const offer = judge(offered);
      if (offer.type === "accepted") ({ report } = offer);
      else if (refused.length < mostRefused)
        refused.push({ type: "report.refused", key: command.key, why: offer.why });
      return offer;
    },
    accepted: () => report,
    refused: () => refused,
  };
}

export function judgeReport(
  offered: Report,
  { codes, schema }: { readonly codes: readonly string[]; readonly schema: z.ZodType | null },
): Offer {
  if (!codes.includes(offered.status))
    return { type: "refused", why: `${offered.status} is none of ${codes.join(", ")}`, field: "status" };
  const checked = schema?.safeParse(offered.payload);
  if (checked === undefined || checked.success) return { type: "accepted", report: offered };
  const { field, why } = firstFault(checked.error, "payload");
  return { type: "refused", why: `${field}: ${why}`, field };
}

/**
 * What the payload must be that a role gives with a code; null: anything. No role of this version has one: the gates of
 * orchestrate read the payloads of its roles themselves, and send back what they cannot use.
 */
function payloadSchema(_command: DispatchCommand, _status: string): z.ZodType | null {
  return null;
}

/** A code is a word; of what is none, a little is enough to know it by. */
const longestStatus = 64;

function withoutSecrets(told: Report, secrets: readonly string[]): Report {
  const { status, message, payload } = maskValue(told, secrets) as Report;
  const report = { status: status.slice(0, longestStatus), message };
  return payload === undefined ? report : { ...report, payload };
}
