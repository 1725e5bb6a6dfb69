/** The form of an open gate, made from its schema and its blank file, for people who answer it in a browser (SEE-06). */
import * as z from "zod";
import { fieldsOf } from "../../lib/json.ts";
import type { PlanLocation } from "../find-plan.ts";
import type { PlanGate } from "./gate.ts";
import { readOpening } from "./gate-files.ts";
import { openingHash } from "./opening-hash.ts";
import { listOpenGates, listPlans, withGateByName } from "./open-gates.ts";
import type { Repository } from "../../git/repository.ts";

export interface GateForm {
  readonly gate: string;
  /** The feature branch of its plan. */
  readonly branch: string;
  readonly title: string;
  /** The question, and how to answer it. */
  readonly question: readonly string[];
  readonly fields: readonly FormField[];
  /** An answer is bound to it. */
  readonly hash: string;
  /** Why the answer that is saved in the gate's file was refused. */
  readonly refused: string | null;
}

export interface FormField {
  /** Parts joined by dots, as in `mettle answer GATE --set NAME=VALUE`. */
  readonly name: string;
  readonly type: "yes-or-no" | "choice" | "text";
  readonly choices: readonly string[];
  /** Null: a person must choose. */
  readonly value: string | null;
}

export async function listGateForms(repository: Repository): Promise<readonly GateForm[]> {
  const plans = await listPlans(repository);
  const forms = [];
  for (const { gate, branch, refused } of await listOpenGates(repository)) {
    const plan = plans.find((one) => one.branch === branch);
    const form = plan === undefined ? null : await gateForm(plan, gate);
    if (form !== null) forms.push({ ...form, branch, refused });
  }
  return forms;
}

async function gateForm(
  plan: PlanLocation,
  name: string,
): Promise<Omit<GateForm, "branch" | "refused"> | null> {
  const opening = await readOpening(plan, name);
  if (opening === null) return null;
  return withGateByName(plan, name, async (gate) => ({
    gate: name,
    title: gate.title,
    question: gate.comments,
    fields: formFields(gate),
    hash: openingHash(opening),
  }));
}

/** Fields in the order of the file; the logs and the thoughts come last. */
function formFields<Fields extends object>({
  blank,
  schema,
  logsHead,
}: Pick<PlanGate<Fields>, "blank" | "schema" | "logsHead">): readonly FormField[] {
  const shape = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const text = (name: string): FormField => ({ name, type: "text", choices: [], value: "" });
  return [
    ...Object.entries(blank).flatMap(([name, value]) => fieldsAt(name, value, inside(shape, name))),
    ...(logsHead === null ? [] : [text("logs")]),
    text("thoughts"),
  ];
}

function fieldsAt(name: string, value: unknown, shape: unknown): readonly FormField[] {
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([part, inner]) =>
      fieldsAt(`${name}.${part}`, inner, inside(shape, part)),
    );
  const options = [shape, ...alternatives(shape)].map(fieldsOf);
  const choices = options.flatMap((option) =>
    Array.isArray(option["enum"]) ? option["enum"].filter((word) => word !== null).map(String) : [],
  );
  const isYesOrNo = options.some(({ type }) => [type].flat().includes("boolean"));
  const type = choices.length > 0 ? "choice" : isYesOrNo ? "yes-or-no" : "text";
  const initial = typeof value === "string" || typeof value === "boolean" ? String(value) : null;
  return [{ name, type, choices, value: initial }];
}

/** The schema of a part of an object or a list. */
function inside(shape: unknown, part: string): unknown {
  for (const option of [shape, ...alternatives(shape)].map(fieldsOf)) {
    const found = fieldsOf(option["properties"])[part] ?? option["additionalProperties"] ?? option["items"];
    if (typeof found === "object" && found !== null) return found;
  }
  return undefined;
}

function alternatives(shape: unknown): readonly unknown[] {
  const { anyOf } = fieldsOf(shape);
  return Array.isArray(anyOf) ? anyOf : [];
}
