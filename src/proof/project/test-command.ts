/**
 * Parses a package's `scripts.test`: variables, runner, arguments, loaders and configuration. The script is read, never run.
 * Supports `npm run x`, wrappers such as cross-env and c8, and several commands in one script.
 */
import { isObject } from "../../lib/json.ts";
import { simpleCommands } from "../../lib/shell-commands.ts";
import { manifest } from "./manifest.ts";
import { nodeArguments, optionsIn, type Option } from "./runner-options.ts";

export interface TestCommand {
  /** A runner's name, or the program of an unknown one: `playwright`. */
  readonly runner: string;
  readonly env: Readonly<Record<string, string>>;
  /** Env files that are read, relative to the package. */
  readonly envFiles: readonly string[];
  /** Arguments of node before the runner: `--import=tsx`, `--experimental-vm-modules`. */
  readonly loaders: readonly string[];
  /** The runner's configuration file, relative to the package. */
  readonly config: string | null;
  /** All other arguments of the runner, in order. */
  readonly args: readonly string[];
}

/**
 * The commands with a test runner that `npm test` starts, in order; empty where the package has no such script.
 * @param script the script to read: `test`, or `pretest` or `posttest`, which npm starts with it
 */
export function testCommands(packageJson: string, script = "test"): readonly TestCommand[] {
  const { scripts } = manifest(packageJson);
  if (!isObject(scripts)) return [];
  const texts = Object.entries(scripts).flatMap(([name, text]) =>
    typeof text === "string" ? [[name, text] as const] : [],
  );
  return fromScript({ scripts: new Map(texts), seen: [], env: {}, envFiles: [] }, script, []);
}

/** As a person types it, without variables. */
export function commandText({ runner, config, args }: TestCommand): string {
  return [
    runner,
    ...(config === null ? [] : [runner === "pytest" ? "-c" : "--config", config]),
    ...args,
  ].join(" ");
}

/** The command for one runner in the package's own script; null where the script starts another or none. */
export function commandOf(commands: readonly TestCommand[], runner: string): TestCommand | null {
  return commands.find((command) => command.runner === runner) ?? null;
}

interface Context {
  readonly scripts: ReadonlyMap<string, string>;
  /** Scripts that led here; a recursive call ends. */
  readonly seen: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly envFiles: readonly string[];
}

function fromScript(context: Context, name: string, more: readonly string[]): readonly TestCommand[] {
  const text = context.scripts.get(name);
  if (text === undefined || context.seen.includes(name)) return [];
  return fromText({ ...context, seen: [...context.seen, name] }, text, more);
}

/** @param more words that a caller appends, as in `npm run x -- more`: they belong to the last command */
function fromText(context: Context, text: string, more: readonly string[]): readonly TestCommand[] {
  const commands = simpleCommands(text);
  let env = context.env;
  return commands.flatMap(({ words }, at) => {
    if (words[0] === "export") {
      env = assignments(words.slice(1), env).env;
      return [];
    }
    const last = at === commands.length - 1;
    return fromWords({ ...context, env }, last ? [...words, ...more] : words);
  });
}

/** One command: its assignments, then a wrapper, another script, or the runner. */
function fromWords(context: Context, words: readonly string[]): readonly TestCommand[] {
  const { env, rest } = assignments(words, context.env);
  const [program = "", ...args] = rest;
  const inner = { ...context, env };
  const name = programName(program);
  switch (name) {
    case "":
      return [];
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
      return packageManager(inner, name, args);
    case "npm-run-all":
    case "npm-run-all2":
    case "run-s":
    case "run-p":
    case "concurrently":
      return args.flatMap((word) => named(inner, word));
    case "env":
    case "cross-env":
    case "npx":
    case "bunx":
    case "time":
    case "exec":
      return fromWords(inner, afterOptions(args, new Set(["-u", "-p", "--package"])));
    case "cross-env-shell":
      return fromText(inner, args.join(" "), []);
    case "sh":
    case "bash":
      return args[0] === "-c" ? fromText(inner, args[1] ?? "", []) : [];
    case "dotenv":
    case "env-cmd":
      return withEnvFile(inner, name, args);
    case "c8":
    case "nyc":
    case "nice":
    case "xvfb-run":
      return fromWords(inner, fromFirstKnown(args));
    default:
      return runnerIn(inner, name, args);
  }
}

