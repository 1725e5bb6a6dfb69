/**
 * Phases 1 to 4 of Orchestrate in a person's session: plan mode (ORC-08), and questions by AskUserQuestion (ORC-70). Loaded
 * only for a session in which the keyword was typed, since it opens the store.
 */
import { waitingAsks } from "../kernel/inspect.ts";
import { answerAsk, findAsk } from "../engine/asks/answer.ts";
import { answerQuestions, type QuestionAnswer } from "../engine/asks/questions.ts";
import { fieldsOf } from "../lib/json.ts";
import { withHost } from "../run/host.ts";
import { newestOrchestrateRun } from "../families/orchestrate/newest-run.ts";
import { openRun } from "../families/open-run.ts";
import { authorInSession } from "../channel/person.ts";
import { isOver } from "../run/run-status.ts";
import type { RunStatus, WaitingAsk } from "../views/run/status.ts";
import { pass, textOf, type HookDecision, type HookCall } from "./call.ts";

/** Next steps of a session in plan mode; empty while it waits. */
export function planModeSteps({ phase, waiting }: RunStatus): readonly string[] {
  const questions = waiting.find(({ kind }) => kind === "questions");
  if (questions !== undefined) return [questionsText(questions)];
  if (!isPlanGate(phase) || !waiting.some(({ kind }) => kind === "plan")) return [];
  return ["Phase 4: call ExitPlanMode, with what Mettle shows of the plan and the two reviews as the plan."];
}

/** Refuses ExitPlanMode before Phase 4. */
export async function beforeExitPlanMode(checkout: string): Promise<HookDecision> {
  const run = await activeRun(checkout);
  const number = Number.parseInt(run?.phase ?? "", 10);
  if (run === null || !(number < 4)) return pass;
  const reason = `Mettle: run ${run.run} is in Phase ${run.phase ?? ""}, and Phases 1 to 3 are plan mode. ExitPlanMode comes in Phase 4. Now: ${planModeSteps(run)[0] ?? `mettle resume ${run.run}`}`;
  return { type: "deny", reason };
}

/** Leaving plan mode is not an approval: the gate is bound to what Mettle showed (ORC-69). */
export async function afterExitPlanMode(checkout: string): Promise<HookDecision> {
  const run = await activeRun(checkout);
  if (run === null || !isPlanGate(run.phase)) return pass;
  const text = `Mettle: plan mode is left, and the plan still waits. Present what Mettle shows of it, with both verdicts, and stop until the person approves: by typing \`approve\`, or with mettle approve ${run.run} in a terminal.`;
  return { type: "tell", text };
}

/** Takes the person's answers to AskUserQuestion as answers to the run's questions. */
export async function afterQuestion(call: HookCall, checkout: string): Promise<HookDecision> {
  return withHost(checkout, async (host) => {
    const run = await newestOrchestrateRun(host);
    const waits = run?.waiting.find(({ kind }) => kind === "questions");
    if (run === null || waits === undefined) return pass;
    const given = answersIn(call, waits);
    if (given.length === 0) return pass;
    const context = await openRun(host, { run: run.run });
    const ask = findAsk(context, waitingAsks(context.session.state), ({ key }) => key === waits.key);
    const by = authorInSession();
    const done = await answerQuestions(context, given, by);
    if (done === null) {
      const left = (await newestOrchestrateRun(host))?.waiting.find(({ kind }) => kind === "questions");
      return { type: "tell", text: `Mettle: answered ${namesOf(given)}. ${questionsText(left ?? waits)}` };
    }
    const { facts = [], ...settlement } = await answerAsk(context, { ask, outcome: done.outcome, by });
    await context.session.settle(ask.key, { ...settlement, facts: [...done.facts, ...facts] });
    const text = `Mettle: the person answered ${namesOf(given)}. Let run ${run.run} go on with the Bash tool: mettle resume ${run.run}`;
    return { type: "tell", text };
  });
}

async function activeRun(checkout: string): Promise<RunStatus | null> {
  const run = await withHost(checkout, newestOrchestrateRun);
  return run === null || isOver(run) ? null : run;
}

function isPlanGate(phase: string | null): boolean {
  return phase?.startsWith("4 ") === true;
}

function questionsText({ questions }: WaitingAsk): string {
  const list = questions.map(({ id, text }) => `  header "${id}", question "${id}: ${text}"`);
  return [
    "ask the person these questions with AskUserQuestion, four at most in one call, and answer none of them yourself:",
    ...list,
  ].join("\n");
}

/** Matches a question of the session to one of the run by its header, or by an id at the start of its text. */
function answersIn({ input, response }: HookCall, { questions }: WaitingAsk): readonly QuestionAnswer[] {
  const answers = fieldsOf(response["answers"]);
  const sessionQuestions = Array.isArray(input["questions"]) ? input["questions"].map(fieldsOf) : [];
  return questions.flatMap(({ id }) => {
    const one = sessionQuestions.find(
      ({ header, question }) => header === id || isAbout(textOf(question) ?? "", id),
    );
    const text = textOf(answers[textOf(one?.["question"]) ?? ""]) ?? "";
    return text.trim() === "" ? [] : [{ id, text }];
  });
}

function isAbout(question: string, id: string): boolean {
  return question.startsWith(id) && !/^\w/u.test(question.slice(id.length));
}

function namesOf(given: readonly QuestionAnswer[]): string {
  return given.map(({ id }) => id).join(", ");
}
