/**
 * One call of Envoy, which speaks to agents: plain text for `protocol`, `--help` and `--version`, one JSON object for
 * everything else. An error also stands on stderr.
 */
import type { Answer } from "./answer.ts";
import { currentFolder } from "../config/current-folder.ts";
import { printed } from "../lib/printed.ts";
import { AppError } from "../lib/errors.ts";
import type { ToolAnswer } from "../runtime/envoy-program.ts";
import { isWithinDispatch } from "../channel/around.ts";
import { isOfMettle } from "../channel/person.ts";
import { appError, errorLine, obey, successLine, type Told } from "./answer.ts";
import { helpOf, listOf } from "./help.ts";
import { readLine } from "./line.ts";
import { noted, noteIn, readWords, type Noted } from "./noted.ts";
import { commands } from "./table.ts";
import { askDispatch } from "./within-dispatch.ts";

declare const METTLE_VERSION: string | undefined;

const protocolHelp = `  protocol  print the numbered steps of a protocol: implementation, debugging, discovery, bug-discovery, or your own
            of .claude/protocols/ and .mettle/protocols/
            --json    one object instead of text
            --inputs  a JSON object with the inputs, checked and shown above the steps`;

function help(): string {
  return `usage: envoy <command> …
       envoy protocol <name> [--json] [--inputs JSON]
       envoy --help | --version
The same as: mettle envoy …. \`envoy <command> --help\` explains one command.

${protocolHelp}

Each of the others prints one JSON object.

${listOf(commands)}

Every one of them takes:
  --agent NAME            who calls, for the record
  --feature-branch NAME   whose plan is meant; without it the current branch's
  --wait SECONDS          how long to wait for a person, at most 540`;
}

/** @returns the exit code */
export async function envoy(argv: readonly string[]): Promise<number> {
  // Within a dispatch the runtime notes what it obeys.
  if (!isCommand(argv) || asksRuntime()) return (await answerLine(argv)).code;
  const { code } = await noted(
    currentFolder,
    () => answerLine(argv),
    (ended) => ({ ...readWords(argv, wordsOf(argv)), ...ended }),
  );
  return code;
}

async function answerLine(argv: readonly string[]): Promise<Pick<Noted, "note"> & { readonly code: number }> {
  try {
    if (isCommand(argv) && asksRuntime())
      return { code: relay(await askDispatch(argv, currentFolder()), argv) };
    const answer = await answered(argv);
    if ("text" in answer) process.stdout.write(`${printed(answer.text)}\n`);
    else process.stdout.write(`${successLine(answer.data)}\n`);
    return { code: 0, ...("data" in answer && noteIn(answer.data)) };
  } catch (thrown) {
    const error = appError(thrown);
    // Where text is asked for, stdout has the steps or nothing.
    if (argv[0] !== "protocol" || argv.includes("--json"))
      process.stdout.write(`${errorLine(error, wordsOf(argv))}\n`);
    process.stderr.write(printed(`error[${error.code}]: ${error.message}\nhint: ${error.hint}\n`));
    return { code: error.exitCode };
  }
}

/** An agent opens no plan by itself, also where it dropped the address of its dispatch. */
function asksRuntime(): boolean {
  return isWithinDispatch() || isOfMettle();
}

/** What answers without a repository is no business of the runtime. */
function isCommand(argv: readonly string[]): boolean {
  const [name] = argv;
  if (name === undefined || ["--version", "--help", "-h", "help"].includes(name)) return false;
  if (name === "protocol") return !argv.includes("--help") && !argv.includes("-h");
  return asked(argv) === null;
}

/** What the runtime told is printed as if it had been found here. */
function relay({ exit, text }: ToolAnswer, argv: readonly string[]): number {
  if (exit === 0 || argv[0] !== "protocol" || argv.includes("--json"))
    process.stdout.write(`${printed(text)}\n`);
  if (exit !== 0) {
    const { error } = JSON.parse(text) as { readonly error: Told };
    process.stderr.write(printed(`error[${error.code}]: ${error.message}\nhint: ${error.hint}\n`));
  }
  return exit;
}

async function answered(argv: readonly string[]): Promise<Answer> {
  const [name, ...rest] = argv;
  switch (name) {
    case "--version":
      return { text: typeof METTLE_VERSION === "string" ? METTLE_VERSION : "0.0.0-source" };
    case "--help":
    case "-h":
    case "help":
      return { text: help() };
    case "protocol": {
      if (rest.includes("--help") || rest.includes("-h")) return { text: help() };
      const { protocol } = await import("./protocol.ts");
      return protocol(rest);
    }
    case undefined:
      throw new AppError("usage", "the command is missing", { hint: "`envoy --help` lists the commands" });
    default:
      return asked(argv) ?? { data: await obey(readLine(argv, commands), currentFolder()) };
  }
}

/** `--help` after whatever else was said: the command, or its group. As the last word it is no option's value either. */
function asked(argv: readonly string[]): Answer | null {
  const end = argv.indexOf("--");
  const line = end === -1 ? argv : argv.slice(0, end);
  const isAsked = line.some(
    (word, at) =>
      (word === "--help" || word === "-h") &&
      (at === line.length - 1 || line[at - 1]?.startsWith("-") !== true),
  );
  if (!isAsked) return null;
  const words = wordsOf(argv);
  const one = commands.find(({ name }) => name === words);
  if (one !== undefined) return { text: helpOf(one) };
  const group = commands.filter(({ name }) => name.startsWith(`${words} `));
  return group.length === 0 ? null : { text: listOf(group) };
}

/** The command as far as it was said. */
function wordsOf(line: readonly string[]): string {
  // Options of every command may stand before it.
  let from = 0;
  while (line[from]?.startsWith("--") === true) from += /=|^--json$/u.test(line[from] ?? "") ? 1 : 2;
  const argv = line.slice(from);
  const known = commands.filter(({ name }) => argv.join(" ").startsWith(name)).map(({ name }) => name);
  const longest = known.toSorted((a: string, b: string) => b.length - a.length)[0];
  if (longest !== undefined) return longest;
  const isGroup = commands.some(({ name }) => name.startsWith(`${argv[0] ?? ""} `));
  return argv
    .slice(0, isGroup ? 2 : 1)
    .filter((word) => !word.startsWith("-"))
    .join(" ");
}