function named(context: Context, word: string): readonly TestCommand[] {
  if (word.startsWith("-")) return [];
  const name = word.replace(/^npm:/, "");
  if (!name.endsWith("*")) return fromScript(context, name.split(" ")[0] ?? "", []);
  const start = name.replace(/\*+$/, "");
  return [...context.scripts.keys()]
    .filter((script) => script.startsWith(start))
    .flatMap((script) => fromScript(context, script, []));
}

/** `npm test`, `npm run x -- more`, `yarn x`, `pnpm exec jest`; commands for another package are ignored. */
function packageManager(context: Context, manager: string, args: readonly string[]): readonly TestCommand[] {
  const foreign = /^(-w|--workspaces?|-ws|--prefix|--cwd|-C|--filter|-F|-r|--recursive)(=|$)/;
  const at = args.findIndex((word) => !word.startsWith("-"));
  const ahead = at === -1 ? args : args.slice(0, at);
  const [verb = "", ...rest] = at === -1 ? [] : args.slice(at);
  const own = rest.slice(0, rest.includes("--") ? rest.indexOf("--") : rest.length);
  if ([...ahead, ...own].some((word) => foreign.test(word))) return [];
  const more = (words: readonly string[]) => words.filter((word, place) => word !== "--" || place > 0);
  if (["exec", "x", "dlx"].includes(verb)) return fromWords(context, more(rest));
  if (["run", "run-script"].includes(verb)) {
    const script = rest.findIndex((word) => !word.startsWith("-"));
    return script === -1 ? [] : fromScript(context, rest[script] ?? "", more(rest.slice(script + 1)));
  }
  if (["test", "t", "tst"].includes(verb) && !(manager === "bun" && context.seen.length > 0))
    return fromScript(context, "test", more(rest));
  if (manager === "bun" && verb === "test") return [commandOfRunner(context, "bun", rest)];
  if (manager === "npm") return [];
  // yarn, pnpm and bun run scripts and programs by their bare names.
  return context.scripts.has(verb)
    ? fromScript(context, verb, more(rest))
    : fromWords(context, [verb, ...rest]);
}

/** `dotenv -e .env.test -- jest`, `env-cmd -f .env.test jest`. */
function withEnvFile(context: Context, program: string, args: readonly string[]): readonly TestCommand[] {
  const flags = program === "dotenv" ? ["-e"] : ["-f", "--file"];
  const files: string[] = [];
  let at = 0;
  for (; (args[at] ?? "").startsWith("-") && args[at] !== "--"; at += 1) {
    const [flag = "", value] = (args[at] ?? "").split(/=(.*)/s);
    if (!flags.includes(flag)) continue;
    files.push(value ?? args[at + 1] ?? "");
    if (value === undefined) at += 1;
  }
  const rest = args.slice(args[at] === "--" ? at + 1 : at);
  const envFiles = files.length > 0 ? files : [".env"];
  return fromWords({ ...context, envFiles: [...context.envFiles, ...envFiles] }, rest);
}

/** Leading `NAME=value` words. `$NAME` expands to an earlier assignment, else to nothing, as in a clean environment. */
function assignments(
  words: readonly string[],
  before: Readonly<Record<string, string>>,
): { readonly env: Readonly<Record<string, string>>; readonly rest: readonly string[] } {
  const env = { ...before };
  let at = 0;
  for (; at < words.length; at += 1) {
    const [, name, value = ""] = /^([A-Za-z_]\w*)=([^]*)$/.exec(words[at] ?? "") ?? [];
    if (name === undefined) break;
    env[name] = value.replace(
      /\$(?:(\w+)|\{(\w+)(?::?-([^}]*))?\})/g,
      (_all, plain: string | undefined, braced: string | undefined, other: string | undefined) =>
        env[plain ?? braced ?? ""] ?? other ?? "",
    );
  }
  return { env, rest: words.slice(at) };
}

function afterOptions(words: readonly string[], valued: ReadonlySet<string>): readonly string[] {
  let at = 0;
  while ((words[at] ?? "").startsWith("-")) at += valued.has(words[at] ?? "") ? 2 : 1;
  return words.slice(at);
}

/** The command after a wrapper, whose own options are unknown. */
function fromFirstKnown(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => known.has(programName(word)));
  return at === -1 ? [] : words.slice(at);
}

