/**
 * Mutants of changed lines (CORE-31): small changes of the source that some test should notice. Survivors are missing tests and
 * never block GREEN.
 */
import { counted } from "../../lib/counted.ts";
import { shortList } from "../check.ts";
import type { Finding } from "../verdict.ts";

/** A mutant that no test noticed. */
export interface Survivor {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly was: string;
  readonly by: string;
  /** Whether some test executes its line. */
  readonly isExecuted: boolean;
}

/** How many mutants of a file some test noticed, of those with a result. */
export interface MutatedFile {
  readonly path: string;
  readonly killed: number;
  readonly of: number;
}

export type Mutation =
  | {
      readonly state: "measured";
      readonly killed: number;
      /** Each file with results, in the order of their paths. */
      readonly files: readonly MutatedFile[];
      readonly survivors: readonly Survivor[];
      /** Mutants without a result, and why. */
      readonly unmeasured: number;
      readonly why: string;
      /** Changed files without mutants: of other languages, or not readable. */
      readonly others: readonly string[];
    }
  | { readonly state: "not measured"; readonly why: string }
  /** Of no use to this gate, so nobody has to read of it. */
  | { readonly state: "skipped"; readonly why: string };

/** The record's text: never a percentage, and never complete where some mutants have no result. */
export function mutationWords(mutation: Mutation): string {
  if (mutation.state !== "measured") return `not measured (${mutation.why})`;
  const { killed, survivors, unmeasured, why, others } = mutation;
  const all = `${killed} of ${counted(killed + survivors.length, "mutant")} noticed by tests`;
  const rest = unmeasured === 0 ? "" : `; ${unmeasured} not measured (${why})`;
  const left = others.length === 0 ? "" : `; without mutants: ${shortList(others, 3)}`;
  return `${all}${rest}${left}`;
}

/** The record's text for each file, one a line: `6 of 8 src/slugify.js`; null if nothing was measured. */
export function mutantsByFile(mutation: Mutation): string | null {
  if (mutation.state !== "measured" || mutation.files.length === 0) return null;
  return mutation.files
    .map(({ path, killed, of }) => `${killed} of ${of} ${path.replaceAll("\n", " ")}`)
    .join("\n");
}

export function mutationFindings(mutation: Mutation): readonly Finding[] {
  if (mutation.state === "skipped") return [];
  if (mutation.state === "not measured") return [measured(mutation)];
  const { survivors } = mutation;
  const more = survivors.length - maxShown;
  return [
    ...(survivors.length > 0 || mutation.unmeasured > 0 ? [measured(mutation)] : []),
    ...survivors.slice(0, maxShown).map((survivor): Finding => ({
      code: missingTest,
      severity: "finding",
      message: survivorWords(survivor),
      path: survivor.path,
    })),
    ...(more > 0
      ? [
          {
            code: missingTest,
            severity: "finding",
            message: `and ${counted(more, "further mutant")} that no test notices`,
          } as const,
        ]
      : []),
  ];
}

/** The code of the finding about a survivor. */
export const missingTest = "missing_test";

const maxShown = 20;

function measured(mutation: Mutation): Finding {
  return {
    code: "mutants",
    severity: "finding",
    message: `mutants of changed lines: ${mutationWords(mutation)}`,
  };
}

function survivorWords({ path, line, was, by, isExecuted }: Survivor): string {
  const change = by === "" ? `without \`${was}\`` : `with \`${by}\` in place of \`${was}\``;
  return isExecuted
    ? `${path}:${line}: no test fails ${change}: add one that does`
    : `${path}:${line}: no test executes this line, so none fails ${change}: add one that does`;
}

/** The number of survivors in the record's text; the text itself where nothing was measured. */
export function survivingMutants(words = "not measured"): number | string {
  const [, killed, all] = /^(\d+) of (\d+) mutants? /u.exec(words) ?? [];
  return killed === undefined || all === undefined ? words : Number(all) - Number(killed);
}
