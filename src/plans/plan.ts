/** `plan.md`: branch, stage, title, objective and context of a plan. */
import { join } from "node:path";
import * as z from "zod";
import { readDocument, writeDocument } from "./front-matter.ts";
import { requirePlanFile } from "./read-file.ts";
import { withPlan, type PlanFolder, type WriteFile } from "./write.ts";

const PlanFields = z.looseObject({
  stage: z.enum(["draft", "in_progress", "completed"]),
  branch_name: z.string().min(1),
  title: z.string().default(""),
  objective: z.string().default(""),
});
type PlanFields = z.infer<typeof PlanFields>;

export interface Plan {
  readonly fields: PlanFields;
  readonly context: string;
}

export interface PlanText {
  readonly title: string;
  readonly objective: string;
  readonly context: string;
}

export async function readPlan({ dir }: PlanFolder): Promise<Plan> {
  const file = planFile(dir);
  const { fields, body } = readDocument(file, await requirePlanFile(file), PlanFields);
  return { fields, context: body };
}

export const planFileName = "plan.md";

export function planFile(dir: string): string {
  return join(dir, planFileName);
}

/** The branch that the text of a `plan.md` names. */
export function planBranch(file: string, text: string): string {
  return readDocument(file, text, PlanFields).fields.branch_name;
}

export function newPlan(branch: string): string {
  return writeDocument({
    fields: { stage: "draft", branch_name: branch, title: "", objective: "" },
    body: "",
  });
}

/** `envoy plan write-plan`: keeps stage and branch. */
export async function writePlan(place: PlanFolder, { title, objective, context }: PlanText) {
  return withPlan(place, async (write) => {
    const { fields } = await readPlan(place);
    await write("plan.md", planText({ fields: { ...fields, title, objective }, context }));
    return { stage: fields.stage, updated: true };
  });
}

/** Starting a prompt moves the plan to `in_progress`, from `draft` or `completed`. */
export async function beginPlan(place: PlanFolder, write: WriteFile): Promise<void> {
  return setStage(place, write, "in_progress");
}

/** Completing the last prompt completes the plan. */
export async function finishPlan(place: PlanFolder, write: WriteFile): Promise<void> {
  return setStage(place, write, "completed");
}

async function setStage(place: PlanFolder, write: WriteFile, stage: PlanFields["stage"]): Promise<void> {
  const plan = await readPlan(place);
  if (plan.fields.stage === stage) return;
  await write("plan.md", planText({ ...plan, fields: { ...plan.fields, stage } }));
}

function planText({ fields, context }: Plan): string {
  return writeDocument({ fields, body: context });
}
