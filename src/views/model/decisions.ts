/** What waits for people and what they decided. Pure. */
import type { By } from "../../log/by.ts";
import { personText } from "../../log/by-text.ts";
import type { RunView } from "../../log/run-view.ts";
import type { RunStatus } from "../run/status.ts";
import type { AnswerModel, AskModel, BreakerModel } from "./decision-model.ts";
import type { PlanGateModel } from "./run-model.ts";
import type { Recorded } from "../../log/run-event.ts";

export function asksOf(view: RunView, waiting: RunStatus["waiting"]): readonly AskModel[] {
  return waiting.map(({ breaker: _breaker, ...ask }) => ({
    ...ask,
    since: view.commands[ask.key]?.at ?? null,
  }));
}

/** Answers to asks, and what people did to the run itself, in the order in which it happened. */
export function answersOf(
  { answers, commands, asks }: RunView,
  events: readonly Recorded[],
): readonly AnswerModel[] {
  const given = answers.map(({ seq, key, outcome, text, answeredBy, authenticated, by, at }) => {
    const command = commands[key]?.command;
    const row = {
      key,
      ask: command?.type === "ask" ? command.text : key,
      outcome,
      text,
      answeredBy,
      authenticated,
      by,
      hash: asks[key]?.hash ?? null,
      at,
    };
    return { seq, row };
  });
  const done = events.flatMap((event) => steeringOf(event).map((row) => ({ seq: event.seq, row })));
  // Not by time: a clock may have been set back.
  return [...given, ...done].toSorted((a, b) => a.seq - b.seq).map(({ row }) => row);
}

/** How a person stopped a run, let it go on, or ended it or a node of it. */
function steeringOf(event: Recorded): readonly AnswerModel[] {
  const key = `${event.type}#${event.seq}`;
  switch (event.type) {
    case "run.paused":
      return [{ ...stepOf(event, event.by), key, ask: "the run", outcome: "pause", text: "" }];
    case "run.resumed":
      return [{ ...stepOf(event, event.by), key, ask: "the run", outcome: "go on", text: event.text ?? "" }];
    case "run.aborted":
      return [{ ...stepOf(event, event.by), key, ask: "the run", outcome: "end", text: event.reason }];
    case "node.aborted":
      return [
        { ...stepOf(event, event.by), key, ask: `node ${event.node}`, outcome: "end", text: event.reason },
      ];
    default:
      return [];
  }
}

function stepOf({ at }: Recorded, by: By | undefined) {
  const { answeredBy = "file", authenticated = false } = by ?? {};
  return { answeredBy, authenticated, by: personText(by), hash: null, at };
}

export function breakersOf({ breakers, commands, ended }: RunView): readonly BreakerModel[] {
  return breakers.map(({ key, trigger, attempts, max, lastError, reset }) => ({
    key,
    trigger,
    attempts,
    max,
    lastError,
    reset,
    open: ended === null && commands[key]?.result === null,
  }));
}

/** A gate is open as long as an ask that it caused waits. */
export function planGatesOf(
  events: readonly Recorded[],
  asks: readonly AskModel[],
): readonly PlanGateModel[] {
  const isOpen = asks.some(({ kind }) => kind === "plan_gate");
  const opened = events.filter((event) => event.type === "plan.gate_opened");
  return opened.map(({ key, gate, file, command, at }, index) => ({
    key,
    gate,
    file,
    command: command ?? null,
    at,
    open: isOpen && index === opened.length - 1,
  }));
}
