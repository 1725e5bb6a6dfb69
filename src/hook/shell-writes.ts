/**
 * Finds the files that a shell command writes, as far as possible. An unrecognised write is not a hole: the gates check the
 * tree (CORE-87).
 */
import { simpleCommands, type SimpleCommand } from "../lib/shell-commands.ts";

export interface WriteTarget {
  /** As written in the command, relative to `folder`. */
  readonly path: string;
  /** Working folder at that point, relative to the folder in which the command started. */
  readonly folder: string;
  /** A string in the code of another language: it may not be a path. */
  readonly guessed: boolean;
}

export function shellTargets(command: string, folder = ""): readonly WriteTarget[] {
  let here = folder;
  return simpleCommands(command).flatMap((simple) => {
    const [program = "", ...args] = withoutWrappers(simple.words);
    const name = program.split("/").at(-1) ?? "";
    if (name === "cd" || name === "pushd") {
      const [to = ""] = plain(args);
      here = to.startsWith("/") || here === "" ? to : `${here}/${to}`;
      return [];
    }
    const at = (paths: readonly string[], guessed = false) =>
      paths.map((path) => ({ path, folder: here, guessed }));
    return [
      ...at(simple.writesTo.filter((path) => !path.startsWith("/dev/"))),
      ...at(written(name, args)),
      ...at(guesses(name, args, simple), true),
      ...nested(name, args, simple).flatMap((inner) => shellTargets(inner, here)),
    ];
  });
}

const wrappers = new Set([
  "sudo",
  "env",
  "command",
  "nohup",
  "time",
  "exec",
  "builtin",
  "nice",
  "stdbuf",
  "xargs",
  "timeout",
  "setsid",
  "ionice",
]);
const keywords = new Set(["if", "then", "else", "elif", "do", "while", "until", "!"]);

export function withoutWrappers(words: readonly string[]): readonly string[] {
  let rest = words;
  for (;;) {
    const [first = ""] = rest;
    if (/^\w+=/u.test(first) || keywords.has(first)) rest = rest.slice(1);
    else if (wrappers.has(first)) {
      rest = rest.slice(1);
      // Options and numbers of the wrapper: `timeout -k 5 10`, `xargs -n 1`, `nice -n 5`.
      while (/^(?:-|\d+[smhd]?$|\w+=)/u.test(rest[0] ?? "") && rest.length > 0) rest = rest.slice(1);
    } else return rest;
  }
}

