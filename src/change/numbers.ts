/** Minimality and quality figures of a change. They do not affect the verdict (CORE-36). */
import { changedPaths } from "../git/objects/tree.ts";
import { survivingMutants } from "../gates/suite/mutation.ts";
import { lintNumbers } from "../proof/lint-numbers.ts";
import { unexecutedCount } from "../proof/coverage.ts";
import { AppError } from "../lib/errors.ts";
import { projectAt } from "../proof/project/project.ts";
import type { ProofRequest } from "../proof/proof.ts";
import { exportedSymbols } from "../source/exported-symbols.ts";
import { sizeNumbers } from "../source/code-size.ts";
import { kindOf } from "../source/paths.ts";
import { loadParser } from "../source/syntax.ts";
import { Numbers } from "./numbers-schema.ts";

/** The figures of the lint tool are optional, so a gate does not wait for a slow one. */
const maxLintMs = 5_000;

/** @param controls of the gate's record */
export async function changeNumbers(
  { ports, settings, base, head }: ProofRequest,
  controls: Readonly<Record<string, string>>,
): Promise<Numbers> {
  const { repository } = ports;
  const changed = (await changedPaths(repository, { from: base, to: head })).map(({ path }) => path);
  const sources = changed.filter((path) => kindOf(path, settings.paths) === "source");
  const [old, now] = [await projectAt(repository, base), await projectAt(repository, head)];
  const [before, after] = [await old.texts(sources), await now.texts(sources)];
  const tests = await now.texts(
    [...now.files.keys()].filter((path) => kindOf(path, settings.paths) === "test"),
  );
  const words = new Set([...tests.values()].flatMap((text) => text.match(/[\p{L}\p{N}_$]+/gu) ?? []));
  const parse = await loadParser();
  const namesAt = (path: string, text = "") =>
    new Set([...(exportedSymbols(path, text, parse)?.keys() ?? [])].map(nameOf));
  const fresh = [...after].flatMap(([path, text]) => {
    const known = namesAt(path, before.get(path));
    return [...namesAt(path, text)].filter((name) => !known.has(name));
  });
  const size = sizeNumbers(before, after);
  const lint = await lintNumbers(ports, { before: old, after: now, paths: sources, maxMs: maxLintMs }).catch(
    (error: unknown): Readonly<Record<string, number | string>> => {
      // A figure must not cost the verdict.
      if (!(error instanceof AppError)) throw error;
      return { lint: `not measured (${error.code})` };
    },
  );
  const { lint_before: was, lint_after: is } = lint;
  return Numbers.parse({
    unexecuted_lines: unexecutedCount(controls["unexecuted_lines"] ?? "not measured"),
    surviving_mutants: survivingMutants(controls["mutants"]),
    new_exports: fresh.length,
    new_exports_without_test: fresh.filter((name) => !words.has(name)).length,
    ...size,
    complexity_delta: size.branches_after - size.branches_before,
    ...lint,
    lint_delta: typeof was === "number" && typeof is === "number" ? is - was : lint["lint"],
  });
}

/** The name that a caller writes: for a member the name of its owner. */
function nameOf(symbol: string): string {
  return /[\p{L}_$][\p{L}\p{N}_$]*/u.exec(symbol)?.[0] ?? symbol;
}
