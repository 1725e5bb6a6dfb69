/** How a phase ended, or what it waits for, in words. Pure. */
import type { AskCommand } from "../../kernel/command.ts";
import type { CommandEntry } from "../../log/commands.ts";
import type { RunView } from "../../log/run-view.ts";
import { counted } from "../../lib/counted.ts";
import { safeLine } from "../../lib/safe-text.ts";
import { firstLine } from "../../lib/text.ts";
import { wordOf } from "../../protocol/routes.ts";
import type { Phase } from "./phase.ts";

export type VerdictKind = "good" | "bad" | "waits" | "unknown" | "claim" | "none";

export interface PhaseVerdict {
  readonly kind: VerdictKind;
  readonly words: string;
}

type Of = Pick<Phase, "keys">;

export function phaseVerdict(phase: Of, view: RunView): PhaseVerdict {
  const entries = phase.keys.flatMap((key) => view.commands[key] ?? []);
  const ask = entries.findLast(({ command }) => command.type === "ask");
  const work = entries.findLast(({ command }) => command.type !== "ask");
  if (ask !== undefined && ask.result === null) return { kind: "waits", words: "waits for you" };
  // What follows an answer without an agent only books it.
  const isBooked = !entries.some(({ command }) => command.type === "dispatch");
  if (ask !== undefined && (work === undefined || isBooked)) return answered(ask, view);
  if (work === undefined) return { kind: "none", words: "" };
  return work.command.type === "dispatch" ? reported(work) : checked(phase, work, view);
}

function checked(phase: Of, { command, result }: CommandEntry, view: RunView): PhaseVerdict {
  if (result === null) return { kind: "none", words: "not finished" };
  const verdict = view.judged.findLast(({ key }) => key === command.key)?.verdict;
  switch (verdict ?? (wordOf(result.outcome) === "pass" ? "pass" : result.outcome)) {
    case "pass":
    case "merged":
      return { kind: "good", words: `${passed(phase, command, view)}${attemptText(phase, view, 2)}` };
    case "fail":
      return { kind: "bad", words: `${refused(phase, view)}${attemptText(phase, view, 1)}` };
    case "inconclusive":
      return { kind: "unknown", words: "could not be judged" };
    default:
      return { kind: "none", words: wordOf(result.outcome).replaceAll("_", " ") };
  }
}

/** Reviewers approve, tests fail or pass, everything else is accepted. */
function passed(phase: Of, command: CommandEntry["command"], view: RunView): string {
  const reviews = reviewsOf(phase, view);
  if (reviews.length > 0) return `approved by ${counted(reviews.length, "reviewer")}`;
  const gate = command.type === "check" ? command.gate : "";
  const required = view.frozen?.required.length ?? 0;
  if (gate === "red" && required > 0)
    return required === 1 ? "1 test fails as it should" : `${required} tests fail as they should`;
  if (gate === "green" && required > 0)
    return `${counted(required, "required test")} ${required === 1 ? "passes" : "pass"}`;
  return gate === "final" ? "proven" : "accepted";
}

function refused(phase: Of, view: RunView): string {
  const reviews = reviewsOf(phase, view);
  const against = reviews.filter(({ verdict }) => verdict !== "APPROVED").length;
  if (reviews.length === 0) return "refused";
  return `${against} of ${counted(reviews.length, "reviewer")} ${against === 1 ? "objects" : "object"}`;
}

function reviewsOf({ keys }: Of, { reviews }: RunView): RunView["reviews"] {
  return reviews.filter(({ key }) => keys.includes(key));
}

/** @param from the first attempt that is named */
function attemptText({ keys }: Of, { commands }: RunView, from: number): string {
  const counts = keys.flatMap((key) => {
    const command = commands[key]?.command;
    const name = command?.type === "check" ? command.gate : command?.state;
    // The nodes of a graph count their attempts by this name.
    return command?.counters[name ?? ""] ?? command?.counters["attempt"] ?? [];
  });
  const count = counts.at(-1);
  return count === undefined || count.value < from || count.limit === null
    ? ""
    : `, attempt ${Math.min(count.value, count.limit)} of ${count.limit}`;
}

function answered({ command, result }: CommandEntry, view: RunView): PhaseVerdict {
  const answer = view.answers.findLast(({ key }) => key === command.key);
  const outcome = result?.outcome ?? "";
  const by = answer === undefined ? "" : ` by ${whoseAnswer(answer.answeredBy)}`;
  if (outcome === "reject") return { kind: "bad", words: `rejected${by}` };
  if (outcome === "approve") return { kind: "good", words: `approved${by}` };
  const word = (command as AskCommand).answers.includes("answered") ? "answered" : `answered ${outcome}`;
  return { kind: "good", words: `${word}${by}` };
}

function whoseAnswer(answeredBy: string): string {
  if (answeredBy === "demo") return "the demo";
  return answeredBy === "preapproved" ? "an option of the command" : "a person";
}

/** A report is a claim: it is printed as one. */
function reported({ result }: CommandEntry): PhaseVerdict {
  if (result === null) return { kind: "none", words: "not finished" };
  const { outcome, text } = result;
  const word = wordOf(outcome);
  if (word === "inconclusive") return { kind: "unknown", words: "could not finish" };
  if (approvals.has(word)) return { kind: "good", words: "approved" };
  if (objections.has(word)) return { kind: "bad", words: withText("asks for changes", text) };
  if (/^(?:error|failed|crashed|timeout|TI|BL)$/u.test(word))
    return { kind: "bad", words: withText("did not succeed", text ?? outcome) };
  return {
    kind: "claim",
    words: `reports ${text === null || text === "" ? outcome : firstLine(safeLine(text))}`,
  };
}

function withText(words: string, text: string | null): string {
  return text === null || text === "" ? words : `${words}: ${firstLine(safeLine(text))}`;
}

const approvals: ReadonlySet<string> = new Set(["APPROVED", "ACCEPT", "PA", "Approved"]);
const objections: ReadonlySet<string> = new Set([
  "NEEDS_WORK",
  "NEEDS_CHANGE",
  "REVISE",
  "REJECT",
  "NR",
  "Rejected",
]);
