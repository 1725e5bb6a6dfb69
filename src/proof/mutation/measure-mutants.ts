/**
 * Measures whether tests notice mutants of the changed lines, within a budget of time (CORE-31, PRV-19). Files whose source and
 * tests are unchanged since the last time cost nothing.
 */
import type { MutatedFile, Mutation } from "../../gates/suite/mutation.ts";
import { changedLines } from "../../source/changed-lines.ts";
import type { SourceLines } from "../../source/mutants/mutant.ts";
import { isComplete, knownFile, knownKey } from "./known-results.ts";
import { isMutable } from "./mutable-files.ts";
import { measureParts, type MeasuredPart, type MutationRequest, type Part } from "./measure-parts.ts";

export interface MeasuredMutants {
  readonly mutation: Mutation;
  /** Ids of required tests that execute a changed line; null: unknown. */
  readonly executedBy: readonly string[] | null;
}

export async function measureMutants(request: MutationRequest): Promise<MeasuredMutants> {
  const { budgetMs, changed, setting } = request;
  if (budgetMs === 0) return notMeasured("switched off in the settings");
  if (changed.length === 0) return notMeasured("no source changed");
  // What its tests execute is not known, and mutants that no test executes would be blamed on the tests.
  if (setting.packages.some(({ found }) => found.name === "bun")) return notMeasured("not with bun");
  const sources = await sourcesOf(request);
  if (sources.length === 0) return notMeasured("no changed line is in a language with mutants");
  const parts: Part[] = [];
  for (const source of sources) {
    const key = await knownKey({ ...request, source });
    parts.push({ source, key, known: await knownFile(setting, key) });
  }
  const isKnown = parts.every(({ known }) => known !== null && isComplete(known));
  return resultOf(request, isKnown ? parts : await measureParts(request, parts));
}

function notMeasured(why: string): MeasuredMutants {
  return { mutation: { state: "not measured", why }, executedBy: null };
}

/** Changed files of known languages with their changed lines; deleted lines leave nothing to mutate. */
async function sourcesOf({ before, head, changed }: MutationRequest): Promise<readonly SourceLines[]> {
  const paths = changed.filter(isMutable);
  const [old, now] = [await before.texts(paths), await head.texts(paths)];
  return [...now]
    .map(([path, text]) => ({ path, text, lines: [...changedLines(old.get(path) ?? "", text)] }))
    .filter(({ lines }) => lines.length > 0);
}

function resultOf({ changed, budgetMs }: MutationRequest, parts: readonly Part[]): MeasuredMutants {
  const known = parts.flatMap((part) => (isMeasured(part) ? [part] : []));
  const mutants = known.flatMap((part) => part.known.mutants);
  const others = changed.filter((path) => known.every(({ source }) => source.path !== path));
  const lists = known.map((part) => part.known.executedBy);
  const executedBy =
    others.length > 0 || lists.includes(null) ? null : [...new Set(lists.flatMap((ids) => ids ?? []))];
  const open = mutants.filter(({ state }) => state === null).length;
  if (mutants.length === 0) return { ...notMeasured("no changed line can be mutated"), executedBy };
  if (open === mutants.length)
    return { ...notMeasured(`no mutant has a result in ${budgetMs / 1000} s`), executedBy };
  return {
    executedBy,
    mutation: {
      state: "measured",
      killed: mutants.filter(({ state }) => state === "killed").length,
      files: known.flatMap(fileOf).toSorted((one, other) => (one.path < other.path ? -1 : 1)),
      survivors: mutants
        .filter(({ state }) => state === "survived" || state === "unexecuted")
        .toSorted((one, other) =>
          one.path === other.path ? one.line - other.line : one.path < other.path ? -1 : 1,
        )
        .map(({ path, line, was, by, state }) => ({ path, line, was, by, isExecuted: state === "survived" })),
      unmeasured: open,
      why: `without a result in ${budgetMs / 1000} s`,
      others,
    },
  };
}

function fileOf({ source: { path }, known: { mutants } }: MeasuredPart): readonly MutatedFile[] {
  const states = mutants.flatMap(({ state }) => state ?? []);
  const killed = states.filter((state) => state === "killed").length;
  return states.length === 0 ? [] : [{ path, killed, of: states.length }];
}

function isMeasured(part: Part): part is MeasuredPart {
  return part.known !== null;
}
