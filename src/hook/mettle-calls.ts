/**
 * Finds the calls of Mettle in a shell command without running it: through nested shells, variables, pipes, scripts that the
 * command writes or the project contains, package scripts, and code of other languages.
 */
import { posix } from "node:path";
import { simpleCommands, type SimpleCommand } from "../lib/shell-commands.ts";
import { matches } from "../source/paths.ts";
import { languages, shells, withoutWrappers } from "./shell-writes.ts";

const { normalize } = posix;

/** The arguments of a call, without the program. */
export type MettleCall = readonly string[];

/** Placeholder for an unknown word. */
export const unknownWord = "$";

/** @param read returns the text of a project file; null: no such file */
export function mettleCalls(command: string, read: (path: string) => string | null): readonly MettleCall[] {
  const found: MettleCall[] = [];
  scan(command, { found, read, variables: new Map(), written: new Map(), depth: 0 });
  return found;
}

interface Scan {
  readonly found: MettleCall[];
  readonly read: (path: string) => string | null;
  readonly variables: Map<string, string>;
  /** Path -> text of the scripts that the command writes. */
  readonly written: Map<string, string>;
  readonly depth: number;
}

const maxDepth = 8;

function scan(text: string, from: Scan): void {
  if (from.depth > maxDepth) return;
  const scanning = { ...from, depth: from.depth + 1 };
  const commands = simpleCommands(text);
  const printed = commands.map((simple) => printedText(simple)).join("\n");
  for (const simple of commands) {
    const words = simple.words.flatMap((word) => expanded(word, scanning.variables));
    const called = assigned(words, scanning.variables);
    const [program = "", ...args] = withoutWrappers(called);
    const name = called.map(basename).find((word) => feeders.has(word)) ?? basename(program);
    keepWritten(simple, { name, args, said: printed }, scanning);
    if (!isData(basename(program))) takeCall(called, name, scanning);
    for (const inner of codeIn({ name, program, args, simple, said: printed }, scanning))
      scan(inner, scanning);
    takeCode({ name, args, simple }, scanning);
  }
}

/** Programs that pass their input as arguments to another program. */
const feeders = new Set(["xargs", "parallel"]);
/** Programs that print their arguments; another program may run the output. */
const printers = new Set(["echo", "printf", "yes", "cat"]);
/** Programs that never run their arguments. */
const readers = new Set(
  "grep egrep fgrep rg ag ls head tail wc sed less more diff man which type whereis file stat test [ find-name jq git gh glab touch mkdir cp mv rm ln tee sort uniq cut tr true false cd pwd read".split(
    " ",
  ),
);

function isData(name: string): boolean {
  return printers.has(name) || readers.has(name);
}

function printedText({ words, stdin }: SimpleCommand): string {
  const [name = "", ...args] = withoutWrappers(words);
  return printers.has(basename(name)) ? `${args.join(" ").replaceAll("\\n", "\n")}\n${stdin}` : "";
}

/** Adds the arguments after the program's name, wherever it is: `sudo -u me timeout 9 npx mettle approve`. */
function takeCall(words: readonly string[], name: string, { found }: Scan): void {
  const at = words.findIndex((word, index) => isMettle(word) || (index === 0 && isPatternOfMettle(word)));
  const hook = words.find((word) => /(?:^|\/)hook(?:-report-plan|-verify)?\.c?js$/u.test(word));
  if (hook !== undefined) found.push(["hook"]);
  if (at === -1) return;
  const args = words.slice(at + 1).filter((word) => word !== "--json" && word !== "--debug");
  found.push(feeders.has(name) ? [unknownWord, ...args] : args);
}

function isMettle(word: string): boolean {
  const isByName = /(?:^|\/)mettle(?:@[^/]*)?(?:\.c?js|\.cmd)?$/u.test(word);
  return isByName || isFoundByShell(word) || /(?:^|\/)cli\/(?:main|start)\.[cm]?[jt]s$/u.test(word);
}

