/** Judges the files that a tool call writes, by the role of the open dispatch, the frozen files and σ₆ (TDP-46, RIP-03). */
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isInSource, kindOf, matches, outsideDeclared } from "../source/paths.ts";
import type { HookFacts, OpenFacts } from "../run/hook-files.ts";
import { pass, textOf, type HookDecision, type HookCall } from "./call.ts";
import { shellTargets, type WriteTarget } from "./shell-writes.ts";

/** Whether git ignores a path: ignored files may be written. Called only before a refusal. */
export type Ignores = (path: string) => boolean | Promise<boolean>;

export async function judgeWrites(facts: HookFacts, call: HookCall, ignores: Ignores): Promise<HookDecision> {
  for (const { path, guessed } of writtenPaths(facts.checkout, call)) {
    const why = refusal(facts, path, guessed);
    if (why === null || (!isFrozen(facts, path) && !isProtected(facts, path) && (await ignores(path))))
      continue;
    return { type: "deny", reason: `Mettle: ${path} may not be written: ${why}` };
  }
  return pass;
}

interface WrittenPath {
  /** Relative to the checkout. */
  readonly path: string;
  readonly guessed: boolean;
}

/** The files of the checkout that a tool call writes, without the files of the session and its tools. */
export function writtenPaths(checkout: string, call: HookCall): readonly WrittenPath[] {
  const from = call.cwd ?? checkout;
  return targetsOf(call).flatMap((target) => {
    const path = pathIn(checkout, from, target);
    return path === null || isSessionFile(path) ? [] : [{ path, guessed: target.guessed }];
  });
}

export function targetsOf({ tool, input }: HookCall): readonly WriteTarget[] {
  const exact = (paths: readonly (string | null)[]) =>
    paths.flatMap((path) => (path === null ? [] : [{ path, folder: "", guessed: false }]));
  switch (tool) {
    case "Edit":
    case "Write":
    case "MultiEdit":
    case "write_file":
    case "replace":
      return exact([textOf(input["file_path"])]);
    case "NotebookEdit":
      return exact([textOf(input["notebook_path"])]);
    case "apply_patch":
      return exact(patched(textOf(input["command"]) ?? textOf(input["input"]) ?? ""));
    case "Bash":
    case "run_shell_command": {
      const command = textOf(input["command"]) ?? "";
      return [
        ...shellTargets(command, textOf(input["dir_path"]) ?? ""),
        ...(command.includes("*** Begin Patch") ? exact(patched(command)) : []),
      ];
    }
    default:
      return [];
  }
}

/** The files of a Codex patch. */
function patched(patch: string): readonly string[] {
  return [...patch.matchAll(/^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gmu)].map(
    ([, path = ""]) => path.trim(),
  );
}

/** Relative to the checkout; null: outside of it. */
function pathIn(checkout: string, from: string, { path, folder }: WriteTarget): string | null {
  const named = path.replace(/^\$(?:\{?(?:PWD|CLAUDE_PROJECT_DIR)\}?|\(pwd\))(?=\/|$)/u, ".");
  if (named === "" || /^[$~]/u.test(named) || named.includes("\u0000")) return null;
  const place = resolve(from, folder, named);
  return within(realpathSync(checkout), real(place));
}

function within(root: string, place: string): string | null {
  const path = relative(root, place);
  if (path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path)) return null;
  return path === "" ? "." : path.split(sep).join("/");
}

/** Resolves links, as far as the path exists: a link to a frozen file is that file. */
function real(place: string): string {
  if (existsSync(place)) return realpathSync(place);
  const above = dirname(place);
  return above === place ? place : join(real(above), basename(place));
}

function refusal(facts: HookFacts, path: string, guessed: boolean): string | null {
  if (isProtected(facts, path)) return "σ₆, memory-bank/protection.md, protects it";
  if (facts.open === null) return null;
  const kind = kindOf(path, facts.paths);
  // A guess is refused only where a file is surely something: else the end of the dispatch judges it.
  const isSure = ["test", "fixture"].includes(kind) || isInSource(path, facts.paths);
  if (guessed && !isSure && !isFrozen(facts, path)) return null;
  return roleRefusal(facts, facts.open, path);
}

function roleRefusal(facts: HookFacts, open: OpenFacts, path: string): string | null {
  const kind = kindOf(path, facts.paths);
  switch (open.writes) {
    case "tests":
      if (kind !== "test" && kind !== "fixture")
        return `${open.label} writes tests, and this is ${nameOf(kind)}. ${openDispatchText(open)}`;
      return open.declared !== null && outsideDeclared([path], open.declared).length > 0
        ? `the test files of this cycle are ${open.declared.join(", ")}. ${openDispatchText(open)}`
        : null;
    case "source":
      if (isFrozen(facts, path))
        return `it is frozen with the tests; if a test is wrong, report TI and say why. ${openDispatchText(open)}`;
      return kind === "source"
        ? null
        : `${open.label} writes source, and this is ${nameOf(kind)}. ${openDispatchText(open)}`;
    default:
      return `${open.label} writes nothing. ${openDispatchText(open)}`;
  }
}

/** Whether a pattern of σ₆ matches the path or something below it. */
function isProtected({ protection }: HookFacts, path: string): boolean {
  return protection.some(
    (pattern) => matches(path, pattern) || pattern.startsWith(path === "." ? "" : `${path}/`),
  );
}

/** Whether the path is frozen, contains a frozen file, or is a pattern that matches one. */
function isFrozen({ frozen }: HookFacts, path: string): boolean {
  const isPattern = /[*?[{]/u.test(path);
  return frozen.some(
    (file) =>
      file === path || path === "." || file.startsWith(`${path}/`) || (isPattern && matches(file, path)),
  );
}

function openDispatchText({ line }: OpenFacts): string {
  return `The open dispatch is ${line}`;
}

function nameOf(kind: ReturnType<typeof kindOf>): string {
  return kind === "other" ? "neither test nor source" : `a ${kind} file`.replace("a source file", "source");
}

/** Files of the session and its tools, which `src/run/checkout.ts` leaves out too. */
function isSessionFile(path: string): boolean {
  return /^(?:memory-bank|\.claude|\.mettle|\.git)(?:\/|$)/u.test(path) || path === ".mcp.json";
}
