/** `envoy gemini review`: another agent reviews all changes of a prompt's worktree, committed or not. */
import { counted } from "../../lib/counted.ts";
import { diffText } from "../../git/objects/diff.ts";
import { AppError } from "../../lib/errors.ts";
import { refuseDecided } from "../prompt/change-prompt.ts";
import { openQuestionsGate, questionsGate, type QuestionAnswers } from "../gates/questions.ts";
import { failedReviews, reviewLimitGate } from "../gates/review-limit.ts";
import { typedFields } from "../gates/settle.ts";
import { readSubject } from "../gates/subject.ts";
import { waitAtGate, type GateOptions } from "../gates/wait.ts";
import type { PlanGate } from "../gates/gate.ts";
import { judgePrompt } from "../judge.ts";
import type { PlanLocation } from "../find-plan.ts";
import { readPrompt, type PlanPrompt } from "../prompt/prompt.ts";
import { idText, type PromptId } from "../prompt/prompt-id.ts";
import { askReviewer, type Reviewer } from "./ask-reviewer.ts";
import { splitDiff } from "./split-diff.ts";
import { reviewerPrompt } from "./reviewer-prompt.ts";
import { joinVerdicts, type ReviewVerdict } from "./verdict.ts";

export interface ReviewOptions {
  readonly reviewer: () => Promise<Reviewer>;
  readonly gateOptions: GateOptions;
  /** How many reviews may fail without a decision of a person between them. */
  readonly limit: number;
}

type Answers = QuestionAnswers["questions"];

export async function reviewWorkOnPrompt(plan: PlanLocation, id: PromptId, options: ReviewOptions) {
  refuseUnimplemented(await readPrompt(plan, id));
  await checkReviewLimit(plan, id, options);
  const prompt = await readPrompt(plan, id);
  const { shown, work } = await readSubject(plan, prompt);
  if (work.changed.length === 0)
    throw new AppError("nothing_to_review", `prompt ${idText(id)} changes nothing against ${plan.branch}`, {
      hint: "implement it in its worktree first",
    });
  const parts = splitDiff(await diffText(plan.repository, { from: work.base, to: work.tree }));
  const reviewer = await options.reviewer();
  const { clock, payloads } = options.gateOptions;
  const changed = work.changed.map(({ path }) => path);
  const round = async (answers: Answers): Promise<ReviewVerdict> => {
    const verdicts: ReviewVerdict[] = [];
    for (const [at, diff] of parts.entries()) {
      const part = { diff, number: at + 1, of: parts.length };
      const question = await reviewerPrompt(plan, prompt, { part, answers, changed });
      verdicts.push(await askReviewer({ plan, id, reviewer, clock, payloads }, question));
    }
    return joinVerdicts(verdicts);
  };
  // An earlier call may have ended while it waited for a person.
  const open = await openQuestionsGate(plan, prompt, shown);
  let answers: Answers = open === null ? [] : await askPerson(open, options);
  let verdict = await round(answers);
  if (answers.length === 0 && verdict.type === "verdict" && verdict.questions.length > 0) {
    answers = await askPerson(questionsGate(plan, prompt, { questions: verdict.questions, shown }), options);
    verdict = await round(answers);
  }
  if (verdict.type === "inconclusive") throw inconclusive(id, verdict.why);
  const { suggested_changes, thoughts } = verdict;
  const passed = verdict.verdict === "passed";
  await judgePrompt(plan, id, {
    source: "review",
    passed,
    text: passed ? thoughts : suggested_changes,
    tree: work.tree,
    ...(shown.iteration !== null && { iteration: shown.iteration }),
  });
  return {
    verdict: verdict.verdict,
    ...(thoughts.trim() !== "" && { thoughts }),
    ...(answers.length > 0 && { answered_questions: answers }),
    ...(!passed && { suggested_changes }),
  };
}

async function askPerson(gate: PlanGate<QuestionAnswers>, { gateOptions }: ReviewOptions): Promise<Answers> {
  const { answer } = await waitAtGate(gate, gateOptions);
  return typedFields(gate, answer).questions;
}

function refuseUnimplemented(prompt: PlanPrompt): void {
  refuseDecided(prompt);
  if (prompt.fields.walkthrough.length > 0 && prompt.fields.status !== "unimplemented") return;
  throw new AppError("invalid_status", `prompt ${idText(prompt.id)} has no recorded implementation`, {
    hint: "envoy plan record-implementation comes first",
  });
}

/** Throws if too many reviews have failed and no person has let the prompt go on. Never waits. */
async function checkReviewLimit(
  plan: PlanLocation,
  id: PromptId,
  { gateOptions, limit }: ReviewOptions,
): Promise<void> {
  const prompt = await readPrompt(plan, id);
  const failed = failedReviews(prompt);
  if (failed < limit) return;
  const gate = reviewLimitGate(plan, prompt, failed);
  try {
    await waitAtGate(gate, { ...gateOptions, waitMs: 0 });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "waiting_for_person") throw error;
    const open = prompt.fields.reviews.findLast(({ source }) => source === "review")?.text ?? "";
    throw new AppError(
      "not_converging",
      `${counted(failed, "review")} of prompt ${idText(id)} ${failed === 1 ? "has" : "have"} failed`,
      {
        hint: `stop here: a person can let it continue with mettle answer ${gate.name} --set thoughts=TEXT`,
        detail: { gate: gate.name, suggested_changes: open },
        cause: error,
      },
    );
  }
}

function inconclusive(id: PromptId, why: string): AppError {
  return new AppError("review_inconclusive", `the review of prompt ${idText(id)} gave no verdict: ${why}`, {
    hint: `call again; or a person accepts this tree: mettle approve ${idText(id)} --gate review --reason "…"`,
    retry: "safe",
    detail: { why },
  });
}
