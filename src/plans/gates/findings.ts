/** `envoy plan block-findings-gate`: a person reads the proposed approaches, answers questions, requires changes, rejects variants. */
import * as z from "zod";
import { canonicalJson, sha256 } from "../../lib/hash.ts";
import { stripControls } from "../../lib/text.ts";
import { listFindings, type Approach, type Findings } from "../findings/findings.ts";
import type { PlanLocation } from "../find-plan.ts";
import { idText } from "../prompt/prompt-id.ts";
import { applyFeedback, GateFeedback } from "./apply-feedback.ts";
import { gateSchema, joinParagraphs, type PlanGate, type AnswerError } from "./gate.ts";
import { howToAnswer } from "./prompt-comments.ts";
import { typedFields } from "./settle.ts";
import { waitAtGate, type GateOptions } from "./wait.ts";

interface FindingsAnswer {
  readonly approach_feedback: Readonly<Record<string, GateFeedback>>;
}

const schema = gateSchema({ approach_feedback: z.record(z.string(), GateFeedback) });
export const findingsGateName = "findings_gate";

/** An approach with its key in the gate's file. */
export interface ProposedApproach {
  /** Such as `frontend_1_A`. */
  readonly key: string;
  readonly specialist: string;
  readonly approach: Approach;
}

export async function blockFindingsGate(plan: PlanLocation, options: GateOptions) {
  const gate = await findingsGate(plan);
  if (gate === null) return { skipped: true, reason: "no specialist has proposed an approach" };
  const { answer, duration_ms } = await waitAtGate(gate, options);
  const { thoughts, approach_feedback } = typedFields(gate, answer);
  const all = Object.entries(approach_feedback).map(([key, feedback]) => ({ ...parseKey(key), feedback }));
  const kept = all.filter(({ feedback }) => feedback.rejected !== true);
  const rejected = all.filter(({ feedback }) => feedback.rejected === true);
  const same = (a: ApproachRef, b: ApproachRef) => a.specialist === b.specialist && a.number === b.number;
  return {
    thoughts,
    affected_approaches: kept
      .filter(({ feedback }) => isAffected(feedback))
      .map((one) => {
        // The only variant that remains has lost its letter.
        const isAlone =
          rejected.some((other) => same(one, other)) && kept.filter((other) => same(one, other)).length === 1;
        return { specialist_name: one.specialist, approach_id: isAlone ? one.number : one.id };
      }),
    rejected_approaches: rejected.map(({ specialist, id }) => ({
      specialist_name: specialist,
      approach_id: id,
    })),
    duration_ms,
  };
}

/** Null if there is nothing to decide. */
export async function findingsGate(plan: PlanLocation): Promise<PlanGate<FindingsAnswer> | null> {
  const findings = await listFindings(plan);
  const proposed = listProposed(findings);
  if (proposed.length === 0) return null;
  return {
    name: findingsGateName,
    plan,
    title: "Findings",
    shown: { key: proposalKey(proposed), iteration: null, tree: null },
    comments: [
      `Please read the approaches that the specialists of ${plan.branch} propose.`,
      "",
      ...findings.flatMap(({ specialist_name, notes }) =>
        notes.trim() === "" ? [] : [`Notes of ${specialist_name}:`, ...indentedExcerpt(notes), ""],
      ),
      ...proposed.flatMap(({ key, approach }) => [`${key}:`, ...indentedExcerpt(approach.description), ""]),
      `Full texts: findings/<specialist>.yaml in ${plan.dir}.`,
      "user_required_changes: required changes of an approach, else empty. rejected: true removes a variant,",
      "but never all variants of a number. Questions may be left open.",
      ...howToAnswer(findingsGateName, ["thoughts=TEXT"]),
    ].map(stripControls),
    blank: { approach_feedback: Object.fromEntries(proposed.map((one) => [one.key, emptyFeedback(one)])) },
    schema,
    logsHead: null,
    judge: async ({ fields }) => judgeFeedback(listProposed(await listFindings(plan)), fields),
    words: ({ approach_feedback, thoughts }) =>
      joinParagraphs(
        ...Object.entries(approach_feedback).map(([key, feedback]) => feedbackText(key, feedback)),
        thoughts,
      ),
    apply: ({ id }, { approach_feedback }) =>
      applyFeedback(plan, { answer: id, feedback: approach_feedback }),
    keyAfter: async () => proposalKey(listProposed(await listFindings(plan))),
  };
}

