/** What an ask is to a person: decides what is shown, how it is answered, and what `--json` calls it. */
import type { AskCommand } from "../kernel/command.ts";

export type AskKind = "plan" | "code" | "questions" | "breaker" | "paused" | "question" | "failed";

export function askKind(ask: AskCommand): AskKind {
  if (ask.as === "escalated") return "breaker";
  if (ask.as === "inconclusive") return "paused";
  if (ask.as === "failed") return "failed";
  if (ask.answers.includes("approve")) return ask.shows.includes("architecture") ? "plan" : "code";
  return ask.answers.includes("answered") ? "questions" : "question";
}

/** The commands that answer an ask, as a person may type them; the first is the likely one. */
export function askCommands(run: string, ask: AskCommand, reset: string | null): readonly string[] {
  switch (askKind(ask)) {
    case "plan":
    case "code":
      return [`mettle approve ${run}`, `mettle reject ${run} --reason "…"`];
    case "questions":
      return [`mettle answer ${run} ID="…"`];
    case "paused":
      return [`mettle resume ${run}`];
    case "breaker":
    case "failed":
      return [
        `mettle resume ${run} --reset ${reset ?? "COMMIT"}`,
        `mettle resume ${run} --context "…"`,
        `mettle resume ${run} --approach "…"`,
        `mettle abort ${run}`,
      ];
    case "question":
      return ask.answers.map((answer) => `mettle answer ${run} ${answer === "answer" ? '"…"' : answer}`);
  }
}
