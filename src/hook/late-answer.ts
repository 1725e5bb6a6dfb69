/** What a hook says where its own answer comes too late: the store, which a slow machine or another call may keep waiting. */
import { pass, type Answer } from "./call.ts";

let late: Answer = pass;

/** From here on the answer is slow, and silence would let a call pass, or hide that something was not taken yet. */
export function setLateAnswer(answer: Answer): void {
  late = answer;
}

export function lateAnswer(): Answer {
  return late;
}
