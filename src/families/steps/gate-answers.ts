/** Settles asks that wait for a gate of the plan, once a person has filled in the gate's file (ENV-88). */
import { stat } from "node:fs/promises";
import type { AskCommand } from "../../kernel/command.ts";
import { isPlanGate } from "../../views/asks.ts";
import { waitingAsks } from "../../kernel/inspect.ts";
import type { RunContext } from "../../run/context.ts";
import { OpenGate } from "../../family/open-gate.ts";
import { gateFile, readOpening, readText } from "../../plans/gates/gate-files.ts";
import type { PlanFolder } from "../../plans/write.ts";
import { isOfWorkers } from "../../run/run-host.ts";
import { callEnvoy, waitingGate } from "./worker-envoy.ts";
import { planOfRun, workAt } from "./work.ts";

/** A changed file is read once it has been unchanged for this time. */
const calmMs = 1_000;

/** Last known modification time of each gate file, by the key of its ask. An unchanged file has no new answer. */
export type GateFileTimes = Map<string, number | null>;

/** Settles the first ask that has an answer; false if there is none. */
export async function settleGateAnswer(context: RunContext, lastTimes: GateFileTimes): Promise<boolean> {
  for (const ask of waitingAsks(context.session.state).filter(isPlanGate)) {
    const answer = await answerOf(context, ask, lastTimes);
    if (answer === null) continue;
    await context.session.settle(ask.key, { outcome: "given", text: answer });
    return true;
  }
  return false;
}

async function answerOf(
  context: RunContext,
  ask: AskCommand,
  lastTimes: GateFileTimes,
): Promise<string | null> {
  const open = await gateOfAsk(context, ask);
  if (open === null) return "";
  // Throws if the plan or its branch is gone, since no agent could continue.
  const plan = await planOfRun(context);
  const file = gateFile(plan, open.gate);
  if (isOfWorkers(context) && (await isUntouched(plan, open.gate))) return null;
  const changed = await changedAt(file);
  if (lastTimes.has(ask.key) && lastTimes.get(ask.key) === changed) return null;
  const answer = await callEnvoy(context, await workAt(context, ask), open, calmMs);
  lastTimes.set(ask.key, await changedAt(file));
  return waitingGate(answer) === null ? `\`${gateCommand(open)}\` answers:\n${answer.text}` : null;
}

/** The call that opened the gate; null if the runtime opened it. */
async function gateOfAsk({ payloads }: RunContext, { causes }: AskCommand) {
  const ref = causes.findLast(({ payload }) => payload !== undefined)?.payload;
  const read = ref === undefined ? null : OpenGate.safeParse(JSON.parse(await payloads.text(ref)));
  return read?.success === true ? read.data : null;
}

/** Whether no person has written in a gate's file. To ask again would write it anew, and the person's copy would be of an old state. */
async function isUntouched(plan: PlanFolder, gate: string): Promise<boolean> {
  const [text, opening] = await Promise.all([readText(gateFile(plan, gate)), readOpening(plan, gate)]);
  return text !== null && text === opening?.template;
}

async function changedAt(file: string): Promise<number | null> {
  const found = await stat(file).catch(() => null); // answered, and removed
  return found?.mtimeMs ?? null;
}

/** The command as the agent typed it: `envoy plan block-prompt-testing-gate 1 A`. */
function gateCommand({ tool, args }: Pick<OpenGate, "tool" | "args">): string {
  const [group = "", ...rest] = tool.replace("envoy_", "").split("_");
  const words = ["prompt_num", "variant"].flatMap((name) => {
    const value = args[name];
    return typeof value === "string" || typeof value === "number" ? [`${value}`] : [];
  });
  return ["envoy", group, rest.join("-"), ...words].join(" ");
}