export function listProposed(findings: readonly Findings[]): readonly ProposedApproach[] {
  return findings.flatMap(({ specialist_name: specialist, approaches }) =>
    approaches.map((approach) => ({ key: `${specialist}_${idText(approach)}`, specialist, approach })),
  );
}

interface ApproachRef {
  readonly specialist: string;
  readonly id: string;
  readonly number: string;
}

/** Names of specialists may contain underscores and numbers: the last number is the approach's. */
function parseKey(key: string): ApproachRef {
  const [, specialist = key, id = ""] = /^(.+)_([0-9]+(?:_[A-Z])?)$/u.exec(key) ?? [];
  return { specialist, id, number: id.split("_")[0] ?? "" };
}

/** The key excludes required changes: an answer must not open the gate again. */
function proposalKey(proposed: readonly ProposedApproach[]): string {
  return sha256(
    canonicalJson(proposed.map(({ key, approach: { pending_refinement: _, ...rest } }) => [key, rest])),
  );
}

function emptyFeedback({ approach }: ProposedApproach) {
  const answered = new Set(approach.user_addressed_questions.map(({ question }) => question));
  const open = approach.required_clarifying_questions.filter(({ question }) => !answered.has(question));
  return {
    user_required_changes: "",
    ...(approach.variant !== null && { rejected: false }),
    question_answers: open.map(({ question }) => ({ question, answer: "" })),
  };
}

function judgeFeedback(
  proposed: readonly ProposedApproach[],
  { approach_feedback }: FindingsAnswer,
): AnswerError | null {
  const field = (key: string, name: string) => `approach_feedback.${key}.${name}`;
  for (const [key, feedback] of Object.entries(approach_feedback)) {
    const found = proposed.find((one) => one.key === key);
    if (found === undefined)
      return { field: `approach_feedback.${key}`, message: "there is no such approach" };
    const questions = found.approach.required_clarifying_questions.map(({ question }) => question);
    const unknown = feedback.question_answers.find(({ question }) => !questions.includes(question));
    if (unknown !== undefined)
      return { field: field(key, "question_answers"), message: `unknown question: ${unknown.question}` };
    if (feedback.rejected === true && found.approach.variant === null)
      return {
        field: field(key, "rejected"),
        message: "an approach without variants cannot be rejected, only changed",
      };
  }
  for (const { key, specialist, approach } of proposed) {
    const same = proposed.filter(
      (one) => one.specialist === specialist && one.approach.number === approach.number,
    );
    if (same.every((one) => approach_feedback[one.key]?.rejected === true))
      return {
        field: field(key, "rejected"),
        message: `not all variants of approach ${approach.number} of ${specialist} can be rejected`,
        code: "all_variants_rejected",
      };
  }
  return null;
}

function isAffected({ user_required_changes, question_answers }: GateFeedback): boolean {
  return user_required_changes.trim() !== "" || question_answers.some(({ answer }) => answer.trim() !== "");
}

function feedbackText(
  key: string,
  { user_required_changes, rejected, question_answers }: GateFeedback,
): string {
  const text = joinParagraphs(
    rejected === true ? "Rejected." : "",
    user_required_changes,
    ...question_answers.flatMap(({ question, answer }) =>
      answer.trim() === "" ? [] : [`Question: ${question}\nAnswer: ${answer}`],
    ),
  );
  return text === "" ? "" : `### ${key}\n\n${text}`;
}

/** Shortens a long text: a person reads this file, and answers have a size limit. */
function indentedExcerpt(text: string): readonly string[] {
  const lines = text.trim().split(/\r?\n/u);
  const shown = lines.slice(0, maxLines).map((line) => `  ${line.slice(0, maxLineLength)}`);
  const isWhole = lines.length <= maxLines && lines.every((line) => line.length <= maxLineLength);
  return isWhole ? shown : [...shown, `  … ${text.length} characters in all`];
}

const maxLines = 60;
const maxLineLength = 400;
