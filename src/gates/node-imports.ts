/** What a test may import of the repository: the public interface of its node, and its own helpers (V3-33). */
import { failed, listed, passed } from "./check.ts";
import { isScript } from "./node-exports.ts";
import { holds } from "./node-paths.ts";
import { lineOf, readScript } from "./script.ts";
import { candidates } from "./stub-source.ts";
import type { TextFile } from "./test-source.ts";
import type { Check, Finding } from "./verdict.ts";

export interface ImportFacts {
  /** The files of the batch, with their texts. */
  readonly files: readonly TextFile[];
  /** Files and folders that tests may import. */
  readonly allowed: readonly string[];
  /** Whether the commit holds a file. */
  readonly has: (path: string) => boolean;
}

export const unchecked = "public API: not checked";

export function checkImports(facts: ImportFacts): {
  readonly check: Check;
  readonly findings: readonly Finding[];
} {
  const wrong = facts.files.filter(({ path }) => isScript(path)).flatMap((file) => foreign(file, facts));
  const mute = facts.files.map(({ path }) => path).filter((path) => !isScript(path) && isCode(path));
  const check =
    wrong.length === 0
      ? passed("public_api")
      : failed(
          "public_api",
          `tests use the public interface alone (${listed(facts.allowed)}): ${wrong.join("; ")}`,
        );
  return {
    check,
    findings: mute.length === 0 ? [] : [{ code: "public_api", severity: "finding", message: unchecked }],
  };
}

/** Text and data import nothing. */
function isCode(path: string): boolean {
  return !/\.(?:json|ya?ml|toml|txt|md|csv|tsv|snap|html|xml|png|jpe?g|gif|svg)$/iu.test(path);
}

/** Each as `file:line imports module`. */
function foreign({ path, text }: TextFile, { allowed, has }: ImportFacts): readonly string[] {
  return specifiers(text).flatMap(({ from, line }) => {
    if (!from.startsWith(".")) return [];
    const target = candidates(path, from).find(has);
    if (target === undefined || allowed.some((own) => holds(own, target))) return [];
    return [`${path}:${line} imports ${target}`];
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
