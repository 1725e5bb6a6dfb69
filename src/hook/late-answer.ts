/** The answer of a hook that runs out of time, since it waits for the store. */
import { pass, type Answer } from "./call.ts";

let late: Answer = pass;

/** Call it before slow work: without this answer a late hook would let the call pass. */
export function setLateAnswer(answer: Answer): void {
  late = answer;
}

export function lateAnswer(): Answer {
  return late;
}
