/** Reads the answer that a person has saved, strictly. Never writes to the file. */
import * as z from "zod";
import { AppError } from "../../lib/errors.ts";
import { relevantIssue } from "../../lib/plain-issues.ts";
import { readYaml } from "../front-matter.ts";
import { gateFile, logsFile, logsIn, readText, tooLargeText, tooLarge } from "./gate-files.ts";
import type { CommonFields, PlanGate, ParsedAnswer, GateSubject, AnswerError } from "./gate.ts";

export type ReadResult<Fields> =
  | { readonly type: "absent" }
  /** `done` is not true yet. */
  | { readonly type: "waiting"; readonly text: string }
  /** Not valid YAML, perhaps half saved. */
  | { readonly type: "broken"; readonly text: string; readonly why: string }
  | { readonly type: "wrong"; readonly text: string; readonly why: string; readonly wrong: AnswerError }
  | { readonly type: "answered"; readonly text: string; readonly given: ParsedAnswer<Fields> };

export async function readAnswer<Fields extends object>(
  gate: PlanGate<Fields>,
  shown: GateSubject,
): Promise<ReadResult<Fields>> {
  const text = await readText(gateFile(gate.plan, gate.name));
  if (text === null) return { type: "absent" };
  const file = parseFile(text);
  if (file.type === "broken") return { type: "broken", text, why: file.why };
  if (file.done === false) return { type: "waiting", text };
  const given = await checkAnswer(gate, { value: file.value, logs: await readLogs(gate), shown });
  return "wrong" in given
    ? { type: "wrong", text, why: answerErrorText(given.wrong), wrong: given.wrong }
    : { type: "answered", text, given: given.given };
}

export interface RawAnswer {
  readonly value: unknown;
  readonly logs: string;
  readonly shown: GateSubject;
}

/** Checks an answer from the gate's file or from a command. */
export async function checkAnswer<Fields extends object>(
  gate: PlanGate<Fields>,
  { value, logs, shown }: RawAnswer,
): Promise<{ readonly wrong: AnswerError } | { readonly given: ParsedAnswer<Fields> }> {
  const parsed = gate.schema.safeParse(value);
  if (!parsed.success) return { wrong: firstIssue(parsed.error) };
  if (logs === tooLarge) return { wrong: { field: "logs", message: `they are ${tooLargeText}` } };
  const fields: Fields & CommonFields = parsed.data;
  const given = { fields, logs, shown };
  const wrong = await gate.judge(given);
  return wrong === null ? { given } : { wrong };
}

export function answerErrorText({ field, message, code }: AnswerError): string {
  return `${code === undefined ? "" : `${code}: `}${field}: ${message}`;
}

export async function readLogs(gate: Pick<PlanGate, "plan" | "name" | "logsHead">): Promise<string> {
  if (gate.logsHead === null) return "";
  return logsIn((await readText(logsFile(gate.plan, gate.name))) ?? "");
}

function parseFile(
  text: string,
):
  | { readonly type: "read"; readonly value: unknown; readonly done: unknown }
  | { readonly type: "broken"; readonly why: string } {
  if (text === tooLarge) return { type: "broken", why: `the file is ${tooLargeText}` };
  try {
    const value = readYaml("the answer", text, z.record(z.string(), z.unknown()));
    return { type: "read", value, done: value["done"] };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { type: "broken", why: error.message };
  }
}

function firstIssue(error: z.ZodError): AnswerError {
  const [issue] = error.issues;
  const path = issue?.path.map(String).join(".") ?? "";
  if (issue?.code === "unrecognized_keys") {
    const field = [...(path === "" ? [] : [path]), issue.keys[0] ?? ""].join(".");
    return { field, message: "there is no such field" };
  }
  if (issue === undefined) return { field: path, message: "is not valid" };
  const at = relevantIssue(issue);
  return { field: at.path.map(String).join("."), message: at.message };
}
