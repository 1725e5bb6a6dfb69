/** Parses the command line, runs the command and prints exactly one answer. */
import { currentFolder } from "../config/current-folder.ts";
import { hasColours, isRedrawn } from "../config/colours.ts";
import { isVerbose } from "../config/env.ts";
import { assertPlatform } from "../config/platform.ts";
import { answerVersion, type PrintedError } from "../lib/answer.ts";
import { inputValuesOf } from "../lib/command-line/input-values.ts";
import { namesOf, requestedHelp, table } from "../lib/command-line/help.ts";
import { matchCommand, readLine, unknownCommand } from "../lib/command-line/read-line.ts";
import { AppError } from "../lib/errors.ts";
import { withCursorMoves, withTones, jsonLine, printableText } from "../lib/printable.ts";
import { onEndSignal } from "../process/end-signals.ts";
import { isPersonPresent } from "../channel/person.ts";
import type { CliResult, Io } from "./command.ts";
import { personText } from "./screen/person-text.ts";
import { program } from "./table.ts";
import { version } from "../config/version.ts";

export function main(argv: readonly string[]): Promise<number> {
  const [json, debug] = [argv.includes("--json"), argv.includes("--debug")];
  return printed((interrupt) => answer(argv, json, interrupt), { json, debug });
}

/** For a program without a command line: prints the answer and returns the exit code as `main` does. */
export function runAlone(work: (io: Io) => Promise<CliResult>): Promise<number> {
  const json = false;
  return printed((interrupt) => work(makeIo(json, interrupt, true)), { json, debug: false });
}

async function printed(
  work: (interrupt: Interrupt) => Promise<CliResult | number>,
  { json, debug }: { readonly json: boolean; readonly debug: boolean },
): Promise<number> {
  const interrupt = listenForInterrupt();
  outliveReaders();
  try {
    const result = await work(interrupt);
    if (typeof result === "number") return result;
    print(result, json);
    return interrupt.signal.aborted && result.exit !== 0 ? 130 : result.exit;
  } catch (error) {
    const exit = printError(error, { json, debug });
    return interrupt.signal.aborted ? 130 : exit;
  } finally {
    interrupt.stop();
  }
}

/** `mettle run … | head`: if the reader closes the pipe, the work goes on. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr].filter((each) => each.listenerCount("error") === 0))
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
}

type Interrupt = Pick<Io, "signal" | "interrupt">;

/** @returns the result, or the exit code of a program that printed its own answer */
async function answer(
  line: readonly string[],
  json: boolean,
  interrupt: Interrupt,
): Promise<CliResult | number> {
  const place = matchCommand(program, line);
  const { name, row } = place;
  const about = place.words.filter((word) => !word.startsWith("-"));
  if (name === "help" && about.length > 0) return answer([...about, "--help"], json, interrupt);
  if (name === "--version" || name === "-V") return { exit: 0, json: { mettle: version() }, text: version() };
  if (["", "--help", "-h", "help"].includes(name)) return help(name === "");
  if (row === undefined && place.group.length === 0) throw unknownCommand(program, place);
  assertPlatform();
  const loaded = await row?.load();
  if (loaded !== undefined && "runProgram" in loaded) {
    const at = line.indexOf(name);
    return loaded.runProgram([...line.slice(at + 1), ...line.slice(0, at)]);
  }
  const text = requestedHelp(program, line, process.stdout.columns ?? 80);
  if (text !== null) return { exit: 0, json: { help: text }, text };
  if (loaded === undefined) throw unknownCommand(program, place);
  const given = inputValuesOf(readLine(program, line));
  return loaded.run(makeIo(json, interrupt, given.flag("verbose")), given, program);
}

function help(missing: boolean): CliResult {
  const text = [
    `mettle ${version()}: takes coding agents through test-driven protocols and believes only what it has executed`,
    "",
    "usage: mettle COMMAND [arguments] [--json] [--debug]",
    "",
    table(namesOf(program)),
    "",
    "`mettle COMMAND --help` explains one. Start with `mettle demo`.",
  ].join("\n");
  return { exit: missing ? 2 : 0, json: { help: text }, text };
}

function makeIo(json: boolean, { signal, interrupt }: Interrupt, verbose: boolean): Io {
  const out = json ? process.stderr : process.stdout;
  return {
    cwd: currentFolder(),
    print: (line) => void out.write(`${personText(line, out)}\n`),
    warn: (line) => void process.stderr.write(`${printableText(line)}\n`),
    interactive: !json && process.stdin.isTTY === true && process.stdout.isTTY === true && isPersonPresent(),
    isTerminal: out.isTTY === true,
    hasColours: hasColours(out),
    live: !json && isRedrawn(out),
    verbose: verbose || isVerbose(),
    draw: (text) => void out.write(withCursorMoves(text)),
    paint: (text) => void out.write(withTones(text)),
    // A terminal can be resized.
    get columns() {
      return process.stdout.columns ?? 80;
    },
    get rows() {
      return process.stdout.rows ?? 24;
    },
    json,
    signal,
    interrupt,
  };
}

function print({ json: body, text, isData, error }: CliResult, json: boolean): void {
  const { stdout: out } = process;
  if (json) printJson(error === undefined ? body : { ...body, error });
  else if (text !== "")
    out.write(`${isData !== true ? personText(text, out) : out.isTTY ? printableText(text) : text}\n`);
  if (error !== undefined) printErrorText(error);
}

function printError(thrown: unknown, { json, debug }: { json: boolean; debug: boolean }): number {
  const known = thrown instanceof AppError ? thrown : internal(thrown);
  const { code, message, hint, detail } = known;
  const error = { code, message, hint, ...(detail === undefined ? {} : { detail }) };
  if (json) printJson({ error });
  printErrorText(error);
  const { cause } = known;
  if (debug)
    process.stderr.write(`${printableText((cause instanceof Error ? cause.stack : known.stack) ?? "")}\n`);
  return known.exitCode;
}

function printJson(body: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${jsonLine({ version: answerVersion, ...body })}\n`);
}

function printErrorText({ code, message, hint }: PrintedError): void {
  process.stderr.write(personText(`error[${code}]: ${message}\nhint: ${hint}\n`, process.stderr));
}

function internal(error: unknown): AppError {
  const message = error instanceof Error ? error.message : String(error);
  return new AppError("internal", message, {
    hint: "this is a fault of Mettle; --debug shows where",
    cause: error,
  });
}

/** The first Ctrl-C, or a closed terminal, stops in good order; the second exits at once, as safely as kill -9 (CORE-96). */
function listenForInterrupt(): Interrupt & { readonly stop: () => void } {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  return { signal: controller.signal, interrupt, stop: onEndSignal(interrupt) };
}
