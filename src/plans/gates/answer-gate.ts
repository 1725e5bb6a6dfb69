/** `mettle answer <gate> --set <field>=<value>`: takes the same fields as the gate's file, with the same checks. */
import { byText } from "../../log/by-text.ts";
import type { By } from "../../log/by.ts";
import { AppError } from "../../lib/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Payloads } from "../../journal/payloads.ts";
import type { PlanLocation } from "../find-plan.ts";
import { gateFile, gateNames, readOpening, readText, tooLargeText, tooLarge } from "./gate-files.ts";
import { withGateByName } from "./open-gates.ts";
import type { PlanGateAnswer, PlanGate } from "./gate.ts";
import { storeLogs } from "./logs.ts";
import { checkAnswer, readLogs, answerErrorText } from "./read-answer.ts";
import { readAnswers } from "./answers.ts";
import { openingHash } from "./opening-hash.ts";
import { setFields } from "./set-fields.ts";
import { refuseObsolete } from "./obsolete.ts";
import { settleInterrupted, withGatesLock } from "./wait.ts";
import { takeAnswer, takeSavedAnswer } from "./settle.ts";

export interface GateAnswerRequest {
  /** Such as `test_passed=true`, `variants.A.decision=main`, `logs=…`. */
  readonly sets: readonly (readonly [field: string, value: string])[];
  readonly by: By;
  readonly clock: Clock;
  readonly payloads: Payloads;
  /** Hash of the question that the person saw, where it could have changed since (`openingHash`). */
  readonly seen?: string;
}

export async function answerGate(
  plan: PlanLocation,
  name: string,
  given: GateAnswerRequest,
): Promise<PlanGateAnswer> {
  if (!(await gateNames(plan)).includes(name)) throw await notOpenError(plan, name);
  await refuseObsolete(plan, name);
  const answer = await withGateByName(plan, name, (gate) => answerOpenGate(gate, given));
  if (answer === null) throw await notOpenError(plan, name);
  return answer;
}

async function answerOpenGate<Fields extends object>(
  gate: PlanGate<Fields>,
  { sets, by, clock, payloads, seen }: GateAnswerRequest,
): Promise<PlanGateAnswer> {
  return withGatesLock(gate, async () => {
    await settleInterrupted(gate);
    const text = await readText(gateFile(gate.plan, gate.name));
    if (text === null) throw await notOpenError(gate.plan, gate.name);
    if (text === tooLarge)
      throw new AppError("invalid_answer", `${gateFile(gate.plan, gate.name)} is ${tooLargeText}`, {
        hint: "delete it and let the agent call the gate again",
      });
    const opening = await readOpening(gate.plan, gate.name);
    if (opening === null) throw await notOpenError(gate.plan, gate.name);
    if (seen !== undefined && seen !== openingHash(opening))
      throw new AppError("approval_stale", `what ${gate.name} asks has changed since it was shown`, {
        hint: "look at the gate again, then answer it",
      });
    // The file may already hold an answer that no call has taken.
    if ((await takeSavedAnswer(gate, { opening, clock, payloads })) !== null)
      throw await notOpenError(gate.plan, gate.name);
    const { value, logs } = setFields({ text, blank: gate.blank, sets, takesLogs: gate.logsHead !== null });
    const shown = opening.shown;
    const checked = await checkAnswer(gate, { value, logs: logs ?? (await readLogs(gate)), shown });
    if ("wrong" in checked)
      throw new AppError(checked.wrong.code ?? "invalid_answer", answerErrorText(checked.wrong), {
        hint: `correct it with --set, or in ${gateFile(gate.plan, gate.name)}; nothing was changed`,
        detail: checked.wrong,
      });
    return takeAnswer(gate, {
      given: checked.given,
      opening,
      logs: await storeLogs(payloads, checked.given.logs),
      by,
      clock,
    });
  });
}

async function notOpenError(plan: Pick<PlanLocation, "dir">, name: string): Promise<AppError> {
  const last = (await readAnswers(plan, name)).at(-1);
  if (last === undefined)
    return new AppError("not_found", `there is no open gate ${name}`, {
      hint: "mettle status lists the open gates",
    });
  return new AppError("already_answered", `${name} was answered at ${last.at} by ${byText(last.by)}`, {
    hint: "the first answer counts; to change it, have the agent call the gate with --again",
  });
}
