/** What a hook says where its own answer comes too late: the store, which a slow machine or another call may keep waiting. */
import { pass, type Answer } from "./call.ts";

let late: Answer = pass;

/** From here on the answer is slow, and silence would hide from the session that something was not taken. */
export function sayIfLate(text: string): void {
  late = { type: "tell", text };
}

export function lateAnswer(): Answer {
  return late;
}
