/** `envoy plan write-prompt`: creates a prompt or rewrites an existing one. */
import { systemClock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { listPrompts, readPrompt, savePrompt, type PlanPrompt, type PromptFields } from "./prompt.ts";
import { compareIds, idText, refuseMixedVariants, type PromptId } from "./prompt-id.ts";
import { relativePath } from "../relative-path.ts";
import { withPlan, type PlanFolder } from "../write.ts";

/** The options of the command; null if not given. */
export interface PromptText {
  readonly description: string | null;
  readonly context: string | null;
  readonly criteria: string | null;
  readonly files: readonly string[] | null;
  readonly dependsOn: readonly number[] | null;
  readonly debug: boolean;
  readonly requiresTesting: boolean;
}

export async function writePrompt(plan: PlanFolder, id: PromptId, given: PromptText) {
  const files = given.files?.map(relativePath) ?? null;
  return withPlan(plan, async (write) => {
    const prompts = await listPrompts(plan);
    refuseMixedVariants(id, { others: prompts.map((prompt) => prompt.id), what: "prompt" });
    const exists = prompts.some((prompt) => compareIds(prompt.id, id) === 0);
    const before = exists ? await readPrompt(plan, id) : newPrompt(id, given);
    if (before.fields.status === "merged")
      throw new AppError("already_merged", `prompt ${idText(id)} is merged and cannot be changed`, {
        hint: "write a new prompt for further work",
      });
    if (given.dependsOn !== null) refuseDependencies(id, given.dependsOn, prompts);
    const fields: PromptFields = {
      ...before.fields,
      ...(given.description !== null && { description: given.description }),
      ...(given.criteria !== null && { success_criteria: given.criteria }),
      ...(files !== null && { relevant_files: files }),
      ...(given.dependsOn !== null && { depends_on: [...given.dependsOn] }),
      ...(given.debug && { kind: "debug" as const }),
      ...(given.requiresTesting && { requires_manual_testing: true }),
    };
    await savePrompt(write, {
      id,
      fields,
      body: given.context === null ? before.body : bodyOf(given.context),
    });
    return { id: idText(id), created: !exists };
  });
}

function newPrompt(id: PromptId, given: PromptText): PlanPrompt {
  const missing = (["description", "context", "criteria", "files"] as const).filter(
    (name) => given[name] === null,
  );
  if (missing.length > 0)
    throw new AppError("usage", `a new prompt needs ${missing.map((name) => `--${name}`).join(", ")}`, {
      hint: "only an existing prompt can be changed in part",
    });
  const fields: PromptFields = {
    number: id.number,
    variant: id.variant,
    description: "",
    kind: "feature",
    relevant_files: [],
    success_criteria: "",
    depends_on: [],
    requires_manual_testing: false,
    status: "unimplemented",
    in_progress: false,
    delegated_to: null,
    worktree_branch_name: null,
    variant_solution: null,
    pending_refinement: null,
    judged_iteration: 0,
    walkthrough: [],
    reviews: [],
    reviews_settled: 0,
    merge_commit_hash: null,
    verification: null,
    archived_branch: null,
    planned_at: new Date(systemClock.now()).toISOString(),
  };
  return { id, fields, body: "" };
}

function bodyOf(context: string): string {
  return `# Approach & Plan\n\n${context}${context.endsWith("\n") ? "" : "\n"}`;
}

function refuseDependencies(
  id: PromptId,
  dependsOn: readonly number[],
  prompts: readonly PlanPrompt[],
): void {
  const needs = new Map<number, Set<number>>([[id.number, new Set(dependsOn)]]);
  for (const { id: other, fields } of prompts) {
    const all = needs.get(other.number) ?? new Set();
    if (compareIds(other, id) !== 0) fields.depends_on.forEach((number) => all.add(number));
    needs.set(other.number, all);
  }
  const unknown = dependsOn.find((number) => !needs.has(number));
  if (unknown !== undefined)
    throw new AppError("unknown_dependency", `there is no prompt ${unknown} to depend on`, {
      hint: "write that prompt first",
    });
  const chain = findCycle(id.number, needs);
  if (chain !== null)
    throw new AppError("dependency_cycle", `the prompts would wait for each other: ${chain.join(" -> ")}`, {
      hint: "remove one of these dependencies",
    });
}

/** The shortest dependency cycle through a prompt. */
function findCycle(start: number, needs: ReadonlyMap<number, ReadonlySet<number>>): readonly number[] | null {
  const seen = new Set<number>();
  const paths: number[][] = [[start]];
  for (let path = paths.shift(); path !== undefined; path = paths.shift())
    for (const next of needs.get(path.at(-1) ?? start) ?? []) {
      if (next === start) return [...path, start];
      if (!seen.has(next)) paths.push([...path, next]);
      seen.add(next);
    }
  return null;
}
