/** The decisions that an agent gives in one dispatch, by whatever channel: the first that may be given here counts. */
import type { Decision, JudgePayload, PayloadSchemas, Report, ReportChannel } from "../../family/decision.ts";
import { maskValue } from "../../lib/mask.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { EventOf } from "../../log/run-event.ts";
import { firstFault, ReportCall } from "../../channel/wire.ts";
import { allowedCodes } from "../prompt/codes.ts";
import { noSchemas } from "./payload-schemas.ts";

export type Offer =
  | { readonly type: "accepted"; readonly report: Report }
  | {
      readonly type: "refused";
      readonly code: string;
      readonly why: string;
      /** What to mend; missing where the dispatch is decided. */
      readonly field?: string;
    };

export interface Decisions {
  /** The same by every channel (CORE-54); what is no report at all is refused with its field. */
  offer(offered: unknown, channel: ReportChannel): Offer;
  accepted(): Decision | null;
  /** What was offered and does not count. */
  refused(): readonly EventOf<"report.refused">[];
  /** Why the last one was refused; null where none was offered, or one counts. */
  whyRefused(): string | null;
  /** The same refusals and what was noted between them, in the order in which they happened. */
  told(): readonly (EventOf<"report.refused"> | EventOf<"agent.nudged">)[];
  note(reminder: EventOf<"agent.nudged">): void;
  /** What was read otherwise than it was written, of the decision that counts. */
  changes(): readonly string[];
}

type Refusal = Extract<Offer, { type: "refused" }>;

const tooDeep: Refusal = {
  type: "refused",
  code: "report_refused",
  why: "payload: nested too deeply",
  field: "payload",
};

/** More are not kept: an agent that goes on and on says nothing new. */
const maxRefusals = 100;

export function collectDecisions(
  command: DispatchCommand,
  secrets: readonly string[],
  schemas: PayloadSchemas = noSchemas,
  judgePayload: JudgePayload = bySchema(schemas),
): Decisions {
  const refused: EventOf<"report.refused">[] = [];
  const told: (EventOf<"report.refused"> | EventOf<"agent.nudged">)[] = [];
  let why: string | null = null;
  const codes = allowedCodes(command);
  let decision: Decision | null = null;
  let changes: readonly string[] = [];
  const judge = (offered: Report): Offer => {
    if (decision !== null)
      return {
        type: "refused",
        code: "already_reported",
        why: `a later decision ${offered.status}; ${decision.status} counts`,
      };
    const judged = judgeReport(offered, { codes, judgePayload });
    if (judged.type === "accepted") ({ changes } = judged);
    return judged;
  };
  const refuse = (offer: Refusal): Refusal => {
    ({ why } = offer);
    return offer;
  };
  return {
    offer(offered, channel) {
      if (isNestedTooDeeply(offered)) return refuse(tooDeep);
      const read = readReport(maskValue(offered, secrets));
      // What has not the shape of a report is no decision, and not journaled as one.
      if (read.type === "refused") return refuse(read);
      const offer = judge(read.report);
      if (offer.type === "accepted") decision = { ...offer.report, channel };
      else if (refused.length < maxRefusals) {
        const fact = { type: "report.refused", key: command.key, why: offer.why } as const;
        refused.push(fact);
        told.push(fact);
      }
      return offer.type === "refused" ? refuse(offer) : offer;
    },
    accepted: () => decision,
    refused: () => refused,
    whyRefused: () => (decision === null ? why : null),
    told: () => told,
    note: (reminder) => void told.push(reminder),
    changes: () => changes,
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
  { codes, judgePayload }: { readonly codes: readonly string[]; readonly judgePayload: JudgePayload },
): ReportJudgement {
  if (!codes.includes(offered.status))
    return {
      type: "refused",
      code: "code_not_allowed",
      why: `${offered.status} is none of ${codes.join(", ")}`,
      field: "status",
    };
  const judged = judgePayload(offered.status, offered.payload);
  if (judged.type === "refused") return judged;
  const { payload, changes } = judged;
  const report = payload === offered.payload ? offered : { ...offered, payload };
  return { type: "accepted", report, changes };
}

type ReportJudgement = Refusal | (Extract<Offer, { type: "accepted" }> & Changed);

interface Changed {
  readonly changes: readonly string[];
}

/** As it is, or not at all. */
export function bySchema(schemas: PayloadSchemas): JudgePayload {
  return (status, payload) => {
    const checked = schemas(status)?.safeParse(payload);
    if (checked === undefined || checked.success) return { type: "accepted", payload, changes: [] };
    const { field, why } = firstFault(checked.error, "payload");
    return { type: "refused", code: "bad_payload", why: `${field}: ${why}`, field };
  };
}

/** Deeper than any payload that a protocol knows; far from where a stack ends. */
const maxDepth = 200;

function isNestedTooDeeply(value: unknown, most = maxDepth): boolean {
  let level: readonly object[] = isObject(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap((outer) => Object.values(outer).filter(isObject));
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
