/** Asks the person at this terminal: questions one by one, approvals with what they are about already shown. */
import * as prompts from "@clack/prompts";
import type { AskCommand } from "../kernel/command.ts";
import type { RunEvent } from "../kernel/run-event.ts";
import { answerAsk } from "../runtime/asks/answer.ts";
import { acceptBase } from "../runtime/asks/open.ts";
import { acceptsBase } from "../views/base-ask.ts";
import { askKind } from "../views/asks.ts";
import type { RunContext } from "../runtime/context.ts";
import type { Settlement } from "../runtime/settlement.ts";
import { person } from "../runtime/person.ts";

/**
 * The settlement, or null when the person would rather answer later.
 * @param interrupt called on Ctrl-C, which a prompt takes for itself
 */
export async function askAtTerminal(
  context: RunContext,
  ask: AskCommand,
  interrupt: () => void,
): Promise<Settlement | null> {
  process.stdout.write(`\n${context.session.view.asks[ask.key]?.text ?? ask.text}\n`);
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
      return askApproval(context, ask);
    case "question":
      return askWords(context, ask);
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
  const count = await prompts.text({
    message: "The number of failing tests, to go on from there; nothing, to decide later",
    defaultValue: "",
    validate: (value) =>
      (value ?? "").trim() === "" || acceptsBase(context.session.view, [(value ?? "").trim()])
        ? undefined
        : "that is not their number",
  });
  if (prompts.isCancel(count)) return "cancelled";
  return count.trim() === "" ? "later" : acceptBase(context, [count.trim()], person());
}

async function askQuestions(context: RunContext, ask: AskCommand): Promise<Answered> {
  const by = person();
  const facts: RunEvent[] = [];
  for (const { id, topic, text } of context.session.view.questions.filter(({ answer }) => answer === null)) {
    const answer = await prompts.text({
      message: `${topic}: ${text}`,
      validate: (value) => (value?.trim() ? undefined : "an answer is needed"),
    });
    if (prompts.isCancel(answer)) {
      await context.session.record(facts);
      return "cancelled";
    }
    facts.push({ type: "question.answered", id, text: answer, by });
  }
  return { ...(await answerAsk(context, { ask, outcome: "answered", by })), facts };
}

async function askApproval(context: RunContext, ask: AskCommand): Promise<Answered> {
  const choice = await prompts.select({
    message: ask.text,
    options: [
      { value: "approve", label: "approve" },
      { value: "reject", label: "reject with a reason" },
      { value: "later", label: "decide later" },
    ],
  });
  if (prompts.isCancel(choice)) return "cancelled";
  if (choice === "later") return "later";
  if (choice === "approve") return answerAsk(context, { ask, outcome: "approve", by: person() });
  const reason = await prompts.text({
    message: "What is wrong?",
    validate: (value) => (value?.trim() ? undefined : "a reason is needed"),
  });
  return prompts.isCancel(reason)
    ? "cancelled"
    : answerAsk(context, { ask, outcome: "reject", text: reason, by: person() });
}

async function askWords(context: RunContext, ask: AskCommand): Promise<Answered> {
  const answers = ask.answers.filter((answer) => answer !== "changed");
  const outcome =
    answers.length === 1
      ? answers[0]
      : await prompts.select({
          message: ask.text,
          options: answers.map((value) => ({ value, label: value })),
        });
  if (outcome === undefined) return "later";
  if (prompts.isCancel(outcome)) return "cancelled";
  const text = await prompts.text({ message: "Anything to add?", defaultValue: "" });
  return prompts.isCancel(text) ? "cancelled" : answerAsk(context, { ask, outcome, text, by: person() });
}
