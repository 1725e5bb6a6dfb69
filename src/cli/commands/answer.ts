import { AppError } from "../../lib/errors.ts";
import type { AskCommand } from "../../kernel/command.ts";
import { answerQuestions, type QuestionAnswer } from "../../runtime/asks/questions.ts";
import { acceptBase } from "../../runtime/asks/open.ts";
import { askKind, isPlanGate, namedAnswers, resumeChoices } from "../../views/asks.ts";
import type { CliCommand } from "../command.ts";
import { amendSpec } from "../amend-spec.ts";
import { answerRun, type PersonAnswer } from "../answer-run.ts";

export const command: CliCommand = {
  define: (line) =>
    line
      .argument("<run>", "id of the run, or name of a gate of envoy: 1_A_testing")
      .argument("[answer...]", "ID=TEXT for each clarifying question; else the answer's name, or free text")
      .option("--node <node>", "graph: the node whose question it answers")
      .option("--spec <file>", "graph: answer with an amended spec; - for standard input")
      .option("--set <field=value...>", "a field of a gate: test_passed=true, logs=@FILE"),
  run: async (io, [given = "", ...words], { set, node, spec }) => {
    if (Array.isArray(set)) {
      const { answerGateHere } = await import("../answer-gate.ts");
      return answerGateHere(io, given, set.map(String));
    }
    if (typeof spec === "string") return amendSpec(io, { given, file: spec, words });
    if (words.length === 0)
      throw new AppError("usage", "the answer is missing", {
        hint: "mettle answer RUN TEXT, or mettle answer GATE --set FIELD=VALUE",
      });
    return answerRun({
      io,
      given,
      node: typeof node === "string" ? node : undefined,
      // A pause is answered here while another process drives; `mettle resume` is refused then.
      wants: (ask) =>
        ask.as === "inconclusive"
          ? ask.answers.includes(words[0] ?? "")
          : ask.as === "waiting" && (namedAnswers(ask).length > 0 || !ask.answers.includes("approve")),
      say: async (context, ask, by) =>
        askKind(ask) === "base"
          ? acceptBase(context, words, by)
          : ask.answers.includes("answered")
            ? answerQuestions(context, words.map(readAnswer), by)
            : plainAnswer(ask, words),
    });
  },
};

async function plainAnswer(ask: AskCommand, words: readonly string[]): Promise<PersonAnswer> {
  if (isPlanGate(ask))
    throw new AppError("usage", "a gate of a plan is answered by its own name", {
      hint: "mettle answer GATE --set FIELD=VALUE; `mettle status` names the gate",
    });
  const [first = "", ...rest] = words;
  if (resumeChoices.has(first) && ask.answers.includes(first))
    throw new AppError("usage", `${first} is chosen when the run goes on`, {
      hint: `mettle resume RUN --${first} …`,
    });
  if (ask.answers.includes(first)) return { outcome: first, text: rest.join(" ") };
  const [only] = ask.answers.filter((answer) => answer !== "changed");
  if (only === "answer") return { outcome: only, text: words.join(" ") };
  throw new AppError("unknown_answer", `${first} is no answer to "${ask.text}"`, {
    hint: `answers: ${namedAnswers(ask).join(", ")}; \`mettle status\` has the command of each`,
  });
}

/** `ID=TEXT`; a word of another shape answers nothing. */
function readAnswer(word: string): QuestionAnswer {
  const match = /^([^=\s]+)=([\s\S]*)$/u.exec(word);
  return { id: match?.[1] ?? word, text: match?.[2] ?? "" };
}
