/**
 * `mettle hook`: what a session's hooks call, for each tool call a process, so nothing is loaded that is not needed.
 * It never wedges a session (CORE-88): it answers within two seconds, and what goes wrong here lets the call pass.
 */
import { writeSync } from "node:fs";
import { answerInput, formatOf, recordFailure, type HookRequest } from "./answer-input.ts";
import { printAnswer } from "./call.ts";
import { lateAnswer } from "./late-answer.ts";
import { readInput } from "./read-input.ts";

const maxMs = 1_700;

let isRead = false;
let request: HookRequest | null = null;
const timer = setTimeout(() => {
  recordFailure(new Error(`no answer within ${maxMs} ms`));
  if (!isOwnProcess()) return;
  if (request !== null) writeSync(1, printAnswer(lateAnswer(), request.call, request.format));
  // A read that nothing ends would keep even `exit` waiting. Ended by a signal, a hook lets the call pass too.
  if (!isRead) process.kill(process.pid, "SIGKILL");
  process.exit(0);
}, maxMs);
void main();

async function main(): Promise<void> {
  try {
    await answer(process.argv.slice(2));
  } catch (error) {
    recordFailure(error);
  }
  clearTimeout(timer);
}

async function answer(argv: readonly string[]): Promise<void> {
  formatOf(argv); // a wrong one is not worth the input
  const input = await readInput();
  isRead = true;
  const text = await answerInput(input, argv, (call) => (request = call));
  if (text !== "") writeSync(1, text);
}

/** False where another program loaded this file, which is not ours to end. */
function isOwnProcess(): boolean {
  return /(?:^|\/)(?:mettle|hook)(?:\.c?js)?$/u.test(process.argv[1] ?? "");
}
