/** The calls that an agent may make on the channel of its dispatch. */
import type { DispatchCommand } from "../../kernel/command.ts";
import type { Calls } from "../../channel/server.ts";
import {
  okAnswer,
  errorAnswer,
  type AcceptedReport,
  type ChannelAnswer,
  type DispatchDescription,
} from "../../channel/wire.ts";
import type { HookFacts } from "../../run/hook-files.ts";
import { allowedCodes, plansIn } from "../prompt/codes.ts";
import type { Decisions, OfferResult } from "./decisions.ts";
import type { GraphOfDispatch } from "./graph-call.ts";

/** Calls that only some dispatches have. */
interface ExtraCalls {
  readonly graph?: GraphOfDispatch | null;
  /** `observe` and `query`. */
  readonly dialogue?: Calls | null;
  /** `payload`, in a graph. */
  readonly payloads?: Calls | null;
  /** `envoy`: commands of Envoy that only read. */
  readonly envoy?: Calls | null;
  /** `hook`: the facts for the agent's hooks. */
  readonly hook?: (() => Promise<HookFacts>) | null;
  /** The run's current state line. */
  readonly line?: () => string | null;
}

export function channelCalls(
  command: DispatchCommand,
  decisions: Decisions,
  {
    graph = null,
    dialogue = null,
    payloads = null,
    envoy = null,
    hook = null,
    line = () => null,
  }: ExtraCalls = {},
): Calls {
  const codes = [...allowedCodes(command)];
  return {
    describe: () => {
      const now = line();
      return okAnswer({
        role: command.role,
        codes,
        ...(plansIn(command) ? { plans: true } : {}),
        ...(graph === null ? {} : { memory: true }),
        ...(dialogue === null ? {} : { dialogue: true }),
        ...(payloads === null ? {} : { payloads: true }),
        ...(envoy === null ? {} : { envoy: true }),
        ...(now === null ? {} : { state_line: now }),
      } satisfies DispatchDescription);
    },
    report: (request) => report(request, { decisions, codes }),
    ...(graph === null ? {} : { memory: (request: unknown) => graph.answer(request) }),
    ...dialogue,
    ...payloads,
    ...envoy,
    ...(hook === null ? {} : { hook: async () => okAnswer(await hook()) }),
  };
}

interface ReportContext {
  readonly decisions: Decisions;
  readonly codes: string[];
}

/** An agent can report again after a refusal, so the answer includes everything it needs to do so. */
function report(request: unknown, { decisions, codes }: ReportContext): ChannelAnswer {
  const offer = decisions.offer(request, "mcp");
  if (offer.type === "refused") return refusalAnswer(offer, codes);
  return okAnswer({ accepted: offer.decision.status } satisfies AcceptedReport);
}

function refusalAnswer(
  { code, why, field }: Extract<OfferResult, { type: "refused" }>,
  codes: string[],
): ChannelAnswer {
  return errorAnswer({
    code,
    message: why,
    hint:
      field === undefined
        ? "the dispatch is decided; end your work"
        : `report again with one of: ${codes.join(", ")}`,
    ...(field === undefined ? {} : { field }),
    ...(code === "bad_payload" && field !== undefined ? { pointer: pointerOf(field) } : {}),
    codes,
  });
}

/** `payload.cycles.0.task` as a JSON pointer into the payload: `/cycles/0/task`. */
function pointerOf(field: string): string {
  return field
    .split(".")
    .slice(1)
    .map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}
