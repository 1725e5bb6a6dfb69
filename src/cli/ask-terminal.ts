/** Asks the person at this terminal: questions one by one, approvals with what they are about already shown. */
import type { AskCommand } from "../kernel/command.ts";
import type { RunEvent } from "../log/run-event.ts";
import { answerAsk } from "../engine/asks/answer.ts";
import { printed } from "../lib/printed.ts";
import { acceptBase } from "../engine/asks/open.ts";
import { askKind, namedAnswers } from "../views/asks.ts";
import { boundTo } from "../views/bound.ts";
import { safeLine } from "../lib/safe-text.ts";
import type { RunContext } from "../run/context.ts";
import type { Settlement } from "../run/settlement.ts";
import { requirePerson } from "../channel/person.ts";
import { typedLine, typedWord } from "./typed-word.ts";

/**
 * The settlement, or null when the person would rather answer later.
 * @param interrupt called on Ctrl-C, which a prompt takes for itself
 */
export async function askAtTerminal(
  context: RunContext,
  ask: AskCommand,
  interrupt: () => void,
): Promise<Settlement | null> {
  process.stdout.write(`\n${printed(context.session.view.asks[ask.key]?.text ?? ask.text)}\n`);
  const answered = await askAs(context, ask);
  if (answered === "cancelled") interrupt();
  return answered === "cancelled" || answered === "later" ? null : answered;
}

type Answered = Settlement | "later" | "cancelled";

async function askAs(context: RunContext, ask: AskCommand): Promise<Answered> {
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

/** The number is typed, so that nobody lets a broken base pass by one key. */
async function askBase(context: RunContext): Promise<Answered> {
  const count = String(context.session.view.base?.count ?? 0);
  const asked = "The number of failing tests, to go on from there (Enter: decide later)";
  const typed = await typedWord(asked, [count]);
  if (typed.type === "cancelled") return "cancelled";
  return typed.type === "word" ? acceptBase(context, [count], requirePerson()) : unclear(typed.text);
}

async function askQuestions(context: RunContext, ask: AskCommand): Promise<Answered> {
  const by = requirePerson();
  const facts: RunEvent[] = [];
  for (const { id, topic, text } of context.session.view.questions.filter(({ answer }) => answer === null)) {
    const answer = await typedLine(`${topic}: ${text} (Enter: later)`);
    if (answer === null || answer.trim() === "") {
      await context.session.record(facts);
      return answer === null ? "cancelled" : "later";
    }
    facts.push({ type: "question.answered", id, text: answer, by });
  }
  return { ...(await answerAsk(context, { ask, outcome: "answered", by })), facts };
}

/** Each answer has a word of its own, and whatever else is typed decides nothing yet. */
async function askDecision(context: RunContext, ask: AskCommand): Promise<Answered> {
  const ways = waysOf(ask);
  if (ways.length === 1 && ways[0]?.answer === "answer") return askAnswer(context, ask);
  const typed = await typedWord(
    [
      ask.text,
      ...ways.map(({ word, does }) => `  ${word.padEnd(longest(ways))}  ${does(bound(context, ask))}`),
      `  ${"Enter".padEnd(longest(ways))}  decide later`,
    ].join("\n"),
    ways.map(({ word }) => word),
  );
  if (typed.type === "cancelled") return "cancelled";
  const way = typed.type === "word" ? ways.find(({ word }) => word === typed.word) : undefined;
  if (way === undefined) return unclear(typed.type === "unclear" ? typed.text : "");
  return settled(context, ask, way);
}

function unclear(text: string): "later" {
  if (text !== "")
    say(`${JSON.stringify(safeLine(text))} is none of these words, alone and typed: nothing is decided`);
  return "later";
}

interface Way {
  /** To be typed. */
  readonly word: string;
  readonly answer: string;
  readonly does: (bound: string) => string;
  /** What is asked beside it. */
  readonly asks: { readonly message: string; readonly isNeeded: boolean } | null;
}

function waysOf(ask: AskCommand): readonly Way[] {
  const named = namedAnswers(ask).map((answer): Way => {
    const asks = { message: "Anything to add?", isNeeded: false };
    return { word: answer.toLowerCase(), answer, does: () => `answer ${answer}`, asks };
  });
  if (!ask.answers.includes("approve")) return named;
  const reason = { message: "What is wrong? (Enter: decide later)", isNeeded: true };
  return [
    {
      word: "yes",
      answer: "approve",
      does: (bound) => (bound === "" ? "approve it" : `approve ${bound}`),
      asks: null,
    },
    { word: "no", answer: "reject", does: () => "reject it, with a reason", asks: reason },
    ...named,
  ];
}

async function settled(context: RunContext, ask: AskCommand, { answer, asks }: Way): Promise<Answered> {
  const text = asks === null ? undefined : await typedLine(asks.message);
  if (text === null) return "cancelled";
  if (asks?.isNeeded === true && text?.trim() === "") return "later";
  const by = requirePerson();
  return answerAsk(context, { ask, outcome: answer, by, ...(text === undefined ? {} : { text }) });
}

/** Free text is the answer; none is decided by nothing. */
async function askAnswer(context: RunContext, ask: AskCommand): Promise<Answered> {
  const text = await typedLine(`${ask.text} (Enter: later)`);
  if (text === null) return "cancelled";
  if (text.trim() === "") return "later";
  return answerAsk(context, { ask, outcome: "answer", text, by: requirePerson() });
}

function bound({ session }: RunContext, { key }: AskCommand): string {
  return boundTo(session.view.asks[key]?.shown ?? {});
}

function longest(ways: readonly Way[]): number {
  return Math.max("Enter".length, ...ways.map(({ word }) => word.length));
}

function say(line: string): void {
  process.stdout.write(`${printed(line)}\n`);
}
