/**
 * `envoy plan block-prompt-variants-gate`: a person chooses the main variant of a number. One answer decides all variants; each
 * call returns the decision about its own.
 */
import * as z from "zod";
import { AppError } from "../../lib/errors.ts";
import { approvalOf, requiredApprovals, lapsedApprovals } from "../approvals.ts";
import { changePrompt } from "../prompt/change-prompt.ts";
import type { PlanLocation } from "../find-plan.ts";
import { listPrompts, readPrompt, type PlanPrompt } from "../prompt/prompt.ts";
import { idText, type PromptId } from "../prompt/prompt-id.ts";
import { readWork } from "../worktree/work.ts";
import { gateSchema, joinParagraphs, OptionalText, type PlanGate, type AnswerError } from "./gate.ts";
import { closeObsoleteGates } from "./obsolete.ts";
import { howToAnswer } from "./prompt-comments.ts";
import { typedFields } from "./settle.ts";
import { variantsComments } from "./variants-comments.ts";
import { waitAtGate, type GateOptions } from "./wait.ts";

type Solution = "main" | "alternative" | "discard";

interface VariantsAnswer {
  readonly variants: Readonly<
    Record<string, { readonly decision: Solution | null; readonly reason: string }>
  >;
  readonly reject_prompt: boolean;
}

const solutionNames = {
  main: "main",
  alternative: "alternative",
  accepted: "alternative",
  discard: "discard",
  rejected: "discard",
} as const;

const Decision = z
  .enum(Object.keys(solutionNames) as (keyof typeof solutionNames)[], "must be main, alternative or discard")
  .nullable()
  .transform((word) => (word === null ? null : solutionNames[word]));

const schema = gateSchema({
  variants: z.record(z.string(), z.strictObject({ decision: Decision, reason: OptionalText })),
  reject_prompt: z.boolean(),
});

export async function blockVariantsGate(plan: PlanLocation, id: PromptId, options: GateOptions) {
  const prompt = await readPrompt(plan, id);
  const { variant } = prompt.id;
  const siblings = await siblingsOf(plan, id.number);
  if (variant === null || siblings.length < 2)
    return { skipped: true, thoughts: "", variant_solution: "main", reason: "not a variant prompt" };
  const gate = await variantsGate(plan, id.number);
  const isOver = siblings.some(({ fields }) => fields.status === "merged");
  const { answer, duration_ms } = await waitAtGate(gate, isOver ? { ...options, again: false } : options);
  const fields = typedFields(gate, answer);
  const own = fields.variants[variant];
  if (own === undefined) throw undecidedError(id);
  const solution = solutionOf(prompt, own.decision);
  const kept = siblings.filter(
    (one) => solutionOf(one, fields.variants[one.id.variant ?? ""]?.decision ?? null) === "alternative",
  );
  const branches = kept.flatMap((one) => one.fields.worktree_branch_name ?? []);
  const isChanged = own.decision !== null && own.decision !== solution;
  return {
    thoughts: fields.thoughts,
    variant_solution: solution,
    reason: joinParagraphs(
      own.reason,
      isChanged ? "A debug prompt keeps only one fix, so the alternative is discarded." : "",
    ),
    ...(branches.length > 0 && { unmerged_alternatives: branches }),
    duration_ms,
  };
}

