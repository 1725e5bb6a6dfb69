/** Asks the reviewer, notes down what was asked and said, and asks again where only the network failed. */
import { z } from "zod";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import type { Payloads } from "../../journal/payloads.ts";
import { readText } from "../gates/gate-files.ts";
import { parseJson } from "../read-file.ts";
import type { PlanLocation } from "../find-plan.ts";
import { idText, type PromptId } from "../prompt/prompt-id.ts";
import { withPlan } from "../write.ts";
import { readVerdict, type ReviewVerdict } from "./verdict.ts";

/** The agent that plays the reviewer: the port behind which it is started. */
export interface Reviewer {
  readonly name: string;
  readonly ask: (question: {
    readonly prompt: string;
    /** The prompt that is reviewed, `1_A`. */
    readonly id: string;
    /** From 1: how often it was asked of this prompt. */
    readonly nth: number;
  }) => Promise<ReviewerReply>;
}

export type ReviewerReply =
  | { readonly type: "said"; readonly text: string }
  /** Transient: a network error, an overloaded or a failing service. */
  | { readonly type: "unreachable"; readonly why: string; readonly transient: boolean };

export interface ReviewRequest {
  readonly plan: PlanLocation;
  readonly id: PromptId;
  readonly reviewer: Reviewer;
  readonly clock: Clock;
  readonly payloads: Payloads;
}

const pausesMs = [1_000, 2_000, 4_000];

export async function askReviewer(asking: ReviewRequest, prompt: string): Promise<ReviewVerdict> {
  const { reviewer, id, clock } = asking;
  for (let tries = 0; ; tries++) {
    const nth = (await readRequests(asking)).length + 1;
    const said = await reviewer.ask({ prompt, id: idText(id), nth });
    await recordRequest(asking, { nth, prompt, said });
    if (said.type === "said") return readVerdict(said.text);
    const pause = said.transient ? pausesMs[tries] : undefined;
    if (pause === undefined) return { type: "inconclusive", why: `${reviewer.name}: ${said.why}` };
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
  asking: ReviewRequest,
  { nth, prompt, said }: { readonly nth: number; readonly prompt: string; readonly said: ReviewerReply },
): Promise<void> {
  const { plan, id, reviewer, clock, payloads } = asking;
  const entry = {
    nth,
    at: new Date(clock.now()).toISOString(),
    reviewer: reviewer.name,
    prompt: await payloads.put(prompt),
    ...(said.type === "said" ? { answer: await payloads.put(said.text) } : { unreachable: said.why }),
  };
  await withPlan(plan, async (write) => {
    const all = [...(await readRequests(asking)), entry];
    await write(pathOf(id), `${JSON.stringify(all, null, 2)}\n`);
  });
}

function pathOf(id: PromptId): string {
  return `reviews/${idText(id)}.json`;
}
