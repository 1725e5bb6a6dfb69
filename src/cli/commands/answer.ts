import { AppError } from "../../lib/errors.ts";
import type { AskCommand } from "../../kernel/command.ts";
import type { RunEvent } from "../../kernel/run-event.ts";
import type { By } from "../../runtime/asks/answer.ts";
import type { RunContext } from "../../runtime/context.ts";
import { resumeChoices } from "../../views/asks.ts";
import type { CliCommand } from "../command.ts";
import { answerRun, type PersonAnswer } from "../answer-run.ts";

export const command: CliCommand = {
  define: (line) =>
    line
      .argument("<run>", "id of the run")
      .argument("<answer...>", "ID=TEXT for each clarifying question; else the answer's name, or free text"),
  run: (io, [given, ...words]) =>
    answerRun({
      io,
      given,
      // A pause is answered here while another process drives; `mettle resume` is refused then.
      wants: (ask) =>
        ask.as === "inconclusive"
          ? ask.answers.includes(words[0] ?? "")
          : ask.as === "waiting" && !ask.answers.includes("approve"),
      say: (context, ask, by) =>
        ask.answers.includes("answered") ? answerQuestions({ context, words, by }) : plainAnswer(ask, words),
    }),
};

async function plainAnswer(ask: AskCommand, words: readonly string[]): Promise<PersonAnswer> {
  const [first = "", ...rest] = words;
  if (resumeChoices.has(first) && ask.answers.includes(first))
    throw new AppError("usage", `${first} is chosen when the run goes on`, {
      hint: `mettle resume RUN --${first} …`,
    });
  if (ask.answers.includes(first)) return { outcome: first, text: rest.join(" ") };
  const [only] = ask.answers.filter((answer) => answer !== "changed");
  if (only === "answer") return { outcome: only, text: words.join(" ") };
  throw new AppError("unknown_answer", `${first} is no answer to "${ask.text}"`, {
    hint: `answers: ${ask.answers.join(", ")}`,
  });
}

interface Given {
  readonly context: RunContext;
  readonly words: readonly string[];
  readonly by: By;
}

/** Journals each answer; the ask itself is answered when no question is open any more (ORC-70). */
async function answerQuestions({ context, words, by }: Given): Promise<PersonAnswer | null> {
  const { questions } = context.session.view;
  const given = words.map((word) => {
    const match = /^([^=\s]+)=([\s\S]*)$/u.exec(word);
    const id = match?.[1] ?? word;
    if (!match || !questions.some((question) => question.id === id))
      throw new AppError("question_unknown", `there is no question ${id}`, {
        hint: `open questions: ${questions
          .filter(({ answer }) => answer === null)
          .map((question) => question.id)
          .join(", ")}`,
      });
    if ((match[2] ?? "").trim() === "")
      throw new AppError("usage", `the answer to ${id} is empty`, {
        hint: `mettle answer ${context.run} ${id}="…"`,
      });
    return { id, text: match[2] ?? "" };
  });
  const facts: RunEvent[] = given.map(({ id, text }) => ({ type: "question.answered", id, text, by }));
  const answered = new Set(given.map(({ id }) => id));
  const open = questions.filter(({ id, answer }) => answer === null && !answered.has(id));
  if (open.length === 0) return { outcome: "answered", facts };
  await context.session.record(facts);
  return null;
}
