/** The gate at which a person answers the questions of a reviewer. */
import * as z from "zod";
import { stripControls } from "../../lib/text.ts";
import type { PlanLocation } from "../find-plan.ts";
import type { PlanPrompt } from "../prompt/prompt.ts";
import { idText } from "../prompt/prompt-id.ts";
import { readYaml } from "../front-matter.ts";
import { readOpening } from "./gate-files.ts";
import { gateSchema, joinParagraphs, OptionalText, type PlanGate, type GateSubject } from "./gate.ts";
import { howToAnswer } from "./prompt-comments.ts";
import { readAnswers, lastAnswerFor } from "./answers.ts";

export interface QuestionAnswers {
  readonly questions: readonly { readonly question: string; readonly answer: string }[];
}

const schema = gateSchema({
  questions: z.array(z.strictObject({ question: z.string(), answer: OptionalText })),
});

export function questionsGateName({ id }: PlanPrompt): string {
  return `${idText(id)}_review_questions`;
}

export function questionsGate(
  plan: PlanLocation,
  prompt: PlanPrompt,
  { questions, shown }: { readonly questions: readonly string[]; readonly shown: GateSubject },
): PlanGate<QuestionAnswers> {
  const name = questionsGateName(prompt);
  return {
    name,
    plan,
    title: `Questions of the reviewer of prompt ${idText(prompt.id)}`,
    shown,
    comments: [
      `The reviewer of prompt ${idText(prompt.id)} of ${plan.branch} has questions. Every question needs an answer.`,
      "",
      ...prompt.fields.description.split(/\r?\n/u).map((line) => `  ${line}`),
      "",
      ...howToAnswer(
        name,
        questions.map((_question, at) => `questions.${at}.answer=TEXT`),
      ),
    ].map(stripControls),
    blank: { questions: questions.map((question) => ({ question, answer: "" })) },
    schema,
    logsHead: null,
    judge: async ({ fields }) => {
      const answered = fields.questions.map(({ question }) => question);
      const missing = questions.findIndex((question) => !answered.includes(question));
      if (missing !== -1)
        return { field: "questions", message: `this question is missing: ${questions[missing] ?? ""}` };
      const open = fields.questions.findIndex(({ answer }) => answer.trim() === "");
      return open === -1 ? null : { field: `questions.${open}.answer`, message: "it has no answer" };
    },
    words: ({ questions: answers, thoughts }) =>
      joinParagraphs(
        ...answers.map(({ question, answer }) => `Question: ${question}\nAnswer: ${answer}`),
        thoughts,
      ),
    // The waiting call passes the answers to the reviewer; the plan does not change.
    apply: async () => {},
  };
}

const QuestionsFile = z.looseObject({ questions: z.array(z.looseObject({ question: z.string() })) });

/** The gate of questions that are open, or that were answered for exactly this work; null if there are none. */
export async function openQuestionsGate(
  plan: PlanLocation,
  prompt: PlanPrompt,
  shown: GateSubject,
): Promise<PlanGate<QuestionAnswers> | null> {
  const name = questionsGateName(prompt);
  const opening = await readOpening(plan, name);
  const answers = await readAnswers(plan, name);
  const last = answers.at(-1);
  const answer = last?.settled === false ? last : lastAnswerFor(answers, shown.key);
  const file =
    opening !== null
      ? readYaml(name, opening.template, QuestionsFile)
      : answer !== null
        ? QuestionsFile.parse(answer.fields)
        : null;
  if (file === null) return null;
  const questions = file.questions.map(({ question }) => question);
  return questionsGate(plan, prompt, { questions, shown: opening?.shown ?? answer?.shown ?? shown });
}
