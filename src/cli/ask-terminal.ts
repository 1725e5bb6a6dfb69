/** Asks the person at this terminal: questions one by one, approvals after their subject is printed. */
import type { AskCommand } from "../kernel/command.ts";
import type { RunEvent } from "../log/run-event.ts";
import { answerAsk } from "../engine/asks/answer.ts";
import { printableText } from "../lib/printable.ts";
import { acceptBase } from "../engine/asks/open.ts";
import { askKind, namedAnswers } from "../views/asks.ts";
import { boundContents } from "../views/bound.ts";
import { safeLine } from "../lib/safe-text.ts";
import type { RunContext } from "../run/context.ts";
import type { Settlement } from "../run/settlement.ts";
import { requirePerson } from "../channel/person.ts";
import { personText } from "./screen/person-text.ts";
import { promptForLine, promptForWord } from "./terminal-prompt.ts";

/**
 * @param interrupt called on Ctrl-C, which the prompt intercepts
 * @returns null if the person defers the answer
 */
export async function askAtTerminal(
  context: RunContext,
  ask: AskCommand,
  interrupt: () => void,
): Promise<Settlement | null> {
  const { stdout: out } = process;
  out.write(`\n${personText(context.session.view.asks[ask.key]?.text ?? ask.text, out)}\n`);
  const answered = await askByKind(context, ask);
  if (answered === "cancelled") interrupt();
  return answered === "cancelled" || answered === "later" ? null : answered;
}

type TerminalAnswer = Settlement | "later" | "cancelled";

async function askByKind(context: RunContext, ask: AskCommand): Promise<TerminalAnswer> {
  switch (askKind(ask)) {
    case "questions":
      return askQuestions(context, ask);
    case "plan":
    case "code":
    case "question":
      return askDecision(context, ask);
    case "base":
      return askBase(context);
    case "plan_gate":
    case "breaker":
    case "paused":
    case "failed":
      return "later";
  }
}

/** The person types the number, so that a single key cannot accept a broken base. */
async function askBase(context: RunContext): Promise<TerminalAnswer> {
  const count = String(context.session.view.base?.count ?? 0);
  const question = "The number of failing tests, to go on from there (Enter: decide later)";
  const typed = await promptForWord(question, [count]);
  if (typed.type === "cancelled") return "cancelled";
  return typed.type === "word" ? acceptBase(context, [count], requirePerson()) : unclear(typed.text);
}

async function askQuestions(context: RunContext, ask: AskCommand): Promise<TerminalAnswer> {
  const by = requirePerson();
  const facts: RunEvent[] = [];
  for (const { id, topic, text } of context.session.view.questions.filter(({ answer }) => answer === null)) {
    const answer = await promptForLine(`${topic}: ${text} (Enter: later)`);
    if (answer === null || answer.trim() === "") {
      await context.session.record(facts);
      return answer === null ? "cancelled" : "later";
    }
    facts.push({ type: "question.answered", id, text: answer, by });
  }
  return { ...(await answerAsk(context, { ask, outcome: "answered", by })), facts };
}

/** Each answer has its own word; any other input defers the decision. */
async function askDecision(context: RunContext, ask: AskCommand): Promise<TerminalAnswer> {
  const choices = choicesOf(ask);
  if (choices.length === 1 && choices[0]?.answer === "answer") return askAnswer(context, ask);
  const typed = await promptForWord(
    [
      ask.text,
      ...choices.map(
        ({ word, effect }) => `  ${word.padEnd(longest(choices))}  ${effect(bound(context, ask))}`,
      ),
      `  ${"Enter".padEnd(longest(choices))}  decide later`,
    ].join("\n"),
    choices.map(({ word }) => word),
  );
  if (typed.type === "cancelled") return "cancelled";
  const choice = typed.type === "word" ? choices.find(({ word }) => word === typed.word) : undefined;
  if (choice === undefined) return unclear(typed.type === "unclear" ? typed.text : "");
  return settleChoice(context, ask, choice);
}

function unclear(text: string): "later" {
  if (text !== "")
    say(`${JSON.stringify(safeLine(text))} is not exactly one of these words; nothing was decided`);
  return "later";
}

interface Choice {
  /** The word to type. */
  readonly word: string;
  readonly answer: string;
  /** Describes the answer. @param bound what an approval is bound to */
  readonly effect: (bound: string) => string;
  readonly followUp: { readonly message: string; readonly isRequired: boolean } | null;
}

function choicesOf(ask: AskCommand): readonly Choice[] {
  const named = namedAnswers(ask).map((answer): Choice => {
    const followUp = { message: "Anything to add?", isRequired: false };
    return { word: answer.toLowerCase(), answer, effect: () => `answer ${answer}`, followUp };
  });
  if (!ask.answers.includes("approve")) return named;
  const reason = { message: "What is wrong? (Enter: decide later)", isRequired: true };
  return [
    {
      word: "yes",
      answer: "approve",
      effect: (bound) => (bound === "" ? "approve it" : `approve ${bound}`),
      followUp: null,
    },
    { word: "no", answer: "reject", effect: () => "reject it, with a reason", followUp: reason },
    ...named,
  ];
}

async function settleChoice(
  context: RunContext,
  ask: AskCommand,
  { answer, followUp }: Choice,
): Promise<TerminalAnswer> {
  const text = followUp === null ? undefined : await promptForLine(followUp.message);
  if (text === null) return "cancelled";
  if (followUp?.isRequired === true && text?.trim() === "") return "later";
  const by = requirePerson();
  return answerAsk(context, { ask, outcome: answer, by, ...(text === undefined ? {} : { text }) });
}

/** The answer is free text; an empty line defers it. */
async function askAnswer(context: RunContext, ask: AskCommand): Promise<TerminalAnswer> {
  const text = await promptForLine(`${ask.text} (Enter: later)`);
  if (text === null) return "cancelled";
  if (text.trim() === "") return "later";
  return answerAsk(context, { ask, outcome: "answer", text, by: requirePerson() });
}

function bound({ session }: RunContext, { key }: AskCommand): string {
  return boundContents(session.view.asks[key]?.shown ?? {});
}

function longest(choices: readonly Choice[]): number {
  return Math.max("Enter".length, ...choices.map(({ word }) => word.length));
}

function say(line: string): void {
  process.stdout.write(`${printableText(line)}\n`);
}
