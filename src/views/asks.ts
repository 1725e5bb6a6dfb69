/** The kind of an ask: it decides what is shown, how it is answered, and its name in `--json`. */
import type { AskCommand } from "../kernel/command.ts";
import { baseCommands, baseKey } from "../log/base-ask.ts";
import { nodesOfFrames } from "../log/node-frames.ts";
import { openAsks } from "../log/open-asks.ts";
import type { Question } from "../log/questions.ts";
import type { RunView } from "../log/run-view.ts";
import { safeLine } from "../lib/safe-text.ts";
import { shellWords } from "./shell-words.ts";

export type AskKind =
  "plan" | "code" | "questions" | "breaker" | "paused" | "question" | "failed" | "plan_gate" | "base";

export function askKind(ask: AskCommand): AskKind {
  if (ask.key === baseKey) return "base";
  if (ask.as === "escalated") return "breaker";
  if (ask.as === "inconclusive") return "paused";
  if (ask.as === "failed") return "failed";
  if (isGate(ask)) return ask.shows.includes("architecture") ? "plan" : "code";
  if (isPlanGate(ask)) return "plan_gate";
  return ask.answers.includes("answered") ? "questions" : "question";
}

/** A yes-or-no decision about what is shown. */
function isGate({ answers }: AskCommand): boolean {
  return answers.includes("approve") && answers.every((answer) => gateAnswers.has(answer));
}

/** `changed` is not typed by a person: it means that they edited the plan's documents. */
const gateAnswers: ReadonlySet<string> = new Set(["approve", "reject", "changed"]);

/** The answers that `mettle answer` takes by name; the others have separate commands. */
export function namedAnswers({ answers }: AskCommand): readonly string[] {
  const others = answers.includes("approve") ? gateAnswers : new Set(["changed"]);
  return answers.filter((answer) => !others.has(answer) && !resumeChoices.has(answer));
}

/** A gate of an Envoy plan, which is answered in the plan and not at the run. */
export function isPlanGate({ answers }: AskCommand): boolean {
  return answers.includes("given");
}

/** The plan's gate that caused an ask. */
export function planGateOf(view: RunView, ask: AskCommand): RunView["planGates"][number] | null {
  return view.planGates.findLast(({ key }) => ask.causes.some((cause) => cause.key === key)) ?? null;
}

/** The unanswered clarifying questions. */
export function openQuestions({ questions }: RunView): readonly Question[] {
  return questions.filter(({ answer }) => answer === null);
}

export function questionsText(view: RunView): string {
  const lines = openQuestions(view).map(({ id, topic, text }) => `  ${id} (${topic}): ${safeLine(text)}`);
  return ["Clarifying questions:", ...lines].join("\n");
}

/** The environment error that caused an ask. */
export function environmentErrorOf(
  { warnings }: RunView,
  ask: AskCommand,
): RunView["warnings"][number] | null {
  const isCause = (key: string): boolean => ask.causes.some((cause) => cause.key === key);
  return warnings.findLast(({ stopped }) => stopped !== undefined && isCause(stopped.key)) ?? null;
}

/** The same command path was stopped before, so resuming alone may not help. */
function isRepeated(view: RunView, ask: AskCommand): boolean {
  const places = ask.causes.map(({ key }) => view.commands[key]?.command.path);
  const stops = view.warnings.flatMap(({ stopped }) => stopped ?? []);
  return stops.filter(({ key }) => places.includes(view.commands[key]?.command.path)).length > 1;
}

/** The commands that answer an ask, the most likely first. */
export function askCommands(view: RunView, ask: AskCommand): readonly string[] {
  const { run } = view;
  const of = nodeOption(view, ask);
  switch (askKind(ask)) {
    case "plan":
    case "code":
      return approval(run);
    case "base":
      return baseCommands(view);
    case "questions":
      return [["mettle answer", run, ...openQuestions(view).map(({ id }) => `${id}="…"`)].join(" ")];
    case "plan_gate": {
      const { gate = "GATE", command = `mettle answer ${gate} --set FIELD=VALUE` } =
        planGateOf(view, ask) ?? {};
      return [command, `mettle resume ${run}`];
    }
    case "paused":
      return [`mettle resume ${run}${of}`, ...(isRepeated(view, ask) ? [`mettle abort ${run}`] : [])];
    case "breaker":
    case "failed":
      return resumeCommands(view, ask);
    case "question": {
      const answers = namedAnswers(ask);
      return [
        ...answers.map((answer) => `mettle answer ${run}${of} ${answer === "answer" ? '"…"' : answer}`),
        ...(ask.answers.includes("approve") ? approval(run) : []),
        ...(answers.includes("answer") && isOfRoot(view, ask) ? [`mettle answer ${run} --spec FILE`] : []),
        ...(ask.answers.some((answer) => resumeChoices.has(answer)) ? resumeCommands(view, ask) : []),
      ];
    }
  }
}

function approval(run: string): readonly string[] {
  return [`mettle approve ${run}`, `mettle reject ${run} --reason "…"`];
}

/** Answers that are given by options of `mettle resume`. */
export const resumeChoices: ReadonlySet<string> = new Set(["reset", "context", "approach"]);

/** Commands that continue or end; `--reset` goes to the trip's commit, the last finished cycle, or the base. */
function resumeCommands(view: RunView, ask: AskCommand): readonly string[] {
  const { run, breakers, cyclesDone, started } = view;
  const tripped = breakers.findLast(({ key }) => key === ask.key)?.reset;
  const reset = tripped ?? cyclesDone.at(-1)?.commit ?? started?.base ?? "COMMIT";
  const resume = `mettle resume ${run}${nodeOption(view, ask)}`;
  return [
    `${resume} --reset ${reset}`,
    `${resume} --context "…"`,
    `${resume} --approach "…"`,
    ...acceptTestWords(view, ask).map((ids) => `${resume} --accept-test ${ids} --reason "…"`),
    `mettle abort ${run}`,
  ];
}

/** Acceptable tests of the newest refusal as shell words; none if there are too many to read. */
function acceptTestWords(view: RunView, ask: AskCommand): readonly string[] {
  const cause = ask.causes.at(-1)?.key;
  const { acceptable = [] } = view.judged.findLast(({ key }) => key === cause) ?? {};
  return acceptable.length === 0 || acceptable.length > maxAcceptedTests ? [] : [shellWords(acceptable)];
}

const maxAcceptedTests = 8;

/** The graph's node that asks, or null. */
export function askingNode(view: RunView, { frame }: AskCommand): string | null {
  return nodesOfFrames(view).get(frame) ?? null;
}

/** The `--node` option if other asks are open. */
function nodeOption(view: RunView, ask: AskCommand): string {
  const node = askingNode(view, ask);
  return node === null || openAsks(view).length < 2 ? "" : ` --node ${node}`;
}

function isOfRoot(view: RunView, ask: AskCommand): boolean {
  return askingNode(view, ask) === Object.keys(view.nodes)[0];
}
