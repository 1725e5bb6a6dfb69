/**
 * One call of Envoy, which speaks to agents: plain text for `protocol`, `--help` and `--version`, one JSON object for
 * everything else. An error also stands on stderr.
 */
import { answerVersion } from "../lib/answer.ts";
import { AppError } from "../lib/errors.ts";
import { nearest } from "../lib/nearest.ts";
import { protocol } from "./protocol.ts";

declare const METTLE_VERSION: string | undefined;

/** What a command answers: text as it is, or the data of an object. */
export type Answer = { readonly text: string } | { readonly data: Readonly<Record<string, unknown>> };

/** Those that the protocols name and that this version does not have. */
const later: readonly string[] = ["plan", "git", "knowledge", "gemini"];

const help = `usage: envoy protocol <name> [--json] [--inputs JSON]
       envoy --help | --version
The same as: mettle envoy …

  protocol  print the numbered steps of a protocol: implementation, debugging, discovery, bug-discovery, or your own
            of .claude/protocols/ and .mettle/protocols/
            --json    one object instead of text
            --inputs  a JSON object with the inputs, checked and shown above the steps

The commands ${later.join(", ")}, which the steps name, are not in this version.`;

/** @returns the exit code */
export async function envoy(argv: readonly string[]): Promise<number> {
  try {
    const answer = await answered(argv);
    if ("text" in answer) process.stdout.write(`${answer.text}\n`);
    else printObject({ status: "success", data: answer.data });
    return 0;
  } catch (thrown) {
    const error = thrown instanceof AppError ? thrown : internal(thrown);
    // Where text is asked for, stdout has the steps or nothing.
    if (argv[0] !== "protocol" || argv.includes("--json"))
      printObject({ status: "error", error: told(error, argv) });
    process.stderr.write(`error[${error.code}]: ${error.message}\nhint: ${error.hint}\n`);
    return error.exitCode;
  }
}

async function answered([name, ...rest]: readonly string[]): Promise<Answer> {
  switch (name) {
    case "--version":
      return { text: typeof METTLE_VERSION === "string" ? METTLE_VERSION : "0.0.0-source" };
    case "--help":
    case "-h":
    case "help":
      return { text: help };
    case "protocol":
      return rest.includes("--help") || rest.includes("-h") ? { text: help } : protocol(rest);
    case undefined:
      throw new AppError("usage", "the command is missing", { hint: "`envoy --help` lists the commands" });
    default:
      throw unknownCommand(name);
  }
}

function unknownCommand(name: string): AppError {
  if (later.includes(name))
    return new AppError("usage", `the command ${name} is not in this version`, {
      hint: "the only command is `envoy protocol <name>`: stop at this step and say so; never answer for a person",
    });
  const near = nearest(name, ["protocol", "--help", "--version"]);
  return new AppError("usage", `there is no command ${name}`, {
    hint: near === null ? "`envoy --help` lists the commands" : `did you mean \`envoy ${near}\`?`,
  });
}

/** `code` and `hint` are the same words under the names that every answer of `mettle` has. */
function told({ code, message, hint, detail }: AppError, argv: readonly string[]) {
  const words = argv.slice(0, later.includes(argv[0] ?? "") ? 2 : 1).filter((word) => !word.startsWith("-"));
  return {
    type: code,
    code,
    message,
    command: words.join(" "),
    suggestion: hint,
    hint,
    ...(detail === undefined ? {} : { detail }),
  };
}

function printObject(body: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ version: answerVersion, ...body })}\n`);
}

function internal(error: unknown): AppError {
  const message = error instanceof Error ? error.message : String(error);
  return new AppError("internal", message, { hint: "this is a fault of Mettle", cause: error });
}
