/**
 * One call of Envoy, the command line for agents: plain text for `protocol`, `--help` and `--version`, one JSON object for
 * everything else. Errors are also printed on stderr.
 */
import type { EnvoyAnswer } from "./answer.ts";
import { currentFolder } from "../config/current-folder.ts";
import type { PrintedError } from "../lib/answer.ts";
import { describe, listOf, requestedHelp } from "../lib/command-line/help.ts";
import { matchCommand, readLine } from "../lib/command-line/read-line.ts";
import { usageOf } from "../lib/command-line/usage.ts";
import { printableText } from "../lib/printable.ts";
import { AppError } from "../lib/errors.ts";
import type { ToolAnswer } from "../plans/envoy-program.ts";
import { isWithinDispatch } from "../channel/environment.ts";
import { isStartedByMettle } from "../channel/person.ts";
import { appError, errorLine, execute, successLine } from "./answer.ts";
import { withCallLog, noteOf, readCallFacts, type CallFacts } from "./call-facts.ts";
import { protocolRow } from "./protocol-line.ts";
import { commands, program } from "./table.ts";
import { callDispatch } from "./within-dispatch.ts";

declare const METTLE_VERSION: string | undefined;

function help(): string {
  return `usage: envoy <command> …
       ${usageOf(program, protocolRow)}
       envoy --help | --version
The same as: mettle envoy …. \`envoy <command> --help\` explains one command.

${listOf(program, [protocolRow])}

Each of the others prints one JSON object.

${listOf(program, commands)}

All of them take:
${describe(program.everywhere)}`;
}

/** @returns the exit code */
export async function envoy(argv: readonly string[]): Promise<number> {
  // Within a dispatch the runtime logs the calls that it executes.
  if (!isCommand(argv) || isRunByRuntime()) return (await answerLine(argv)).code;
  const { code } = await withCallLog(
    currentFolder,
    () => answerLine(argv),
    (ended) => ({ ...readCallFacts(argv, nameIn(argv)), ...ended }),
  );
  return code;
}

async function answerLine(
  argv: readonly string[],
): Promise<Pick<CallFacts, "note"> & { readonly code: number }> {
  try {
    if (isCommand(argv) && isRunByRuntime())
      return { code: relay(await callDispatch(argv, currentFolder()), argv) };
    const answer = await runLine(argv);
    if ("text" in answer) process.stdout.write(`${printableText(answer.text)}\n`);
    else process.stdout.write(`${successLine(answer.data)}\n`);
    return { code: 0, ...("data" in answer && noteOf(answer.data)) };
  } catch (thrown) {
    const error = appError(thrown);
    // For text output, stdout has the steps or nothing.
    if (argv[0] !== "protocol" || argv.includes("--json"))
      process.stdout.write(`${errorLine(error, nameIn(argv))}\n`);
    process.stderr.write(printableText(`error[${error.code}]: ${error.message}\nhint: ${error.hint}\n`));
    return { code: error.exitCode };
  }
}

/** Agents never open a plan themselves, even if they have unset the address of their dispatch. */
function isRunByRuntime(): boolean {
  return isWithinDispatch() || isStartedByMettle();
}

/** False for help and version, which need no repository. */
function isCommand(argv: readonly string[]): boolean {
  const [name] = argv;
  if (name === undefined || ["--version", "--help", "-h", "help"].includes(name)) return false;
  return requestedHelp(program, argv) === null;
}

/** Prints an answer of the runtime as if it were computed here. */
function relay({ exit, text }: ToolAnswer, argv: readonly string[]): number {
  if (exit === 0 || argv[0] !== "protocol" || argv.includes("--json"))
    process.stdout.write(`${printableText(text)}\n`);
  if (exit !== 0) {
    const { error } = JSON.parse(text) as { readonly error: PrintedError };
    process.stderr.write(printableText(`error[${error.code}]: ${error.message}\nhint: ${error.hint}\n`));
  }
  return exit;
}

async function runLine(argv: readonly string[]): Promise<EnvoyAnswer> {
  const [name, ...rest] = argv;
  const commandHelp = requestedHelp(program, argv);
  if (commandHelp !== null) return { text: commandHelp };
  switch (name) {
    case "--version":
      return { text: typeof METTLE_VERSION === "string" ? METTLE_VERSION : "0.0.0-source" };
    case "--help":
    case "-h":
    case "help":
      return { text: help() };
    case undefined:
      throw new AppError("usage", "the command is missing", { hint: "`envoy --help` lists the commands" });
    case "protocol": {
      const { protocol } = await import("./protocol.ts");
      return protocol(rest);
    }
    default:
      return { data: await execute(readLine(program, argv), currentFolder()) };
  }
}

/** The command as far as it was typed. */
function nameIn(argv: readonly string[]): string {
  return matchCommand(program, argv).name.replace(/(?:^| )-.*$/u, "");
}
