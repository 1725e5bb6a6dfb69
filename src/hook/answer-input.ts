/** Computes the output of a hook. An error is recorded and lets the call pass (CORE-88). */
import { variable } from "../config/env.ts";
import { isWithinDispatch } from "../channel/environment.ts";
import { answerTo } from "./answer.ts";
import { printAnswer, readCall, type Format, type HookCall } from "./call.ts";
import { HookFactsError, findGitDir, homesOf, recordError } from "./session-files.ts";

export interface HookRequest {
  readonly call: HookCall;
  readonly format: Format;
}

/** @param onRequest receives the request before it is answered */
export async function answerInput(
  input: string,
  argv: readonly string[],
  onRequest: (request: HookRequest) => void = () => undefined,
): Promise<string> {
  const format = formatOf(argv);
  const call = readCall(input, format);
  onRequest({ call, format });
  return printAnswer(await answerTo(call, process.cwd()), call, format);
}

export function formatOf(argv: readonly string[]): Format {
  const at = argv.findIndex((arg) => arg === "--format" || arg.startsWith("--format="));
  const name = at === -1 ? "claude" : (argv[at]?.split("=")[1] ?? argv[at + 1]);
  if (name === "claude" || name === "codex" || name === "gemini") return name;
  throw new Error(`--format is claude, codex or gemini, not ${name ?? "missing"}`);
}

/** Records an error for the referee's next call. */
export function recordFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  // Within a dispatch the state home is not touched.
  if (isWithinDispatch()) return void process.stderr.write(`${message}\n`);
  try {
    recordError(error instanceof HookFactsError ? error.home : currentHome(), message);
  } catch {
    // The state home cannot be found; the call passes all the same.
  }
}

/** The state home of the current repository; null: none. */
function currentHome(): string | null {
  const gitDir = findGitDir(variable("CLAUDE_PROJECT_DIR") ?? process.cwd());
  return gitDir === null ? null : (homesOf(gitDir)[0] ?? null);
}
