/** What a hook prints for its input. What goes wrong here is noted, and lets the call pass (CORE-88). */
import { variable } from "../config/env.ts";
import { isWithinDispatch } from "../channel/environment.ts";
import { answerTo } from "./answer.ts";
import { printAnswer, readCall, type Format, type HookCall } from "./call.ts";
import { HookFactsError, findGitDir, homesOf, recordError } from "./session-files.ts";

export interface HookRequest {
  readonly call: HookCall;
  readonly format: Format;
}

/** @param heard is told of the call before it is answered */
export async function answerInput(
  input: string,
  argv: readonly string[],
  heard: (asked: HookRequest) => void = () => undefined,
): Promise<string> {
  const format = formatOf(argv);
  const call = readCall(input, format);
  heard({ call, format });
  return printAnswer(await answerTo(call, process.cwd()), call, format);
}

export function formatOf(argv: readonly string[]): Format {
  const at = argv.findIndex((arg) => arg === "--format" || arg.startsWith("--format="));
  const name = at === -1 ? "claude" : (argv[at]?.split("=")[1] ?? argv[at + 1]);
  if (name === "claude" || name === "codex" || name === "gemini") return name;
  throw new Error(`--format is claude, codex or gemini, not ${name ?? "missing"}`);
}

/** Where the referee's next call finds it. */
export function recordFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  // No store is opened within a dispatch, not even to say this.
  if (isWithinDispatch()) return void process.stderr.write(`${message}\n`);
  try {
    recordError(error instanceof HookFactsError ? error.home : currentHome(), message);
  } catch {
    // Not even the state home can be looked for; the call passes all the same.
  }
}

/** The one that has a run in hand, or at least the only one that could. */
function currentHome(): string | null {
  const gitDir = findGitDir(variable("CLAUDE_PROJECT_DIR") ?? process.cwd());
  return gitDir === null ? null : (homesOf(gitDir)[0] ?? null);
}
