/** The answer of a hook that runs out of time, since it waits for the store. */
import { pass, type HookDecision } from "./call.ts";

let late: HookDecision = pass;

/** Call it before slow work: without this answer a late hook would let the call pass. */
export function setLateAnswer(answer: HookDecision): void {
  late = answer;
}

export function lateAnswer(): HookDecision {
  return late;
}
