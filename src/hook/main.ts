/**
 * `mettle hook`: what a session's hooks call, for each tool call a process, so nothing is loaded that is not needed.
 * It never wedges a session (CORE-88): it answers within two seconds, and what goes wrong here lets the call pass.
 */
import { writeSync } from "node:fs";
import { variable } from "../config/env.ts";
import { isWithinDispatch } from "../channel/around.ts";
import { answerTo } from "./answer.ts";
import { printAnswer, readCall, type Format, type HookCall } from "./call.ts";
import { BrokenFacts, findGitDir, homesOf, noteError } from "./here.ts";
import { lateAnswer } from "./late.ts";
import { readInput } from "./read-input.ts";

const longestMs = 1_700;

let isRead = false;
let asked: { readonly call: HookCall; readonly format: Format } | null = null;
const timer = setTimeout(() => {
  fail(new Error(`no answer within ${longestMs} ms`));
  if (!isOwnProcess()) return;
  if (asked !== null) writeSync(1, printAnswer(lateAnswer(), asked.call, asked.format));
  // A read that nothing ends would keep even `exit` waiting. Ended by a signal, a hook lets the call pass too.
  if (!isRead) process.kill(process.pid, "SIGKILL");
  process.exit(0);
}, longestMs);
void main();

async function main(): Promise<void> {
  try {
    await answer(formatOf(process.argv.slice(2)));
  } catch (error) {
    fail(error);
  }
  clearTimeout(timer);
}

async function answer(format: Format): Promise<void> {
  const input = await readInput();
  isRead = true;
  const call = readCall(input, format);
  asked = { call, format };
  const text = printAnswer(await answerTo(call, process.cwd()), call, format);
  if (text !== "") writeSync(1, text);
}

function formatOf(argv: readonly string[]): Format {
  const at = argv.findIndex((arg) => arg === "--format" || arg.startsWith("--format="));
  const name = at === -1 ? "claude" : (argv[at]?.split("=")[1] ?? argv[at + 1]);
  if (name === "claude" || name === "codex" || name === "gemini") return name;
  throw new Error(`--format is claude, codex or gemini, not ${name ?? "missing"}`);
}

/** False where another program loaded this file, which is not ours to end. */
function isOwnProcess(): boolean {
  return /(?:^|\/)(?:mettle|hook)(?:\.c?js)?$/u.test(process.argv[1] ?? "");
}

/** Allows by saying nothing. What happened is noted where the referee's next call finds it. */
function fail(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  // No store is opened within a dispatch, not even to say this.
  if (isWithinDispatch()) return void process.stderr.write(`${message}\n`);
  try {
    noteError(error instanceof BrokenFacts ? error.home : homeHere(), message);
  } catch {
    // Not even the state home can be looked for; the call passes all the same.
  }
}

/** The one that has a run in hand, or at least the only one that could. */
function homeHere(): string | null {
  const gitDir = findGitDir(variable("CLAUDE_PROJECT_DIR") ?? process.cwd());
  return gitDir === null ? null : (homesOf(gitDir)[0] ?? null);
}
