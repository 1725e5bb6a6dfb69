/** The decisions that an agent gives in one dispatch, by whatever channel: the first that may be given here counts. */
import type { z } from "zod";
import { maskValue } from "../../lib/mask.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { EventOf } from "../../kernel/run-event.ts";
import { firstFault, ReportCall } from "../channel/wire.ts";
import { allowedCodes } from "./codes.ts";
import { noSchemas, type PayloadSchemas } from "./payload-schemas.ts";

export interface Report {
  readonly status: string;
  readonly message: string;
  readonly payload?: unknown;
}

/** By the MCP tool, by an answer to a JSON Schema, by the last line, or by an event in the agent's own stream. */
export type ReportChannel = NonNullable<EventOf<"result">["channel"]>;

export interface Decision extends Report {
  readonly channel: ReportChannel;
}

export type Offer =
  | { readonly type: "accepted"; readonly report: Report }
  | {
      readonly type: "refused";
      readonly code: RefusalCode;
      readonly why: string;
      /** What to mend; missing where the dispatch is decided. */
      readonly field?: string;
    };

/** Explained in docs/errors.md. */
export type RefusalCode = "report_refused" | "code_not_allowed" | "bad_payload" | "already_reported";

export interface Decisions {
  /** The same by every channel (CORE-54); what is no report at all is refused with its field. */
  offer(offered: unknown, channel: ReportChannel): Offer;
  accepted(): Decision | null;
  /** What was offered and does not count. */
  refused(): readonly EventOf<"report.refused">[];
}

/** More are not kept: an agent that goes on and on says nothing new. */
const mostRefused = 100;

export function collectDecisions(
  command: DispatchCommand,
  secrets: readonly string[],
  schemas: PayloadSchemas = noSchemas,
): Decisions {
  const refused: EventOf<"report.refused">[] = [];
  const codes = allowedCodes(command);
  let decision: Decision | null = null;
  const judge = (offered: Report): Offer => {
    if (decision !== null)
      return {
        type: "refused",
        code: "already_reported",
        why: `a later decision ${offered.status}; ${decision.status} counts`,
      };
    return judgeReport(offered, { codes, schema: schemas(offered.status) });
  };
  return {
    offer(told, channel) {
      const read = readReport(maskValue(told, secrets));
      // What has not the shape of a report is no decision, and not journaled as one.
      if (read.type === "refused") return read;
      const offer = judge(read.report);
      if (offer.type === "accepted") decision = { ...offer.report, channel };
      else if (refused.length < mostRefused)
        refused.push({ type: "report.refused", key: command.key, why: offer.why });
      return offer;
    },
    accepted: () => decision,
    refused: () => refused,
  };
}

/** A payload of null is none: an answer to a JSON Schema must hold every key. */
function readReport(told: unknown): Offer {
  const read = ReportCall.safeParse(told);
  if (!read.success) {
    const { field, why } = firstFault(read.error, "");
    return { type: "refused", code: "report_refused", why: field === "" ? why : `${field}: ${why}`, field };
  }
  const { payload, ...report } = read.data;
  return { type: "accepted", report: payload == null ? report : { ...report, payload } };
}

export function judgeReport(
  offered: Report,
  { codes, schema }: { readonly codes: readonly string[]; readonly schema: z.ZodType | null },
): Offer {
  if (!codes.includes(offered.status))
    return {
      type: "refused",
      code: "code_not_allowed",
      why: `${offered.status} is none of ${codes.join(", ")}`,
      field: "status",
    };
  const checked = schema?.safeParse(offered.payload);
  if (checked === undefined || checked.success) return { type: "accepted", report: offered };
  const { field, why } = firstFault(checked.error, "payload");
  return { type: "refused", code: "bad_payload", why: `${field}: ${why}`, field };
}
