/** What an ask is to a person: decides what is shown, how it is answered, and what `--json` calls it. */
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

/** Yes or no to what is shown, and nothing beside it. */
function isGate({ answers }: AskCommand): boolean {
  return answers.includes("approve") && answers.every((answer) => ofGate.has(answer));
}

/** `changed` is no person's word: they edited what a plan shows. */
const ofGate: ReadonlySet<string> = new Set(["approve", "reject", "changed"]);

/** The answers that `mettle answer` takes by their name; the others have commands of their own. */
export function namedAnswers({ answers }: AskCommand): readonly string[] {
  const others = answers.includes("approve") ? ofGate : new Set(["changed"]);
  return answers.filter((answer) => !others.has(answer) && !resumeChoices.has(answer));
}

/** A gate of a plan of Envoy, which is answered where it stands and not at the run. */
export function isPlanGate({ answers }: AskCommand): boolean {
  return answers.includes("given");
}

/** The gate that an ask is about. */
export function planGateOf(view: RunView, ask: AskCommand): RunView["planGates"][number] | null {
  return view.planGates.findLast(({ key }) => ask.causes.some((cause) => cause.key === key)) ?? null;
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

/** It was stopped at the same place before: going on alone may not help. */
function isRepeated(view: RunView, ask: AskCommand): boolean {
  const places = ask.causes.map(({ key }) => view.commands[key]?.command.path);
  const stops = view.warnings.flatMap(({ stopped }) => stopped ?? []);
  return stops.filter(({ key }) => places.includes(view.commands[key]?.command.path)).length > 1;
}

/** The commands that answer an ask, as a person may type them; the first is the likely one. */
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
      return goOn(view, ask);
    case "question": {
      const answers = namedAnswers(ask);
      return [
        ...answers.map((answer) => `mettle answer ${run}${of} ${answer === "answer" ? '"…"' : answer}`),
        ...(ask.answers.includes("approve") ? approval(run) : []),
        ...(answers.includes("answer") && isOfRoot(view, ask) ? [`mettle answer ${run} --spec FILE`] : []),
        ...(ask.answers.some((answer) => resumeChoices.has(answer)) ? goOn(view, ask) : []),
      ];
    }
  }
}

function approval(run: string): readonly string[] {
  return [`mettle approve ${run}`, `mettle reject ${run} --reason "…"`];
}

/** Answers that `mettle resume` takes with what they need. */
export const resumeChoices: ReadonlySet<string> = new Set(["reset", "context", "approach"]);

/** After a failed cycle back to where it began. */
function goOn(view: RunView, ask: AskCommand): readonly string[] {
  const { run, breakers, cyclesDone, started } = view;
  const tripped = breakers.findLast(({ key }) => key === ask.key)?.reset;
  const reset = tripped ?? cyclesDone.at(-1)?.commit ?? started?.base ?? "COMMIT";
  const resume = `mettle resume ${run}${nodeOption(view, ask)}`;
  return [
    `${resume} --reset ${reset}`,
    `${resume} --context "…"`,
    `${resume} --approach "…"`,
    ...acceptance(view, ask).map((ids) => `${resume} --accept-test ${ids} --reason "…"`),
    `mettle abort ${run}`,
  ];
}

/** The tests that the newest refusal named and a person may accept, as words of a shell; none where there are too many to read. */
function acceptance(view: RunView, ask: AskCommand): readonly string[] {
  const cause = ask.causes.at(-1)?.key;
  const { acceptable = [] } = view.judged.findLast(({ key }) => key === cause) ?? {};
  return acceptable.length === 0 || acceptable.length > mostAccepted ? [] : [shellWords(acceptable)];
}

const mostAccepted = 8;

/** The node of a graph that asks; null elsewhere. */
export function askingNode(view: RunView, { frame }: AskCommand): string | null {
  return nodesOfFrames(view).get(frame) ?? null;
}

/** Said where the ask could be taken for another node's. */
function nodeOption(view: RunView, ask: AskCommand): string {
  const node = askingNode(view, ask);
  return node === null || openAsks(view).length < 2 ? "" : ` --node ${node}`;
}

function isOfRoot(view: RunView, ask: AskCommand): boolean {
  return askingNode(view, ask) === Object.keys(view.nodes)[0];
}
