/** Checks and journals answers to the clarifying questions; the last answer settles the ask. */
import type { By } from "../../log/by.ts";
import { AppError } from "../../lib/errors.ts";
import { mask } from "../../lib/mask.ts";
import type { RunEvent } from "../../log/run-event.ts";
import { openQuestions } from "../../views/asks.ts";
import type { RunContext } from "../../run/context.ts";

export interface QuestionAnswer {
  readonly id: string;
  readonly text: string;
}

/** @returns null while a question is still open: the answers are journaled and the ask stays open (ORC-70) */
export async function answerQuestions(
  context: Pick<RunContext, "session" | "run" | "host">,
  given: readonly QuestionAnswer[],
  by: By,
): Promise<{ readonly outcome: "answered"; readonly facts: readonly RunEvent[] } | null> {
  const { view } = context.session;
  const open = openQuestions(view);
  for (const { id, text } of given) {
    if (!view.questions.some((question) => question.id === id))
      throw new AppError("question_unknown", `there is no question ${id}`, {
        hint: `open questions: ${open.map((question) => question.id).join(", ")}`,
      });
    if (text.trim() === "")
      throw new AppError("usage", `the answer to ${id} is empty`, {
        hint: `mettle answer ${context.run} ${id}="…"`,
      });
  }
  const facts = given.map(({ id, text }): RunEvent => {
    return { type: "question.answered", id, text: mask(text, context.host.secrets), by };
  });
  const answered = new Set(given.map(({ id }) => id));
  if (open.every(({ id }) => answered.has(id))) return { outcome: "answered", facts };
  await context.session.record(facts);
  return null;
}
