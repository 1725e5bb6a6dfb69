/** Sends a review request, records request and reply, and retries on network errors. */
import { secretValues } from "../../config/env.ts";
import { parseJson } from "../../lib/json.ts";
import { mask } from "../../lib/mask.ts";
import * as z from "zod";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import type { Payloads } from "../../journal/payloads.ts";
import { readText } from "../gates/gate-files.ts";
import type { PlanLocation } from "../find-plan.ts";
import { idText, type PromptId } from "../prompt/prompt-id.ts";
import { withPlan } from "../write.ts";
import { readVerdict, type ReviewVerdict } from "./verdict.ts";

/** Port: the agent in the role of the reviewer. */
export interface Reviewer {
  readonly name: string;
  readonly ask: (question: {
    readonly prompt: string;
    /** The reviewed prompt, such as `1_A`. */
    readonly id: string;
    /** Number of this request among those about the prompt, from 1. */
    readonly nth: number;
  }) => Promise<ReviewerReply>;
}

export type ReviewerReply =
  | { readonly type: "replied"; readonly text: string }
  /** Transient errors: network, overload, failure of the service. */
  | { readonly type: "unreachable"; readonly why: string; readonly transient: boolean };

export interface ReviewRequest {
  readonly plan: PlanLocation;
  readonly id: PromptId;
  readonly reviewer: Reviewer;
  readonly clock: Clock;
  readonly payloads: Payloads;
}

const pausesMs = [1_000, 2_000, 4_000];

export async function askReviewer(request: ReviewRequest, prompt: string): Promise<ReviewVerdict> {
  const { reviewer, id, clock } = request;
  for (let attempt = 0; ; attempt++) {
    const nth = (await readRequests(request)).length + 1;
    const reply = await reviewer.ask({ prompt, id: idText(id), nth });
    await recordRequest(request, { nth, prompt, reply });
    if (reply.type === "replied") return readVerdict(reply.text);
    const pause = reply.transient ? pausesMs[attempt] : undefined;
    if (pause === undefined) return { type: "inconclusive", why: `${reviewer.name}: ${reply.why}` };
    await clock.sleep(pause);
  }
}

const Requests = z.array(z.looseObject({ nth: z.number() }));

async function readRequests({ plan, id }: ReviewRequest): Promise<z.infer<typeof Requests>> {
  const text = await readText(join(plan.dir, pathOf(id)));
  const parsed = Requests.safeParse(parseJson(text ?? "[]"));
  return parsed.success ? parsed.data : [];
}

async function recordRequest(
  request: ReviewRequest,
  { nth, prompt, reply }: { readonly nth: number; readonly prompt: string; readonly reply: ReviewerReply },
): Promise<void> {
  const { plan, id, reviewer, clock, payloads } = request;
  const entry = {
    nth,
    at: new Date(clock.now()).toISOString(),
    reviewer: reviewer.name,
    prompt: await payloads.put(mask(prompt, secretValues())),
    ...(reply.type === "replied" ? { answer: await payloads.put(reply.text) } : { unreachable: reply.why }),
  };
  await withPlan(plan, async (write) => {
    const all = [...(await readRequests(request)), entry];
    await write(pathOf(id), `${JSON.stringify(all, null, 2)}\n`);
  });
}

function pathOf(id: PromptId): string {
  return `reviews/${idText(id)}.json`;
}
