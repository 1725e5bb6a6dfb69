/** The questions of a run and their answers: part of its read model. Pure. */
import type { EventOf } from "./run-event.ts";

export interface Question {
  readonly id: string;
  readonly topic: string;
  readonly text: string;
  readonly answer: string | null;
  readonly answeredBy: string | null;
}

/** Adds questions; skips known ids. */
export function addQuestions(
  before: readonly Question[],
  { questions }: EventOf<"questions.asked">,
): Question[] {
  const all = [...before];
  for (const question of questions)
    if (!all.some(({ id }) => id === question.id)) all.push({ ...question, answer: null, answeredBy: null });
  return all;
}

export function addAnswer(
  questions: readonly Question[],
  { id, text, by: { answeredBy } }: EventOf<"question.answered">,
): Question[] {
  return questions.map((question) =>
    question.id === id ? { ...question, answer: text, answeredBy } : question,
  );
}
