/** `prompts/<N>.md`, `prompts/<N>_<V>.md`: one piece of work with its status, walkthroughs and reviews. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { AppError } from "../../lib/errors.ts";
import { yamlError } from "../../lib/yaml/yaml-document.ts";
import { readDocument, writeDocument } from "../front-matter.ts";
import { compareIds, idText, parseId, type PromptId } from "./prompt-id.ts";
import { requirePlanFile } from "../read-file.ts";
import type { PlanFolder, WriteFile } from "../write.ts";

const Letter = z.string().regex(/^[A-Z]$/u, "one letter from A to Z");
const Count = z.int().min(0);

export const walkthroughTypes = ["initial", "review-refinement", "testing-refinement"] as const;

/** The report of an agent on one iteration. */
const WalkthroughEntry = z.looseObject({
  iteration: z.int().min(1),
  type: z.enum(walkthroughTypes),
  refinement_reason: z.string().nullable(),
  refinement_context: z.string().nullable().default(null),
  approach: z.string(),
  changes: z.array(z.object({ file: z.string(), description: z.string() })),
  decisions: z.array(z.object({ decision: z.string(), rationale: z.string() })),
  /** The walkthrough byte for byte. */
  text: z.string().default(""),
  unverified_changes: z.array(z.string()).default([]),
  unmentioned_changes: z.array(z.string()).default([]),
});
export type WalkthroughEntry = z.infer<typeof WalkthroughEntry>;

const Review = z.looseObject({
  source: z.enum(["review", "testing"]),
  iteration: Count,
  passed: z.boolean(),
  text: z.string().nullable().default(null),
  tree: z.string().nullable().default(null),
  /** Id of the person's answer that it comes from. */
  answer: z.string().optional(),
  /** The person who decided in the reviewer's place. */
  by: z.string().optional(),
});

const PromptFields = z.looseObject({
  number: z.int().min(1),
  variant: Letter.nullable(),
  description: z.string(),
  kind: z.enum(["feature", "debug"]),
  relevant_files: z.array(z.string()),
  success_criteria: z.string(),
  depends_on: z.array(z.int().min(1)),
  requires_manual_testing: z.boolean(),
  status: z.enum(["unimplemented", "implemented", "reviewed", "tested", "merged"]),
  in_progress: z.boolean(),
  delegated_to: z.string().nullable().default(null),
  worktree_branch_name: z.string().nullable().default(null),
  variant_solution: z.enum(["main", "alternative", "discard"]).nullable().default(null),
  /** Required changes that no recorded iteration has addressed. */
  pending_refinement: z
    .object({ source: z.enum(["review", "testing"]), text: z.string() })
    .nullable()
    .default(null),
  /** The last iteration that a review or a gate has judged; 0 if none. */
  judged_iteration: Count.default(0),
  walkthrough: z.array(WalkthroughEntry).default([]),
  reviews: z.array(Review).default([]),
  /** How many reviews a person has settled; failures are counted after them. */
  reviews_settled: Count.default(0),
  merge_commit_hash: z.string().nullable().default(null),
  /** The tests of the merged tree; null without a test runner. */
  verification: z
    .object({ verdict: z.enum(["pass", "fail", "inconclusive"]), record: z.string() })
    .nullable()
    .default(null),
  /** The archive of a discarded variant. */
  archived_branch: z.string().nullable().default(null),
  planned_at: z.string(),
});
export type PromptFields = z.infer<typeof PromptFields>;

export interface PlanPrompt {
  readonly id: PromptId;
  readonly fields: PromptFields;
  readonly body: string;
}

/** All prompts, sorted by number and letter. */
export async function listPrompts(plan: PlanFolder): Promise<readonly PlanPrompt[]> {
  return Promise.all((await promptIds(plan)).map((id) => readPromptFile(plan, id)));
}

export async function promptIds({ dir }: PlanFolder): Promise<readonly PromptId[]> {
  const names = await readdir(join(dir, "prompts")).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const ids = names.flatMap((name) => (name.endsWith(".md") ? (parseId(name.slice(0, -3)) ?? []) : []));
  return ids.toSorted(compareIds);
}

/** Reads one prompt. A number with variants needs its letter. */
export async function readPrompt(plan: PlanFolder, id: PromptId): Promise<PlanPrompt> {
  const ids = await promptIds(plan);
  if (ids.some((other) => compareIds(other, id) === 0)) return readPromptFile(plan, id);
  const letters = ids.filter(({ number }) => number === id.number).map(({ variant }) => variant);
  if (id.variant === null && letters.length > 0)
    throw new AppError("invalid_variant", `prompt ${id.number} has the variants ${letters.join(", ")}`, {
      hint: `name one of them: ${id.number} ${letters[0] ?? ""}`,
      detail: { variants: letters },
    });
  throw new AppError("not_found", `there is no prompt ${idText(id)}`, {
    hint: ids.length === 0 ? "the plan has no prompts" : `there are ${ids.map(idText).join(", ")}`,
  });
}

/** The caller holds the plan's lock. */
export async function savePrompt(write: WriteFile, { id, fields, body }: PlanPrompt): Promise<void> {
  const current_iteration = currentIteration(fields);
  await write(`prompts/${idText(id)}.md`, writeDocument({ fields: { ...fields, current_iteration }, body }));
}

/** The current iteration: required changes begin the next one. */
export function currentIteration({ walkthrough, pending_refinement }: PromptFields): number {
  const last = walkthrough.at(-1)?.iteration ?? 0;
  return pending_refinement === null ? Math.max(last, 1) : last + 1;
}

async function readPromptFile({ dir }: PlanFolder, id: PromptId): Promise<PlanPrompt> {
  const file = join(dir, "prompts", `${idText(id)}.md`);
  const { fields, body } = readDocument(file, await requirePlanFile(file), PromptFields);
  if (compareIds(fields, id) === 0) return { id, fields, body };
  const message = `number and variant say ${idText(fields)}, and the file's name ${idText(id)}`;
  throw yamlError("invalid_schema", [{ file, line: 1, column: 1, path: ["number"], message }]);
}
