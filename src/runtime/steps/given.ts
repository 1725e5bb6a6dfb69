/** Asks that a gate of the plan answers: a person fills in the gate's file, and the run goes on with what the command then says (ENV-88). */
import { stat } from "node:fs/promises";
import { z } from "zod";
import { AppError } from "../../lib/errors.ts";
import type { AskCommand } from "../../kernel/command.ts";
import { isPlanGate } from "../../views/asks.ts";
import { waitingAsks } from "../../kernel/inspect.ts";
import type { RunContext } from "../context.ts";
import { orderOfGate } from "./gate-order.ts";
import type { ToolAnswer } from "../envoy-program.ts";
import { isHosted } from "./hosted.ts";
import { callEnvoy, waitingAt } from "./worker-envoy.ts";
import { workAt } from "./work.ts";

/** A file that was saved just now is read when it has been left alone for a moment. */
const calmMs = 1_000;

/** When each gate's file was last looked at: a file that nobody touched has no answer. */
export type Looked = Map<string, number | null>;

/** Settles the first one that has an answer; false where there is none. */
export async function takeGivenGate(context: RunContext, looked: Looked): Promise<boolean> {
  if (!isHosted(context.protocol)) return false;
  for (const ask of waitingAsks(context.session.state).filter(isPlanGate)) {
    const answer = await answerOf(context, ask, looked);
    if (answer === null) continue;
    await context.session.settle(ask.key, { outcome: "given", text: answer });
    return true;
  }
  return false;
}

async function answerOf(context: RunContext, ask: AskCommand, looked: Looked): Promise<string | null> {
  const open = await openedBefore(context, ask);
  if (open === null) return "";
  const changed = await changedAt(open.file);
  if (looked.has(ask.key) && looked.get(ask.key) === changed) return null;
  const answer = await callEnvoy(context, await workAt(context, ask), open, calmMs);
  looked.set(ask.key, await changedAt(open.file));
  refuseWithoutPlan(answer);
  return waitingAt(answer) === null ? `\`${orderOfGate(open)}\` answers:\n${answer.text}` : null;
}

/** Where there is no plan any more, only a person can help, and no agent is to be called. */
function refuseWithoutPlan({ exit, text }: ToolAnswer): void {
  if (exit === 0 || exit === 3) return;
  const { error } = z
    .object({ error: z.object({ code: z.string(), message: z.string(), hint: z.string() }) })
    .parse(JSON.parse(text));
  if (error.code !== "no_plan") return;
  throw new AppError("no_plan", error.message, { hint: error.hint });
}

const OpenGate = z.object({
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  gate: z.string(),
  file: z.string(),
});

/** What the agent had called; null where the runtime itself asked. */
async function openedBefore({ payloads }: RunContext, { causes }: AskCommand) {
  const ref = causes.findLast(({ payload }) => payload !== undefined)?.payload;
  const read = ref === undefined ? null : OpenGate.safeParse(JSON.parse(await payloads.text(ref)));
  return read?.success === true ? read.data : null;
}

async function changedAt(file: string): Promise<number | null> {
  const found = await stat(file).catch(() => null); // answered, and taken away
  return found?.mtimeMs ?? null;
}
