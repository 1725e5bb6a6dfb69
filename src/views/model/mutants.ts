/** Mutants of changed lines by file: how many a test noticed, and which no test did. Pure. */
import type { MutantsModel, MutatedFile } from "./evidence-model.ts";
import type { RunFacts } from "./facts.ts";

type MutantFacts = Pick<RunFacts, "view" | "records" | "verdicts">;

/** From the records of gates, which count them, and their findings, which name those that no test noticed. */
export function mutantsOf({ view, records = new Map(), verdicts = new Map() }: MutantFacts): MutantsModel {
  const measured = view.records.flatMap(({ id, key }) => {
    const controls = records.get(id)?.controls ?? {};
    const words = controls["mutants"];
    return words === undefined ? [] : [{ id, key, words, files: controls["mutants_by_file"] ?? "" }];
  });
  const counts = new Map<string, Pick<MutatedFile, "noticed" | "unnoticed">>();
  for (const { files } of measured) for (const [path, count] of countsOf(files)) counts.set(path, count);
  const survivors = new Map<string, ReadonlySet<string>>();
  for (const { key, ref } of view.judged) {
    const found = survivorsOf(verdicts.get(ref)?.findings ?? []);
    const isNew = found.size > 0 || measured.some((one) => one.key === key && countsOf(one.files).size > 0);
    // A later measurement of a file replaces the earlier one.
    if (isNew)
      for (const path of new Set([...counts.keys(), ...found.keys()]))
        survivors.set(path, found.get(path) ?? survivors.get(path) ?? new Set());
  }
  const paths = [...new Set([...counts.keys(), ...survivors.keys()])];
  return {
    words: measured.map(({ id, words }) => `${id}: ${words}`),
    files: paths.map((path) => {
      const named = [...(survivors.get(path) ?? [])];
      return { path, ...(counts.get(path) ?? { noticed: null, unnoticed: named.length }), survivors: named };
    }),
  };
}

/** One line for each file: `6 of 8 src/slugify.js`. */
function countsOf(lines: string): ReadonlyMap<string, Pick<MutatedFile, "noticed" | "unnoticed">> {
  const found = lines.split("\n").map((line) => /^(\d+) of (\d+) (.+)$/u.exec(line));
  return new Map(
    found.flatMap((parts) => {
      const [, noticed = "", all = "", path = ""] = parts ?? [];
      return path === ""
        ? []
        : [[path, { noticed: Number(noticed), unnoticed: Number(all) - Number(noticed) }] as const];
    }),
  );
}

function survivorsOf(
  findings: readonly {
    readonly code: string;
    readonly message: string;
    readonly path?: string | undefined;
  }[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { code, message, path } of findings) {
    if (code !== "missing_test" || path === undefined) continue;
    found.set(path, (found.get(path) ?? new Set()).add(message));
  }
  return found;
}