export async function variantsGate(plan: PlanLocation, number: number): Promise<PlanGate<VariantsAnswer>> {
  const prompts = await siblingsOf(plan, number);
  const letters = prompts.flatMap(({ id }) => id.variant ?? []);
  const name = `${number}_variants`;
  const blank = { decision: null, reason: "" };
  return {
    name,
    plan,
    title: `Variants of prompt ${number}`,
    // The key names the variants only: the state of the main variant is checked when the answer is given.
    shown: { key: letters.join(" "), iteration: null, tree: null },
    comments: [
      ...(await variantsComments(plan, number, prompts)),
      prompts.some(({ fields }) => fields.kind === "debug")
        ? "decision of each: main (merged; exactly one) or discard (its branch is archived). A debug prompt keeps only one fix."
        : "decision of each: main (merged; exactly one), alternative (branch kept, not merged) or discard.",
      "reject_prompt: true discards all of them instead; the prompt then counts as not merged.",
      ...howToAnswer(
        name,
        letters.map((letter, at) => `variants.${letter}.decision=${at === 0 ? "main" : "discard"}`),
      ),
    ],
    blank: { variants: Object.fromEntries(letters.map((letter) => [letter, blank])), reject_prompt: false },
    schema,
    logsHead: null,
    judge: async ({ fields }) => judgeVariants(plan, await siblingsOf(plan, number), fields),
    words: ({ variants, reject_prompt, thoughts }) =>
      joinParagraphs(
        reject_prompt ? "All variants are rejected." : "",
        Object.entries(variants)
          .map(
            ([letter, { decision, reason }]) =>
              `- ${letter}: ${decision ?? "discard"}${reason === "" ? "" : `: ${reason}`}`,
          )
          .join("\n"),
        thoughts,
      ),
    async apply(_answer, { variants }) {
      for (const { id } of prompts)
        await changePrompt(plan, id, (prompt) => {
          const solution = solutionOf(prompt, variants[id.variant ?? ""]?.decision ?? null);
          const isOver = prompt.fields.status === "merged" || prompt.fields.variant_solution === solution;
          // Work on a variant that was not chosen ends.
          const rest = solution === "main" ? {} : { in_progress: false };
          return { fields: isOver ? null : { variant_solution: solution, ...rest }, data: null };
        });
      await closeObsoleteGates(plan);
    },
  };
}

async function siblingsOf(plan: PlanLocation, number: number): Promise<readonly PlanPrompt[]> {
  return (await listPrompts(plan)).filter(({ id }) => id.number === number && id.variant !== null);
}

/** A debug prompt has no alternatives. Without a decision the whole prompt was rejected. */
function solutionOf({ fields }: PlanPrompt, decision: Solution | null): Solution {
  if (decision === null) return "discard";
  return fields.kind === "debug" && decision === "alternative" ? "discard" : decision;
}

async function judgeVariants(
  plan: PlanLocation,
  prompts: readonly PlanPrompt[],
  { variants, reject_prompt }: VariantsAnswer,
): Promise<AnswerError | null> {
  const letters = prompts.flatMap(({ id }) => id.variant ?? []);
  const unknown = Object.keys(variants).find((letter) => !letters.includes(letter));
  if (unknown !== undefined) return { field: `variants.${unknown}`, message: "there is no such variant" };
  const missing = letters.find((letter) => variants[letter] === undefined);
  if (missing !== undefined) return { field: `variants.${missing}`, message: "it is missing" };
  const decisions = letters.map((letter) => variants[letter]?.decision ?? null);
  if (reject_prompt) {
    const at = decisions.findIndex((decision) => decision === "main" || decision === "alternative");
    if (at === -1) return null;
    return {
      field: `variants.${letters[at] ?? ""}.decision`,
      message: "reject_prompt is true, so the decision can only be discard",
    };
  }
  const open = decisions.indexOf(null);
  if (open !== -1)
    return {
      field: `variants.${letters[open] ?? ""}.decision`,
      message: "no decision: write main, alternative or discard",
    };
  const mains = prompts.filter(({ id }) => variants[id.variant ?? ""]?.decision === "main");
  const [main] = mains;
  if (main === undefined || mains.length > 1)
    return { field: "variants", message: `exactly one variant must be main, not ${mains.length}` };
  return judgeMain(plan, main);
}

async function judgeMain(plan: PlanLocation, main: PlanPrompt): Promise<AnswerError | null> {
  const field = `variants.${main.id.variant ?? ""}.decision`;
  if (main.fields.walkthrough.length === 0)
    return { field, message: "it is not implemented, so it cannot be main" };
  const open = requiredApprovals(main).filter((source) => approvalOf(main, source) === null);
  if (open.length > 0)
    return { field, message: `it has not passed its ${open.join(" and ")}, so it cannot be main` };
  const branch = main.fields.worktree_branch_name ?? "";
  const work = await readWork(plan.repository, { feature: plan.branch, branch });
  if (work === null) return { field, message: "its branch is gone, so it cannot be main" };
  const lapsed = await lapsedApprovals(plan.repository, main, work.tree);
  return lapsed.length === 0
    ? null
    : { field, message: `it has changed since its ${lapsed.join(" and ")}, so it cannot be main` };
}

function undecidedError(id: PromptId): AppError {
  return new AppError(
    "variant_unresolved",
    `the decision on prompt ${id.number} does not cover ${idText(id)}`,
    {
      hint: "the variant is newer than the decision: call again with --again",
    },
  );
}
