/** Asks the reviewer, notes down what was asked and said, and asks again where only the network failed. */
import { z } from "zod";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import type { Payloads } from "../../journal/payloads.ts";
import { jsonOf, readText } from "../gates/folder.ts";
import type { PlanPlace } from "../place.ts";
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
  }) => Promise<ReviewerSaid>;
}

export type ReviewerSaid =
  | { readonly type: "said"; readonly text: string }
  /** Transient: a network error, an overloaded or a failing service. */
  | { readonly type: "unreachable"; readonly why: string; readonly transient: boolean };

export interface AskingReviewer {
  readonly plan: PlanPlace;
  readonly id: PromptId;
  readonly reviewer: Reviewer;
  readonly clock: Clock;
  readonly payloads: Payloads;
}

const pausesMs = [1_000, 2_000, 4_000];

export async function askReviewer(asking: AskingReviewer, prompt: string): Promise<ReviewVerdict> {
  const { reviewer, id, clock } = asking;
  for (let tries = 0; ; tries++) {
    const nth = (await asksOf(asking)).length + 1;
    const said = await reviewer.ask({ prompt, id: idText(id), nth });
    await note(asking, { nth, prompt, said });
    if (said.type === "said") return readVerdict(said.text);
    const pause = said.transient ? pausesMs[tries] : undefined;
    if (pause === undefined) return { type: "inconclusive", why: `${reviewer.name}: ${said.why}` };
    await clock.sleep(pause);
  }
}

const Asks = z.array(z.looseObject({ nth: z.number() }));

async function asksOf({ plan, id }: AskingReviewer): Promise<z.infer<typeof Asks>> {
  const text = await readText(join(plan.dir, placeOf(id)));
  const parsed = Asks.safeParse(jsonOf(text ?? "[]"));
  return parsed.success ? parsed.data : [];
}

async function note(
  asking: AskingReviewer,
  { nth, prompt, said }: { readonly nth: number; readonly prompt: string; readonly said: ReviewerSaid },
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
    const all = [...(await asksOf(asking)), entry];
    await write(placeOf(id), `${JSON.stringify(all, null, 2)}\n`);
  });
}

function placeOf(id: PromptId): string {
  return `reviews/${idText(id)}.json`;
}
