/** The recorded answers of a plan's gates, `user_feedback/answered/<gate>.json`: written before they take effect. */
import { join } from "node:path";
import * as z from "zod";
import { parseJson } from "../../lib/json.ts";
import { by } from "../../log/by.ts";
import { yamlError } from "../../lib/yaml/yaml-document.ts";
import { writePlanFile, type PlanFolder } from "../write.ts";
import { readText, GateSubject } from "./gate-files.ts";
import type { PlanGateAnswer } from "./gate.ts";

const Answers = z.array(
  z.object({
    id: z.string(),
    gate: z.string(),
    shown: GateSubject,
    fields: z.record(z.string(), z.unknown()),
    logs: z.string().nullable(),
    by,
    at: z.string(),
    opened_at: z.string(),
    settled: z.boolean(),
    after: z.string().nullable(),
    returned: z.boolean().optional(),
  }),
);

/** Oldest first. */
export async function readAnswers(plan: PlanFolder, gate: string): Promise<readonly PlanGateAnswer[]> {
  const file = join(plan.dir, pathOf(gate));
  const text = await readText(file);
  if (text === null) return [];
  const parsed = Answers.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const message = "the record of this gate's answers cannot be read";
  throw yamlError("invalid_schema", [{ file, line: 1, column: 1, path: [], message }]);
}

/** Adds the answer, or updates its record. */
export async function saveAnswer(plan: PlanFolder, answer: PlanGateAnswer): Promise<void> {
  const all = await readAnswers(plan, answer.gate);
  const isKnown = all.some(({ id }) => id === answer.id);
  const after = isKnown ? all.map((one) => (one.id === answer.id ? answer : one)) : [...all, answer];
  await writePlanFile(plan.dir, pathOf(answer.gate), `${JSON.stringify(after, null, 2)}\n`);
}

/** The last answer, if it is about the work with this key. */
export function lastAnswerFor(answers: readonly PlanGateAnswer[], key: string): PlanGateAnswer | null {
  const last = answers.at(-1);
  return last !== undefined && (last.shown.key === key || last.after === key) ? last : null;
}

function pathOf(gate: string): string {
  return `user_feedback/answered/${gate}.json`;
}