/** The program that a word names: the last part of a path, or the package of an entry file. */
function programName(word: string): string {
  const path = word.replaceAll("\\", "/");
  const entry = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/.*\.[cm]?js$/.exec(path)?.[1];
  if (entry !== undefined) return entry;
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.(cmd|exe)$/, "");
  return name === "_mocha" ? "mocha" : name;
}

const runners = new Set(["vitest", "jest", "mocha"]);
const pythons = /^python[\d.]*$/;
/** Programs that load TypeScript, and the equivalent node options. */
const loaderPrograms: Readonly<Record<string, readonly string[]>> = {
  tsx: ["--import=tsx"],
  "ts-node": ["--require=ts-node/register"],
  "ts-node-esm": ["--loader=ts-node/esm"],
  "ts-mocha": ["--require=ts-node/register"],
  "babel-node": ["--require=@babel/register"],
};
/** Test runners that Mettle does not support. */
export const foreignRunners: ReadonlySet<string> = new Set([
  "ava",
  "tap",
  "tape",
  "uvu",
  "jasmine",
  "karma",
  "playwright",
  "cypress",
  "wtr",
  "qunit",
  "deno",
  "lab",
  "react-scripts",
]);
const known: ReadonlySet<string> = new Set([
  ...runners,
  ...Object.keys(loaderPrograms),
  ...foreignRunners,
  "node",
  "npm",
  "npx",
  "pnpm",
  "yarn",
  "env",
  "cross-env",
  "dotenv",
  "env-cmd",
]);

function runnerIn(context: Context, name: string, args: readonly string[]): readonly TestCommand[] {
  const loader = loaderPrograms[name];
  if (name === "ts-mocha") return [commandOfRunner(context, "mocha", args, loader)];
  if (name === "node" || loader !== undefined) return fromNode(context, args, loader ?? []);
  if (runners.has(name) || foreignRunners.has(name)) return [commandOfRunner(context, name, args)];
  if (name === "pytest" || name === "py.test") return [commandOfRunner(context, "pytest", args)];
  const [flag, module = "", ...rest] = args;
  if (pythons.test(name) && flag === "-m" && ["pytest", "unittest"].includes(module))
    return [commandOfRunner(context, module, rest)];
  if (["go", "cargo"].includes(name) && flag === "test")
    return [commandOfRunner(context, name, args.slice(1))];
  return [];
}

/** `node --import tsx --test a.test.ts`, `node --experimental-vm-modules node_modules/jest/bin/jest.js`. */
function fromNode(
  context: Context,
  args: readonly string[],
  loaders: readonly string[],
): readonly TestCommand[] {
  const { options, rest } = nodeArguments(args);
  const files = options.flatMap(({ name, value }) => (isEnvFile(name) && value !== null ? [value] : []));
  const script = options.find(({ name }) => name === "--run")?.value ?? null;
  if (script !== null) return fromScript(context, script, rest);
  const inner = { ...context, envFiles: [...context.envFiles, ...files] };
  const own = [...loaders, ...options.filter(isLoader).map(written)];
  if (options.some(({ name }) => name === "--test")) {
    const others = options.filter((one) => !isLoader(one) && one.name !== "--test" && !isEnvFile(one.name));
    return [{ ...commandOfRunner(inner, "node:test", [...others.map(written), ...rest]), loaders: own }];
  }
  const [entry = "", ...more] = rest;
  const name = programName(entry);
  if (!runners.has(name) && !foreignRunners.has(name)) return [];
  const command = commandOfRunner(inner, name, more);
  return [{ ...command, loaders: [...own, ...command.loaders] }];
}

function isEnvFile(name: string): boolean {
  return name === "--env-file" || name === "--env-file-if-exists";
}

/** Whether an option affects how files load, not the test runner or a single debugging session. */
function isLoader({ name }: Option): boolean {
  return (
    !/^--(test|experimental-test-coverage|watch|inspect|env-file|check|eval|print)/.test(name) ||
    name === "--test-isolation"
  );
}

function written({ name, value }: Option): string {
  return value === null ? name : `${name}=${value}`;
}

function commandOfRunner(
  { env, envFiles }: Context,
  runner: string,
  words: readonly string[],
  loaders: readonly string[] = [],
): TestCommand {
  const { config, nodeOptions, args } = optionsIn(runner, words);
  return { runner, env, envFiles, loaders: [...loaders, ...nodeOptions], config, args };
}
