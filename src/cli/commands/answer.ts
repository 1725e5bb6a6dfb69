import { AppError } from "../../lib/errors.ts";
import type { AskCommand } from "../../kernel/command.ts";
import { answerQuestions, type QuestionAnswer } from "../../engine/asks/questions.ts";
import { acceptBase } from "../../engine/asks/open.ts";
import { askKind, isPlanGate, namedAnswers, resumeChoices } from "../../views/asks.ts";
import { root } from "../../kernel/frames.ts";
import { respecify } from "../../families/graph/spec/respecify.ts";
import type { CommandHandler } from "../command.ts";
import { specFrom } from "../read-spec.ts";
import { answerRun, type PersonAnswer } from "../answer-run.ts";

export const run: CommandHandler = async (io, given) => {
  const name = given.need("run");
  const words = given.list("answer") ?? [];
  const set = given.list("set");
  const spec = given.text("spec");
  if (set !== null) {
    const { answerEnvoyGate } = await import("../answer-gate.ts");
    return answerEnvoyGate(io, name, set);
  }
  // An amended spec answers the question of the root node (V3-67, 93).
  if (spec !== null)
    return answerRun({
      io,
      given: name,
      matches: ({ as, answers, frame }) => as === "waiting" && answers.includes("answer") && frame === root,
      async decide(context, _ask, by) {
        const fact = await respecify(context, await specFrom(context, io.cwd, spec), by);
        return { outcome: "answer", text: words.join(" ") || "the spec was amended", facts: [fact] };
      },
    });
  if (words.length === 0)
    throw new AppError("usage", "the answer is missing", {
      hint: "mettle answer RUN TEXT, or mettle answer GATE --set FIELD=VALUE",
    });
  return answerRun({
    io,
    given: name,
    node: given.text("node") ?? undefined,
    // While another process drives the run, a pause is answered here, since `mettle resume` is refused.
    matches: (ask) =>
      ask.as === "inconclusive"
        ? ask.answers.includes(words[0] ?? "")
        : ask.as === "waiting" && (namedAnswers(ask).length > 0 || !ask.answers.includes("approve")),
    decide: async (context, ask, by) =>
      askKind(ask) === "base"
        ? acceptBase(context, words, by)
        : ask.answers.includes("answered")
          ? answerQuestions(context, words.map(readAnswer), by)
          : plainAnswer(ask, words),
  });
};

async function plainAnswer(ask: AskCommand, words: readonly string[]): Promise<PersonAnswer> {
  if (isPlanGate(ask))
    throw new AppError("usage", "a gate of a plan must be answered by its own name", {
      hint: "mettle answer GATE --set FIELD=VALUE; `mettle status` names the gate",
    });
  const [first = "", ...rest] = words;
  if (resumeChoices.has(first) && ask.answers.includes(first))
    throw new AppError("usage", `${first} is an option of resume`, {
      hint: `mettle resume RUN --${first} …`,
    });
  if (ask.answers.includes(first)) return { outcome: first, text: rest.join(" ") };
  const [only] = ask.answers.filter((answer) => answer !== "changed");
  if (only === "answer") return { outcome: only, text: words.join(" ") };
  throw new AppError("unknown_answer", `${first} is not an answer to "${ask.text}"`, {
    hint: `answers: ${namedAnswers(ask).join(", ")}; \`mettle status\` has the command of each`,
  });
}

/** Parses `ID=TEXT`; a word without `=` is an id with an empty answer. */
function readAnswer(word: string): QuestionAnswer {
  const match = /^([^=\s]+)=([\s\S]*)$/u.exec(word);
  return { id: match?.[1] ?? word, text: match?.[2] ?? "" };
}
