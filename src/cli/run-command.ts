/** Parses the line of one command with commander, runs it, and prints exactly one answer. */
import { Command, CommanderError } from "commander";
import { currentFolder } from "../config/current-folder.ts";
import { noColor } from "../config/env.ts";
import { assertPlatform } from "../config/platform.ts";
import { answerVersion } from "../lib/answer.ts";
import { AppError } from "../lib/errors.ts";
import { drawn, jsonLine, printed } from "../lib/printed.ts";
import { nearest } from "../lib/nearest.ts";
import { onEndSignal } from "../process/end-signals.ts";
import { isPersonHere } from "../channel/person.ts";
import type { CliCommand, CliResult, Io, SaidError } from "./command.ts";
import { commands } from "./registry.ts";
import { version } from "./version.ts";

const everywhere: ReadonlySet<string> = new Set(["--json", "--debug"]);

export async function main(argv: readonly string[]): Promise<number> {
  const json = argv.includes("--json");
  const debug = argv.includes("--debug");
  const interrupt = listenForInterrupt();
  outliveReaders();
  try {
    const result = await answer(argv, json, interrupt);
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

/** `mettle run … | head`: who reads may go early; the work goes on, and the journal has what was not read. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr].filter((each) => each.listenerCount("error") === 0))
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
}

type Interrupt = Pick<Io, "signal" | "interrupt">;

/** A number is the exit code of what has printed already. */
async function answer(
  line: readonly string[],
  json: boolean,
  interrupt: Interrupt,
): Promise<CliResult | number> {
  // Flags that every command takes may stand before its name too.
  const from = line.findIndex((word) => !everywhere.has(word));
  const argv = from === -1 ? [] : line.slice(from);
  const [name, about] = argv;
  if (name === "help" && about !== undefined && !about.startsWith("-"))
    return answer([about, "--help"], json, interrupt);
  if (name === "--version" || name === "-V") return { exit: 0, json: { mettle: version() }, text: version() };
  if (name === undefined || name === "--help" || name === "-h" || name === "help")
    return help(name === undefined);
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!entry) throw unknownCommand(name);
  assertPlatform();
  const { command } = await entry.load();
  if (command.whole) return command.whole([...argv.slice(1), ...line.slice(0, from)]);
  const parsed = parse({ name, summary: entry.summary, command, argv: argv.slice(1) });
  if (typeof parsed === "string") return { exit: 0, json: { help: parsed }, text: parsed };
  return command.run(makeIo(json, interrupt), parsed.args, parsed.options);
}

interface Line {
  readonly name: string;
  readonly summary: string;
  readonly command: CliCommand;
  readonly argv: readonly string[];
}

/** The parsed line, or the help text when it was asked for. */
function parse({ name, summary, command, argv }: Line) {
  let helpText = "";
  const program = new Command(`mettle ${name}`)
    .description(summary)
    .option("--json", "one JSON object on stdout and nothing else")
    .option("--debug", "show stack traces")
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({ writeOut: (text) => (helpText += text), writeErr: () => undefined });
  command.define(program);
  try {
    program.parse(argv, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return helpText;
    if (error instanceof CommanderError) throw usageError(name, error, program);
    throw error;
  }
  return { args: program.args, options: program.opts<Record<string, unknown>>() };
}

function usageError(name: string, error: CommanderError, program: Command): AppError {
  const message = error.message.replace(/^error: /u, "").replace(/\n/gu, " ");
  const flag = /'(--[^']+)'/u.exec(message)?.[1];
  const known = program.options.map((option) => option.long ?? "").filter((long) => long !== "");
  const near = error.code === "commander.unknownOption" && flag ? nearest(flag, known) : null;
  const hint = near
    ? `did you mean ${near}? \`mettle ${name} --help\` lists the options`
    : `\`mettle ${name} --help\``;
  return new AppError("usage", message, { hint, cause: error });
}

function unknownCommand(name: string): AppError {
  const near = nearest(name, Object.keys(commands));
  return new AppError("usage", `there is no command ${name}`, {
    hint: near ? `did you mean \`mettle ${near}\`?` : "`mettle --help` lists the commands",
  });
}

function help(missing: boolean): CliResult {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  const text = [
    `mettle ${version()}: takes coding agents through test-driven protocols and believes only what it has executed`,
    "",
    "usage: mettle COMMAND [arguments] [--json] [--debug]",
    "",
    ...lines,
    "",
    "`mettle COMMAND --help` explains one. Start with `mettle demo`.",
  ].join("\n");
  return { exit: missing ? 2 : 0, json: { help: text }, text };
}

function makeIo(json: boolean, { signal, interrupt }: Interrupt): Io {
  const out = json ? process.stderr : process.stdout;
  return {
    cwd: currentFolder(),
    say: (line) => void out.write(`${printed(line)}\n`),
    warn: (line) => void process.stderr.write(`${printed(line)}\n`),
    interactive: !json && process.stdin.isTTY === true && process.stdout.isTTY === true && isPersonHere(),
    live: !json && process.stdout.isTTY === true && !noColor(),
    draw: (text) => void out.write(drawn(text)),
    columns: process.stdout.columns ?? 80,
    rows: process.stdout.rows ?? 24,
    json,
    signal,
    interrupt,
  };
}

function print({ json: body, text, isData, error }: CliResult, json: boolean): void {
  if (json) printJson(error === undefined ? body : { ...body, error });
  else if (text !== "")
    process.stdout.write(isData === true && !process.stdout.isTTY ? `${text}\n` : `${printed(text)}\n`);
  if (error !== undefined) sayError(error);
}

function printError(thrown: unknown, { json, debug }: { json: boolean; debug: boolean }): number {
  const known = thrown instanceof AppError ? thrown : internal(thrown);
  const { code, message, hint, detail } = known;
  const error = { code, message, hint, ...(detail === undefined ? {} : { detail }) };
  if (json) printJson({ error });
  sayError(error);
  const { cause } = known;
  if (debug) process.stderr.write(`${printed((cause instanceof Error ? cause.stack : known.stack) ?? "")}\n`);
  return known.exitCode;
}

function printJson(body: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${jsonLine({ version: answerVersion, ...body })}\n`);
}

function sayError({ code, message, hint }: SaidError): void {
  process.stderr.write(printed(`error[${code}]: ${message}\nhint: ${hint}\n`));
}

function internal(error: unknown): AppError {
  const message = error instanceof Error ? error.message : String(error);
  return new AppError("internal", message, {
    hint: "this is a fault of Mettle; --debug shows where",
    cause: error,
  });
}

/** The first Ctrl-C, or a terminal that is closed, stops in good order, the second at once: as safe as kill -9 (CORE-96). */
function listenForInterrupt(): Interrupt & { readonly stop: () => void } {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  return { signal: controller.signal, interrupt, stop: onEndSignal(interrupt) };
}
