/**
 * Applies an answer: records it, appends its text to `user_input.md`, changes the plan, and only then removes the person's file.
 * A process that is killed in between leaves an unsettled record, and the next call completes it.
 */
import { byText } from "../../log/by-text.ts";
import type { By } from "../../log/by.ts";
import { userInfo } from "node:os";
import type { Clock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import type { Payloads } from "../../journal/payloads.ts";
import { readUserInput, removeGate, type Opening } from "./gate-files.ts";
import { withPlan } from "../write.ts";
import type { PlanGateAnswer, CommonFields, PlanGate, ParsedAnswer } from "./gate.ts";
import { storeLogs } from "./logs.ts";
import { readAnswer } from "./read-answer.ts";
import { saveAnswer } from "./answers.ts";

export interface AnswerToTake<Fields> {
  readonly given: ParsedAnswer<Fields>;
  readonly opening: Pick<Opening, "opened_at">;
  /** Address of the logs. */
  readonly logs: string | null;
  readonly by: By;
  readonly clock: Clock;
}

interface SavedAnswerOptions extends Pick<AnswerToTake<object>, "clock"> {
  readonly opening: Opening;
  readonly payloads: Payloads;
  /** The text that the caller has read. */
  readonly text?: string;
}

/** The caller holds the gates' lock. */
export async function takeAnswer<Fields extends object>(
  gate: PlanGate<Fields>,
  { given, opening, logs, by, clock }: AnswerToTake<Fields>,
): Promise<PlanGateAnswer> {
  const answer: PlanGateAnswer = {
    id: newId(12),
    gate: gate.name,
    shown: given.shown,
    fields: Object.fromEntries(Object.entries(given.fields)),
    logs,
    by,
    at: new Date(clock.now()).toISOString(),
    opened_at: opening.opened_at,
    settled: false,
    after: null,
    returned: false,
  };
  await saveAnswer(gate.plan, answer);
  return settleAnswer(gate, answer);
}

/** Takes the saved answer if it is valid and its text unchanged. The caller holds the gates' lock. */
export async function takeSavedAnswer<Fields extends object>(
  gate: PlanGate<Fields>,
  { opening, clock, payloads, text }: SavedAnswerOptions,
): Promise<PlanGateAnswer | null> {
  const now = await readAnswer(gate, opening.shown);
  if (now.type !== "answered" || now.text !== (text ?? now.text)) return null;
  const logs = await storeLogs(payloads, now.given.logs);
  const by = { answeredBy: "file" as const, authenticated: false, who: userInfo().username };
  return takeAnswer(gate, { given: now.given, opening, logs, by, clock });
}

/** Idempotent. The caller holds the gates' lock. */
export async function settleAnswer<Fields extends object>(
  gate: PlanGate<Fields>,
  answer: PlanGateAnswer,
): Promise<PlanGateAnswer> {
  const fields = typedFields(gate, answer);
  await appendUserInput(gate, answer, gate.words(fields));
  await gate.apply(answer, fields);
  await removeGate(gate.plan, gate.name);
  const after = gate.keyAfter === undefined ? null : await gate.keyAfter();
  const settled = { ...answer, settled: true, after };
  await saveAnswer(gate.plan, settled);
  return settled;
}

/** The typed fields of a recorded answer. */
export function typedFields<Fields extends object>(
  { schema }: PlanGate<Fields>,
  answer: PlanGateAnswer,
): Fields & CommonFields {
  return schema.parse({ ...answer.fields, done: true });
}

async function appendUserInput(
  gate: Pick<PlanGate, "plan" | "title">,
  { id, at, by, shown }: PlanGateAnswer,
  words: string,
): Promise<void> {
  if (words === "") return;
  const mark = `<!-- answer ${id} -->`;
  await withPlan(gate.plan, async (write) => {
    const before = await readUserInput(gate.plan);
    if (before.includes(mark)) return;
    const iteration = shown.iteration === null ? "" : `, iteration ${shown.iteration}`;
    const head = `## [${gate.title}${iteration}]\n\n${mark}\nAnswered by ${byText(by)} at ${at}.`;
    const gap = before === "" ? "" : before.endsWith("\n") ? "\n" : "\n\n";
    await write("user_input.md", `${before}${gap}${head}\n\n${words}\n`);
  });
}