/** Files that a known program writes, according to its arguments. */
function written(name: string, args: readonly string[]): readonly string[] {
  switch (name) {
    case "tee":
    case "touch":
    case "rm":
    case "unlink":
    case "rmdir":
    case "shred":
    case "ed":
    case "ex":
      return plain(args);
    case "truncate":
      return plain(args, ["-s", "--size", "-r", "--reference"]);
    case "chmod":
    case "chown":
      return plain(args).slice(1);
    case "sed":
      return inPlace(args) ? scripted(args, ["-e", "--expression", "-f", "--file"]) : [];
    case "perl":
    case "ruby":
      return args.some((arg) => /^-\w*i/u.test(arg)) ? plain(args, ["-e"]) : [];
    case "awk":
    case "gawk":
      return args.includes("inplace") ? plain(args, ["-i", "-v", "-F"]).slice(1) : [];
    case "cp":
    case "install":
    case "ln":
    case "rsync":
      return into(args);
    case "mv":
      return [...plain(args, ["-t"]).slice(0, hasTarget(args) ? undefined : -1), ...into(args)];
    case "dd":
      return args.flatMap((arg) => (arg.startsWith("of=") ? [arg.slice(3)] : []));
    case "sort":
    case "curl":
      return valuesOf(args, ["-o", "--output"]);
    case "wget":
      return valuesOf(args, ["-O", "--output-document"]);
    case "patch":
      return plain(args, ["-i", "-p", "-d", "-o"]).slice(0, 1);
    case "find":
      return args.some((arg) => arg === "-delete" || (/^-(?:exec|execdir|ok)$/u.test(arg) && changes(args)))
        ? args.slice(
            0,
            Math.max(
              0,
              args.findIndex((arg) => /^[-(!]/u.test(arg)),
            ),
          )
        : [];
    case "prettier":
    case "eslint":
    case "black":
      return name === "black" || args.some((arg) => /^(?:--write|-w|--fix)$/u.test(arg)) ? plain(args) : [];
    case "npx":
    case "bunx":
      return written(plain(args)[0] ?? "", args.slice(args.indexOf(plain(args)[0] ?? "") + 1));
    case "git":
      return writtenByGit(args);
    default:
      return [];
  }
}

function changes(args: readonly string[]): boolean {
  return args.some((arg) => /^(?:rm|sed|mv|cp|tee|truncate|sh|bash)$/u.test(arg));
}

function writtenByGit(args: readonly string[]): readonly string[] {
  const [verb = "", ...rest] = plainFrom(args, ["-C", "-c"]);
  const paths = plain(rest, ["--source", "-s"]);
  const after = rest.includes("--") ? rest.slice(rest.indexOf("--") + 1) : null;
  switch (verb) {
    case "checkout":
      return after ?? paths.filter((path) => path === "." || /[/.]/u.test(path));
    case "restore":
      return rest.includes("--staged") && !rest.includes("--worktree") ? [] : (after ?? paths);
    case "rm":
      return rest.includes("--cached") ? [] : (after ?? paths);
    case "mv":
      return paths;
    case "stash":
      return /^(?:list|show|drop|branch|create|store)$/u.test(paths[0] ?? "") ? [] : ["."];
    case "clean":
      return rest.some((arg) => arg === "-n" || arg === "--dry-run")
        ? []
        : (after ?? (paths.length > 0 ? paths : ["."]));
    case "reset":
      return rest.some((arg) => /^--(?:hard|merge|keep)$/u.test(arg)) ? ["."] : [];
    default:
      return [];
  }
}

/** Shell code that the command runs in a nested shell. */
function nested(name: string, args: readonly string[], { stdin }: SimpleCommand): readonly string[] {
  if (name === "eval") return [args.join(" ")];
  if (name === "find" || name === "xargs") return [];
  if (!shells.test(name)) return [];
  const at = args.findIndex((arg) => /^-\w*c$/u.test(arg));
  return at === -1 ? [stdin] : [args[at + 1] ?? ""];
}

export const shells = /^(?:ba|z|da|k|fi|)sh$/u;
export const languages = /^(?:python[\d.]*|node|deno|bun|ruby|perl|php)$/u;
const verbs =
  /\bopen\s*\(|write|append|unlink|remove|rename|copy|truncate|\brm(?:Sync)?\b|shutil|File\.|file_put_contents|spurt/iu;

/** Strings in the code of another language that writes files. */
function guesses(name: string, args: readonly string[], { stdin }: SimpleCommand): readonly string[] {
  if (!languages.test(name) && !/^g?awk$/u.test(name)) return [];
  const code = [...args.filter((_, at) => /^-\w*[ecE]$|^--eval$|^-p$/u.test(args[at - 1] ?? "")), stdin];
  const isAwk = name.endsWith("awk");
  if (isAwk) code.push(...args.filter((arg) => arg.includes(">")));
  const text = code.join("\n");
  if (!verbs.test(text) && !isAwk) return [];
  return [...text.matchAll(/(["'`])([^"'`\n]{1,400})\1/gu)].map(([, , literal = ""]) => literal);
}

function inPlace(args: readonly string[]): boolean {
  return args.some((arg) => /^-[a-zA-Z]*i|^--in-place/u.test(arg));
}

/** Arguments without the script, which is the first one unless an option passes it. */
function scripted(args: readonly string[], options: readonly string[]): readonly string[] {
  const rest = plain(args, options);
  return args.some((arg) => options.includes(arg)) ? rest : rest.slice(1);
}

function hasTarget(args: readonly string[]): boolean {
  return args.some((arg) => arg === "-t" || arg.startsWith("--target-directory"));
}

/** The target of a copy: the last argument, or the files in the folder that an option names. */
function into(args: readonly string[]): readonly string[] {
  const named = valuesOf(args, ["-t", "--target-directory"]);
  const rest = plain(args, ["-t", "-m", "-o", "-g", "-S"]);
  const to = named[0] ?? rest.at(-1);
  if (to === undefined || (named.length === 0 && rest.length < 2)) return [];
  const sources = named.length > 0 ? rest : rest.slice(0, -1);
  const below = sources.map(
    (path) => `${to.replace(/\/+$/u, "")}/${path.replace(/\/+$/u, "").split("/").at(-1) ?? ""}`,
  );
  return named.length > 0 || to.endsWith("/") || sources.length > 1 ? below : [to];
}

/** Arguments without options and without the values of these options. */
function plain(args: readonly string[], withValue: readonly string[] = []): readonly string[] {
  return plainFrom(args, withValue, true);
}

/** @param all false: removes only the leading options */
function plainFrom(args: readonly string[], withValue: readonly string[], all = false): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (kept.length > 0 && !all) kept.push(arg);
    else if (arg === "--" && all) return [...kept, ...args.slice(at + 1)];
    else if (withValue.includes(arg)) at += 1;
    else if (!arg.startsWith("-") || arg === "-") kept.push(arg);
  }
  return kept;
}

function valuesOf(args: readonly string[], names: readonly string[]): readonly string[] {
  return args.flatMap((arg, at) => {
    const [name = "", value] = arg.split(/=(.*)/su);
    // `-so FILE`: one-letter options may be combined.
    const last = /^-[a-zA-Z]+$/u.test(arg) ? `-${arg.slice(-1)}` : arg;
    if (names.includes(last)) return args[at + 1] ?? [];
    return value !== undefined && names.includes(name) ? [value] : [];
  });
}
