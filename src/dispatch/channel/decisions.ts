/** Collects an agent's decisions in one dispatch, from every channel. The first valid one counts. */
import type { Decision, JudgePayload, PayloadSchemas, ReportChannel } from "../../family/decision.ts";
import { maskValue } from "../../lib/mask.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { EventOf } from "../../log/run-event.ts";
import { firstFault, ReportCall } from "../../channel/wire.ts";
import { allowedCodes } from "../prompt/codes.ts";
import { noSchemas } from "./payload-schemas.ts";

export type OfferResult =
  | { readonly type: "accepted"; readonly decision: Decision }
  | {
      readonly type: "refused";
      readonly code: string;
      readonly why: string;
      /** The field to fix; missing if the dispatch is already decided. */
      readonly field?: string;
    };

export interface Decisions {
  /** Same rules for every channel (CORE-54). A malformed report is refused with its field. */
  offer(offered: unknown, channel: ReportChannel): OfferResult;
  accepted(): Decision | null;
  /** The refused decisions. */
  refused(): readonly EventOf<"report.refused">[];
  /** Why the last decision was refused; null if none was offered or one counts. */
  whyRefused(): string | null;
  /** The refusals and reminders, in order. */
  facts(): readonly (EventOf<"report.refused"> | EventOf<"agent.nudged">)[];
  note(reminder: EventOf<"agent.nudged">): void;
  /** Corrections that were made to the accepted payload. */
  changes(): readonly string[];
}

type Refusal = Extract<OfferResult, { type: "refused" }>;

const tooDeep: Refusal = {
  type: "refused",
  code: "report_refused",
  why: "payload: nested too deeply",
  field: "payload",
};

/** Further refusals are not journaled. */
const maxRefusals = 100;

export function collectDecisions(
  command: DispatchCommand,
  secrets: readonly string[],
  schemas: PayloadSchemas = noSchemas,
  judgePayload: JudgePayload = bySchema(schemas),
): Decisions {
  const refused: EventOf<"report.refused">[] = [];
  const facts: (EventOf<"report.refused"> | EventOf<"agent.nudged">)[] = [];
  let why: string | null = null;
  const codes = allowedCodes(command);
  let decision: Decision | null = null;
  let changes: readonly string[] = [];
  const judge = (offered: Decision): OfferResult => {
    if (decision !== null)
      return {
        type: "refused",
        code: "already_reported",
        why: `a later decision ${offered.status}; ${decision.status} counts`,
      };
    const judged = judgeDecision(offered, { codes, judgePayload });
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
      // A malformed report is not journaled as a decision.
      if (read.type === "refused") return refuse(read);
      const offer = judge(read.decision);
      if (offer.type === "accepted") decision = { ...offer.decision, channel };
      else if (refused.length < maxRefusals) {
        const fact = { type: "report.refused", key: command.key, why: offer.why } as const;
        refused.push(fact);
        facts.push(fact);
      }
      return offer.type === "refused" ? refuse(offer) : offer;
    },
    accepted: () => decision,
    refused: () => refused,
    whyRefused: () => (decision === null ? why : null),
    facts: () => facts,
    note: (reminder) => void facts.push(reminder),
    changes: () => changes,
  };
}

/** A payload of null counts as missing: an answer to a JSON Schema must have every key. */
function readReport(value: unknown): OfferResult {
  const read = ReportCall.safeParse(value);
  if (!read.success) {
    const { field, why } = firstFault(read.error, "");
    return { type: "refused", code: "report_refused", why: field === "" ? why : `${field}: ${why}`, field };
  }
  const { payload, ...decision } = read.data;
  return { type: "accepted", decision: payload == null ? decision : { ...decision, payload } };
}

export function judgeDecision(
  offered: Decision,
  { codes, judgePayload }: { readonly codes: readonly string[]; readonly judgePayload: JudgePayload },
): Judgement {
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
  const decision = payload === offered.payload ? offered : { ...offered, payload };
  return { type: "accepted", decision, changes };
}

type Judgement = Refusal | (Extract<OfferResult, { type: "accepted" }> & Changed);

interface Changed {
  readonly changes: readonly string[];
}

/** Accepts a valid payload unchanged. */
export function bySchema(schemas: PayloadSchemas): JudgePayload {
  return (status, payload) => {
    const checked = schemas(status)?.safeParse(payload);
    if (checked === undefined || checked.success) return { type: "accepted", payload, changes: [] };
    const { field, why } = firstFault(checked.error, "payload");
    return { type: "refused", code: "bad_payload", why: `${field}: ${why}`, field };
  };
}

/** Deeper than any payload of a protocol, and far from a stack overflow. */
const maxDepth = 200;

function isNestedTooDeeply(value: unknown): boolean {
  let level: readonly object[] = isObject(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    level = level.flatMap((outer) => Object.values(outer).filter(isObject));
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
