/** What an ask is to a person: decides what is shown, how it is answered, and what `--json` calls it. */
import type { AskCommand } from "../kernel/command.ts";
import type { Question, RunView } from "./run-view.ts";
import { safeLine } from "./safe-text.ts";

export type AskKind = "plan" | "code" | "questions" | "breaker" | "paused" | "question" | "failed";

export function askKind(ask: AskCommand): AskKind {
  if (ask.as === "escalated") return "breaker";
  if (ask.as === "inconclusive") return "paused";
  if (ask.as === "failed") return "failed";
  if (ask.answers.includes("approve")) return ask.shows.includes("architecture") ? "plan" : "code";
  return ask.answers.includes("answered") ? "questions" : "question";
}

/** The clarifying questions that nobody has answered yet. */
export function openQuestions({ questions }: RunView): readonly Question[] {
  return questions.filter(({ answer }) => answer === null);
}

export function questionsText(view: RunView): string {
  const lines = openQuestions(view).map(({ id, topic, text }) => `  ${id} (${topic}): ${safeLine(text)}`);
  return ["Clarifying questions:", ...lines].join("\n");
}

/** The error that an ask pauses at, where the environment stopped a command. */
export function stopOf({ warnings }: RunView, ask: AskCommand): RunView["warnings"][number] | null {
  const isCause = (key: string): boolean => ask.causes.some((cause) => cause.key === key);
  return warnings.findLast(({ stopped }) => stopped !== undefined && isCause(stopped.key)) ?? null;
}

/** The commands that answer an ask, as a person may type them; the first is the likely one. */
export function askCommands(view: RunView, ask: AskCommand): readonly string[] {
  const { run } = view;
  switch (askKind(ask)) {
    case "plan":
    case "code":
      return [`mettle approve ${run}`, `mettle reject ${run} --reason "…"`];
    case "questions":
      return [["mettle answer", run, ...openQuestions(view).map(({ id }) => `${id}="…"`)].join(" ")];
    case "paused":
      return [`mettle resume ${run}`];
    case "breaker":
    case "failed":
      return goOn(view, ask);
    case "question": {
      const answers = ask.answers.filter((answer) => !resumeChoices.has(answer));
      return [
        ...answers.map((answer) => `mettle answer ${run} ${answer === "answer" ? '"…"' : answer}`),
        ...(answers.length < ask.answers.length ? goOn(view, ask) : []),
      ];
    }
  }
}

/** Answers that `mettle resume` takes with what they need. */
export const resumeChoices: ReadonlySet<string> = new Set(["reset", "context", "approach"]);

/** After a failed cycle back to where it began. */
function goOn({ run, breakers, cyclesDone, started }: RunView, ask: AskCommand): readonly string[] {
  const tripped = breakers.findLast(({ key }) => key === ask.key)?.reset;
  const reset = tripped ?? cyclesDone.at(-1)?.commit ?? started?.base ?? "COMMIT";
  return [
    `mettle resume ${run} --reset ${reset}`,
    `mettle resume ${run} --context "…"`,
    `mettle resume ${run} --approach "…"`,
    `mettle abort ${run}`,
  ];
}
