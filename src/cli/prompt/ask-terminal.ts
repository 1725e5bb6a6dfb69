/** Asks the person at this terminal: questions one by one, approvals after their subject is printed. */
import type { AskCommand } from "../../kernel/command.ts";
import { answerAsk } from "../../engine/asks/answer.ts";
import { printableText } from "../../lib/printable.ts";
import { acceptBase } from "../../engine/asks/open.ts";
import { askKind, namedAnswers } from "../../views/asks.ts";
import { boundContents } from "../../views/bound.ts";
import { mask } from "../../lib/mask.ts";
import { safeLine } from "../../lib/safe-text.ts";
import type { RunContext } from "../../run/context.ts";
import type { Settlement } from "../../run/settlement.ts";
import { requirePerson } from "../../channel/person.ts";
import { personText } from "../screen/person-text.ts";
import { promptForLine, promptForWord, type TypedNothing } from "./terminal-prompt.ts";
import { watchAsk } from "./watch-ask.ts";

/**
 * @param interrupt called on Ctrl-C, which the prompt intercepts
 * @returns null if the person defers the answer, or if the run went on without it: the prompt says what happened then (SEE-06)
 */
export async function askAtTerminal(
  context: RunContext,
  ask: AskCommand,
  interrupt: () => void,
): Promise<Settlement | null> {
  const { stdout: out } = process;
  out.write(`\n${personText(context.session.view.asks[ask.key]?.text ?? ask.text, out)}\n`);
  const answered = await askByKind({ context, ask, after: context.session.view.seq });
  if (answered === "cancelled") interrupt();
  return typeof answered === "string" ? null : answered;
}

interface Asking {
  readonly context: RunContext;
  readonly ask: AskCommand;
  /** The newest event when the ask was shown here. */
  readonly after: number;
}

type Undecided = "later" | "cancelled" | "ended";
type TerminalAnswer = Settlement | Undecided;

async function askByKind(asking: Asking): Promise<TerminalAnswer> {
  switch (askKind(asking.ask)) {
    case "questions":
      return askQuestions(asking);
    case "plan":
    case "code":
    case "question":
      return askDecision(asking);
    case "base":
      return askBase(asking);
    case "plan_gate":
    case "breaker":
    case "paused":
    case "failed":
      return "later";
  }
}

/** Prompts as long as the ask is open. @param question the clarifying question that is typed at */
async function typed<Typed extends { readonly type: string }>(
  { context, ask, after }: Asking,
  prompt: (signal: AbortSignal) => Promise<Typed | TypedNothing>,
  question?: string,
): Promise<Typed | TypedNothing> {
  const watch = watchAsk(context, { key: ask.key, question }, after);
  try {
    const given = await prompt(watch.signal);
    if (given.type === "cancelled") return given;
    // Somebody may have been first while Enter was pressed.
    const what = await watch.look();
    if (what === null) return given;
    say(`${what}; what was typed here does not count`);
    return { type: "ended" };
  } finally {
    watch.stop();
  }
}

/** The person types the number, so that a single key cannot accept a broken base. */
async function askBase(asking: Asking): Promise<TerminalAnswer> {
  const { context } = asking;
  const count = String(context.session.view.base?.count ?? 0);
  const question = "The number of failing tests, to go on from there (Enter: decide later)";
  const given = await typed(asking, (signal) => promptForWord(question, [count], signal));
  if (given.type === "cancelled" || given.type === "ended") return given.type;
  return given.type === "word" ? acceptBase(context, [count], requirePerson()) : unclear(given.text);
}

async function askQuestions(asking: Asking): Promise<TerminalAnswer> {
  const { context, ask } = asking;
  const by = requirePerson();
  for (const { id, topic, text } of context.session.view.questions.filter(({ answer }) => answer === null)) {
    const message = `${topic}: ${text} (Enter: later)`;
    const given = await typed(asking, (signal) => promptForLine(message, signal), id);
    if (given.type === "cancelled") return "cancelled";
    if (given.type === "line") {
      if (given.text.trim() === "") return "later";
      const answer = mask(given.text, context.host.secrets);
      await context.session.record([{ type: "question.answered", id, text: answer, by }]);
    } else if (!(await isOpen(asking))) return "ended";
  }
  return (await isOpen(asking)) ? answerAsk(context, { ask, outcome: "answered", by }) : "ended";
}

/** Another question of the same ask may still be open. */
async function isOpen({ context, ask, after }: Asking): Promise<boolean> {
  const watch = watchAsk(context, { key: ask.key }, after);
  try {
    return (await watch.look()) === null;
  } finally {
    watch.stop();
  }
}

/** Each answer has its own word; any other input defers the decision. */
async function askDecision(asking: Asking): Promise<TerminalAnswer> {
  const { context, ask } = asking;
  const choices = choicesOf(ask);
  if (choices.length === 1 && choices[0]?.answer === "answer") return askAnswer(asking);
  const message = [
    ask.text,
    ...choices.map(
      ({ word, effect }) => `  ${word.padEnd(longest(choices))}  ${effect(bound(context, ask))}`,
    ),
    `  ${"Enter".padEnd(longest(choices))}  decide later`,
  ].join("\n");
  const words = choices.map(({ word }) => word);
  const given = await typed(asking, (signal) => promptForWord(message, words, signal));
  if (given.type === "cancelled" || given.type === "ended") return given.type;
  const choice = given.type === "word" ? choices.find(({ word }) => word === given.word) : undefined;
  if (choice === undefined) return unclear(given.type === "unclear" ? given.text : "");
  return settleChoice(asking, choice);
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

async function settleChoice(asking: Asking, { answer, followUp }: Choice): Promise<TerminalAnswer> {
  const { context, ask } = asking;
  const settle = (text?: string): Promise<Settlement> =>
    answerAsk(context, {
      ask,
      outcome: answer,
      by: requirePerson(),
      ...(text === undefined ? {} : { text }),
    });
  if (followUp === null) return settle();
  const given = await typed(asking, (signal) => promptForLine(followUp.message, signal));
  if (given.type !== "line") return given.type;
  return followUp.isRequired && given.text.trim() === "" ? "later" : settle(given.text);
}

/** The answer is free text; an empty line defers it. */
async function askAnswer(asking: Asking): Promise<TerminalAnswer> {
  const { context, ask } = asking;
  const given = await typed(asking, (signal) => promptForLine(`${ask.text} (Enter: later)`, signal));
  if (given.type !== "line") return given.type;
  if (given.text.trim() === "") return "later";
  return answerAsk(context, { ask, outcome: "answer", text: given.text, by: requirePerson() });
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
