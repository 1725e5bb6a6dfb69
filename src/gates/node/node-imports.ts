/**
 * What a test may import from the repository: the public interface of its node, its own helpers, and existing test helpers
 * (V3-33).
 */
import { failed, shortList, passed } from "../check.ts";
import { languageOf, readCode } from "../../source/code-text.ts";
import { pythonImports } from "../../source/imports-python.ts";
import { isScript } from "../../source/syntax.ts";
import { holds } from "./node-paths.ts";
import { lineOf, readScript } from "../../source/script.ts";
import { candidates, pythonFile } from "../../source/module-paths.ts";
import type { TextFile } from "../../source/test-marks-javascript.ts";
import type { Check, Finding } from "../verdict.ts";

export interface ImportFacts {
  /** The files of the batch with their texts. */
  readonly files: readonly TextFile[];
  /** Files and folders that tests may import. */
  readonly allowed: readonly string[];
  /** Whether a file is an existing helper among the project's tests. */
  readonly isHelper: (path: string) => boolean;
  /** Whether the commit holds a file. */
  readonly has: (path: string) => boolean;
}

export function checkImports(facts: ImportFacts): {
  readonly check: Check;
  readonly findings: readonly Finding[];
} {
  const wrong = facts.files.flatMap((file) => foreign(file, facts));
  const mute = facts.files.filter(
    ({ path }) => !isScript(path) && languageOf(path) !== "python" && isCode(path),
  );
  const check =
    wrong.length === 0
      ? passed("public_api")
      : failed(
          "public_api",
          `tests may import only the public interface (${shortList(facts.allowed)}): ${wrong.join("; ")}`,
        );
  return {
    check,
    findings:
      mute.length === 0
        ? []
        : [{ code: "public_api", severity: "finding", message: "public API: not checked" }],
  };
}

/** Text and data files import nothing. */
function isCode(path: string): boolean {
  return !/\.(?:json|ya?ml|toml|txt|md|csv|tsv|snap|html|xml|png|jpe?g|gif|svg)$/iu.test(path);
}

/** Forbidden imports, each as `file:line imports module`. */
function foreign(file: TextFile, facts: ImportFacts): readonly string[] {
  const targets =
    languageOf(file.path) === "python" ? pythonTargets(file, facts) : scriptTargets(file, facts);
  return targets
    .filter(({ target }) => !facts.isHelper(target) && !facts.allowed.some((own) => holds(own, target)))
    .map(({ target, line }) => `${file.path}:${line} imports ${target}`);
}

interface Target {
  /** A file of the repository. */
  readonly target: string;
  readonly line: number;
}

function scriptTargets({ path, text }: TextFile, { has }: ImportFacts): readonly Target[] {
  if (!isScript(path)) return [];
  return specifiers(text).flatMap(({ from, line }) => {
    const target = from.startsWith(".") ? candidates(path, from).find(has) : undefined;
    return target === undefined ? [] : [{ target, line }];
  });
}

/** `from shop import cart` may refer to a name of the package or to its module. */
function pythonTargets({ path, text }: TextFile, { has }: ImportFacts): readonly Target[] {
  const script = readCode(text, "python");
  return pythonImports(script).flatMap(({ module, names, at }) => {
    const file = (name: string) => pythonFile(name, path, has);
    const inner = names.map(({ name }) => file(`${module}${module.endsWith(".") ? "" : "."}${name}`));
    const found = names.length === 0 ? [file(module)] : inner.map((one) => one ?? file(module));
    const line = lineOf(script, at);
    return [...new Set(found)].flatMap((target) => (target === null ? [] : [{ target, line }]));
  });
}

const before = /(?<![\p{L}\p{N}_$.])(?:from|import|(?:import|require|require\s*\.\s*resolve)\s*\()\s*$/u;

function specifiers(text: string): readonly { readonly from: string; readonly line: number }[] {
  const script = readScript(text);
  return script.strings.flatMap(({ start, value }) =>
    before.test(script.code.slice(Math.max(0, start - 60), start))
      ? [{ from: value, line: lineOf(script, start) }]
      : [],
  );
}