/** `$(command -v mettle)` */
function isFoundByShell(word: string): boolean {
  return /^(?:\$\(|`).*\bmettle\b.*[)`]$/u.test(word);
}

/** A glob that may match the program: `mettl?`. */
function isPatternOfMettle(word: string): boolean {
  const pattern = basename(word);
  return /[*?[]/u.test(pattern) && /[a-z]/u.test(pattern) && matches("mettle", pattern);
}

/** Removes and stores assignments, also those of `export`, `alias` and `for`. */
function assigned(words: readonly string[], variables: Map<string, string>): readonly string[] {
  let rest = words;
  for (; /^\w+=/u.test(rest[0] ?? ""); rest = rest.slice(1)) remember(rest[0] ?? "", variables);
  const [first = "", second = "", third, ...others] = rest;
  if (/^(?:export|declare|local|readonly|typeset|alias)$/u.test(first))
    for (const word of rest.slice(1)) remember(word, variables);
  if (first === "for" && third === "in") variables.set(second, others.join(" "));
  const alias = variables.get(`alias ${first}`);
  if (first === "alias") for (const word of rest.slice(1)) remember(`alias ${word}`, variables);
  return alias === undefined ? rest : [...alias.split(/\s+/u), ...rest.slice(1)];
}

function remember(word: string, variables: Map<string, string>): void {
  const [, name, value = ""] = /^((?:alias )?\w+)=([^]*)$/u.exec(word) ?? [];
  if (name !== undefined) variables.set(name, value);
}

/** Replaces known variables, and splits `{a,b}` into two words. */
function expanded(word: string, variables: ReadonlyMap<string, string>): readonly string[] {
  const known = word.replace(
    /\$(?:\{(\w+)\}|(\w+))/gu,
    (whole, braced?: string, plain?: string) => variables.get(braced ?? plain ?? "") ?? whole,
  );
  if (known !== word) return known.split(/\s+/u).filter((part) => part !== "");
  return /^\{[^{}\s]*,[^{}\s]*\}$/u.test(word) ? word.slice(1, -1).split(",") : [word];
}

interface Parts {
  readonly name: string;
  readonly args: readonly string[];
}

function keepWritten(
  { writesTo: redirectedTo, stdin }: SimpleCommand,
  { name, args, said }: Parts & { readonly said: string },
  { written }: Scan,
): void {
  const paths = name === "tee" ? [...redirectedTo, ...args] : redirectedTo;
  const text = printers.has(name) ? `${args.join(" ").replaceAll("\\n", "\n")}\n${stdin}` : said;
  for (const path of paths.map((each) => normalize(each)))
    written.set(path, `${written.get(path) ?? ""}${text}\n`);
}

/** The shell code that a command runs. */
function codeIn(
  { name, program, args, simple, said }: Parts & { program: string; simple: SimpleCommand; said: string },
  scanning: Scan,
): readonly string[] {
  const fileAt = (path: string) => scanning.written.get(normalize(path)) ?? scanning.read(path) ?? "";
  const plain = args.filter((arg) => !arg.startsWith("-"));
  const [first = ""] = plain;
  switch (name) {
    case "eval":
      return [args.join(" ")];
    case ".":
    case "source":
      return [first === "/dev/stdin" ? said : shellText(fileAt(first))];
    case "xargs":
    case "parallel":
      return [said.replaceAll("\n", " "), ...args];
    case "at":
    case "batch":
      return [said, simple.stdin];
    case "npm":
    case "yarn":
    case "pnpm":
    case "bun":
      return packageScript(plain[0] === "run" ? plain[1] : first, scanning);
    case "git":
      // A git alias may be a shell command.
      return args.flatMap((arg) => /(?:^|=)!([^]+)$/u.exec(arg)?.[1] ?? []);
    default:
  }
  if (shells.test(name)) {
    const at = args.findIndex((arg) => /^-\w*c$/u.test(arg));
    if (at !== -1) return [args[at + 1] ?? ""];
    const files = [...(first === "" || args.includes("-s") ? [] : [first]), ...simple.readsFrom];
    return [
      simple.stdin,
      ...files.map((path) => shellText(fileAt(path))),
      ...(files.length === 0 ? [said] : []),
    ];
  }
  if (/\s/u.test(program)) return [program];
  if (isData(name) || languages.test(name)) return [];
  const own = program.includes("/") ? [shellText(fileAt(program))] : [];
  // `su -c`, `script -c`, `watch`, `env -S`, `tmux`, `trap`: an argument that looks like a call of Mettle.
  return [...own, ...args.filter((arg) => /\s/u.test(arg) && beginsWithMettle(arg))];
}

function beginsWithMettle(text: string): boolean {
  return simpleCommands(text).some(({ words }) => {
    const [program = "", second = ""] = withoutWrappers(words);
    return isMettle(program) || (/^(?:node|npx|bunx|exec)$/u.test(basename(program)) && isMettle(second));
  });
}

/** Empty for a script of another interpreter. */
function shellText(text: string): string {
  const first = /^#!.*/u.exec(text)?.[0] ?? "";
  return first === "" || /sh\b/u.test(first) ? text : "";
}

function packageScript(name: string | undefined, { read }: Scan): readonly string[] {
  const text = name === undefined ? null : read("package.json");
  if (text === null || name === undefined) return [];
  try {
    const scripts =
      (JSON.parse(text) as { scripts?: Readonly<Record<string, unknown>> } | null)?.scripts ?? {};
    return [`pre${name}`, name, `post${name}`].flatMap((each) =>
      Object.hasOwn(scripts, each) ? [String(scripts[each])] : [],
    );
  } catch {
    return []; // not valid JSON: npm fails too
  }
}

/** A call in the code of another language: program and verb with only quotes and punctuation between them. */
const callInCode =
  /\bmettle(?:\.c?js)?["'`\s,+[\](){}]+(approve|reject|answer|abort|land|hook|--land|--approve)\b/gu;

function takeCode(
  { name, args, simple }: Parts & { simple: SimpleCommand },
  { found, read, written }: Scan,
): void {
  if (!languages.test(name)) return;
  const [file = ""] = args.filter((arg) => !arg.startsWith("-"));
  const text = file === "" || /\s/u.test(file) ? "" : (written.get(normalize(file)) ?? read(file) ?? "");
  const code = [...args, simple.stdin, text].join("\n");
  for (const [, verb = ""] of code.matchAll(callInCode)) found.push([verb]);
}

function basename(path: string): string {
  return path.split("/").at(-1) ?? "";
}
