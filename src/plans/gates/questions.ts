/** What a reviewer has to know before it can judge: a person answers. */
import { z } from "zod";
import { stripControls } from "../../lib/text.ts";
import type { PlanPlace } from "../place.ts";
import type { Prompt } from "../prompt.ts";
import { idText } from "../prompt-id.ts";
import { gateSchema, joined, Words, type Gate, type Shown } from "./gate.ts";
import { howToAnswer } from "./prompt-comments.ts";

export interface QuestionAnswers {
  readonly questions: readonly { readonly question: string; readonly answer: string }[];
}

const schema = gateSchema({
  questions: z.array(z.strictObject({ question: z.string(), answer: Words })),
});

export function questionsGateName({ id }: Prompt): string {
  return `${idText(id)}_review_questions`;
}

export function questionsGate(
  plan: PlanPlace,
  prompt: Prompt,
  { questions, shown }: { readonly questions: readonly string[]; readonly shown: Shown },
): Gate<QuestionAnswers> {
  const name = questionsGateName(prompt);
  return {
    name,
    plan,
    title: `Questions of the reviewer of prompt ${idText(prompt.id)}`,
    shown,
    comments: [
      `The reviewer of prompt ${idText(prompt.id)} of ${plan.branch} asks. Every question needs an answer.`,
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
      const said = fields.questions.map(({ question }) => question);
      const missing = questions.findIndex((question) => !said.includes(question));
      if (missing !== -1)
        return { field: "questions", message: `this one is missing: ${questions[missing] ?? ""}` };
      const open = fields.questions.findIndex(({ answer }) => answer.trim() === "");
      return open === -1 ? null : { field: `questions.${open}.answer`, message: "it has no answer" };
    },
    words: ({ questions: answers, thoughts }) =>
      joined(...answers.map(({ question, answer }) => `Question: ${question}\nAnswer: ${answer}`), thoughts),
    // The reviewer is told by whoever waits; the plan does not change.
    apply: async () => {},
  };
}
