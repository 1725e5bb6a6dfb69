/**
 * `mettle hook`: a session starts it for each tool call, so it loads only what it needs. It never blocks a session (CORE-88):
 * it answers within two seconds, and an error lets the call pass.
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
  // A pending read would block even `exit`. A hook that a signal ends lets the call pass too.
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
  formatOf(argv); // fails before the input is read
  const input = await readInput();
  isRead = true;
  const text = await answerInput(input, argv, (call) => (request = call));
  if (text !== "") writeSync(1, text);
}

/** False if another program loaded this file: we must not end that process. */
function isOwnProcess(): boolean {
  return /(?:^|\/)(?:mettle|hook)(?:\.c?js)?$/u.test(process.argv[1] ?? "");
}
