/** `envoy plan record-implementation`: records a walkthrough of one iteration, compared with the real changes. */
import { AppError } from "../../lib/errors.ts";
import { implementationBranch } from "../worktree/branch-names.ts";
import { changePrompt, refuseDecided, requireStarted } from "./change-prompt.ts";
import { compareClaims } from "./claimed-changes.ts";
import type { PlanLocation } from "../find-plan.ts";
import { readPrompt, type WalkthroughEntry, type PlanPrompt, type PromptFields } from "./prompt.ts";
import { idText, type PromptId } from "./prompt-id.ts";
import { readWalkthrough, type Walkthrough } from "./walkthrough.ts";
import type { Repository } from "../../git/repository.ts";
import { readWork } from "../worktree/work.ts";

export interface ImplementationReport {
  readonly walkthrough: string;
  readonly iteration: number;
  readonly reason: string | null;
}

export async function recordImplementation(plan: PlanLocation, id: PromptId, report: ImplementationReport) {
  if (report.walkthrough.trim() === "")
    throw new AppError("missing_walkthrough", "the walkthrough is empty", {
      hint: "envoy protocol implementation shows the format",
    });
  if (report.iteration > 1 && (report.reason ?? "").trim() === "")
    throw new AppError(
      "missing_refinement_reason",
      `iteration ${report.iteration} needs a refinement reason`,
      {
        hint: '--refinement-reason "Review feedback: …"',
      },
    );
  // Git runs before the plan is locked, so that other calls do not wait for it.
  const { known } = checkReport(await readPrompt(plan, id), report);
  const branch = implementationBranch(plan.branch, id);
  const real = known === null ? await changesOf(plan.repository, { feature: plan.branch, branch }) : [];
  return changePrompt(plan, id, (prompt) => {
    const { fields } = prompt;
    const found = checkReport(prompt, report);
    if (found.known !== null) return { fields: null, data: answer(id, fields, found.known) };
    const { read } = found;
    const changes = [...read.changes];
    const others = fields.walkthrough.filter(({ iteration }) => iteration !== read.iteration);
    const entry: WalkthroughEntry = {
      iteration: read.iteration,
      type: read.type,
      refinement_reason: report.reason,
      refinement_context: read.refinement_context,
      approach: read.approach,
      changes,
      decisions: [...read.decisions],
      text: report.walkthrough,
      ...compareClaims([...others, { changes }], real),
    };
    const after = {
      ...fields,
      status: "implemented" as const,
      pending_refinement: null,
      walkthrough: [...others, entry],
    };
    return { fields: after, data: answer(id, after, entry) };
  });
}

/** `known` is an entry that was already judged and is reported again unchanged. */
function checkReport(
  prompt: PlanPrompt,
  report: ImplementationReport,
): { readonly known: WalkthroughEntry } | { readonly known: null; readonly read: Walkthrough } {
  refuseDecided(prompt);
  requireStarted(prompt);
  const { fields } = prompt;
  const before = fields.walkthrough.find(({ iteration }) => iteration === report.iteration);
  if (before?.text === report.walkthrough && report.iteration <= fields.judged_iteration)
    return { known: before };
  return { known: null, read: parseWalkthrough(report, fields) };
}

/** Number and type must be the expected ones; those of the agent are not trusted. */
function parseWalkthrough(report: ImplementationReport, fields: PromptFields): Walkthrough {
  const last = fields.walkthrough.at(-1);
  const expected =
    last === undefined ? 1 : last.iteration + (last.iteration <= fields.judged_iteration ? 1 : 0);
  if (report.iteration !== expected)
    throw new AppError("invalid_iteration", `the iteration is ${expected}, not ${report.iteration}`, {
      hint: `--iteration ${expected}`,
      detail: { expected },
    });
  const read = readWalkthrough(report.walkthrough);
  if (read.iteration !== expected)
    throw new AppError(
      "invalid_walkthrough",
      `### Iteration ${read.iteration} is not iteration ${expected}`,
      {
        hint: `write ### Iteration ${expected}`,
      },
    );
  const type = expectedType(expected, fields);
  if (type === null ? read.type === "initial" : read.type !== type)
    throw new AppError("invalid_walkthrough_type", `iteration ${expected} is not of the type ${read.type}`, {
      hint: `write **Type**: ${type ?? "review-refinement or testing-refinement"}`,
      detail: { expected: type ?? "review-refinement|testing-refinement" },
    });
  return read;
}

/** Null if both kinds of refinement are allowed. */
function expectedType(iteration: number, fields: PromptFields): Walkthrough["type"] | null {
  if (iteration === 1) return "initial";
  if (fields.pending_refinement !== null) return `${fields.pending_refinement.source}-refinement`;
  // Recorded again: it still addresses the same required changes.
  return fields.walkthrough.find((entry) => entry.iteration === iteration)?.type ?? null;
}

function answer(id: PromptId, { status, walkthrough }: PromptFields, entry: WalkthroughEntry) {
  return {
    id: idText(id),
    status,
    iteration: entry.iteration,
    walkthrough_count: walkthrough.length,
    unverified_changes: entry.unverified_changes,
    unmentioned_changes: entry.unmentioned_changes,
  };
}

/** Changed paths; empty if there is neither a worktree nor a branch. */
async function changesOf(
  repository: Repository,
  of: { readonly feature: string; readonly branch: string },
): Promise<readonly string[]> {
  return (await readWork(repository, of))?.changed.map(({ path }) => path) ?? [];
}
