/** `envoy plan write-approach` and `write-notes`: save one approach, or the notes, of a specialist. */
import { AppError } from "../../lib/errors.ts";
import { readFindings, readSpecialist, saveFindings, type Approach, type Findings } from "./findings.ts";
import { compareIds, idText, refuseMixedVariants, type PromptId } from "../prompt/prompt-id.ts";
import { relativePath } from "../relative-path.ts";
import { withPlan, type PlanFolder } from "../write.ts";

export interface ApproachText {
  readonly description: string;
  readonly context: string;
  readonly files: readonly string[];
  readonly questions: readonly string[];
}

export async function writeApproach(plan: PlanFolder, name: string, id: PromptId, given: ApproachText) {
  const specialist = readSpecialist(name);
  const relevant_files = given.files.map(relativePath);
  return withPlan(plan, async (write) => {
    const findings = (await readFindings(plan, specialist)) ?? emptyFindings(specialist);
    const before = findings.approaches.find((one) => compareIds(one, id) === 0);
    refuseMixedVariants(id, { others: findings.approaches, what: "approach" });
    if (before === undefined) refuseGap(id, findings.approaches);
    const approach: Approach = {
      ...before,
      number: id.number,
      variant: id.variant,
      description: given.description,
      relevant_files,
      required_clarifying_questions: given.questions.map((question) => ({ question })),
      user_addressed_questions: before?.user_addressed_questions ?? [],
      pending_refinement: null,
      approach_detail: given.context,
    };
    const others = findings.approaches.filter((one) => one !== before);
    await saveFindings(write, { ...findings, approaches: [...others, approach] });
    return {
      specialist,
      approach_id: idText(id),
      approach_number: id.number,
      variant: id.variant,
      updated: before !== undefined,
      created: before === undefined,
    };
  });
}

export async function writeNotes(plan: PlanFolder, name: string, notes: string) {
  const specialist = readSpecialist(name);
  return withPlan(plan, async (write) => {
    const findings = (await readFindings(plan, specialist)) ?? emptyFindings(specialist);
    await saveFindings(write, { ...findings, notes });
    return { specialist, updated: true };
  });
}

function emptyFindings(specialist_name: string): Findings {
  return { specialist_name, notes: "", approaches: [] };
}

/** The letters of variants begin with A and have no gap. */
function refuseGap(id: PromptId, approaches: readonly Approach[]): void {
  if (id.variant === null) return;
  const letters = approaches.flatMap(({ number, variant }) => (number === id.number ? (variant ?? []) : []));
  const highest = letters.toSorted().at(-1);
  const expected = highest === undefined ? "A" : String.fromCharCode(highest.charCodeAt(0) + 1);
  if (id.variant === expected) return;
  throw new AppError("variant_out_of_order", `the next variant of approach ${id.number} is ${expected}`, {
    hint: `--variant ${expected}`,
    detail: { expected },
  });
}
