/**
 * The other surrounding of RED (PRV-17): its repeated run has another date, time zone and machine. A new test that passes
 * there without any implementation, and fails here, is judged by its surrounding and not by the code.
 */
import { fileOfTest } from "../../evidence/test-ids.ts";
import { hasSameResults } from "../../gates/red/red-tests.ts";
import type { DependentTest, Surrounding } from "../../gates/suite/surrounding-result.ts";
import { statusOf, type Suite } from "../../gates/suite/suite.ts";
import type { Surround } from "../../source/surrounding-reads.ts";
import { copyingRunners } from "../canary/control-copies.ts";
import type { ProofSetting } from "../proof-package.ts";
import { differencesOf, noDifferences, type Differences } from "./differences.ts";
import { notMeasured, readsIn } from "./reads-in.ts";

const kinds: readonly Surround[] = ["clock", "zone", "variables", "host", "user", "workers"];

/** What differs in the repeated run. */
export function differencesOfRed({ ports, packages }: ProofSetting): Differences {
  const isKnown = packages.every(({ found }) => copyingRunners.has(found.name));
  return ports.controls?.surrounding === false || !isKnown ? noDifferences : differencesOf(kinds);
}

export interface RedElsewhere {
  readonly differs: Differences;
  /** Ids of the new tests. */
  readonly tests: readonly string[];
  readonly first: Suite;
  /** The repeated run in the other surrounding; null where there was none. */
  readonly repeat: Suite | null;
  /** Texts of the changed test files by path. */
  readonly changed: ReadonlyMap<string, string>;
  /** Repeats test files. */
  run(files: readonly string[], differs: Differences): Promise<Suite>;
}

export interface RedRepeat {
  /** The run by which the tests are judged as stable. */
  readonly second: Suite | null;
  readonly surrounding: Surrounding;
}

/** Another result there is repeated here and there. Copies beside a test may have disturbed it: alone it must be the same. */
export async function repeatElsewhere(request: RedElsewhere): Promise<RedRepeat> {
  const { differs, tests, first, repeat, changed, run } = request;
  const files = [...changed.keys()];
  if (differs.kinds.size === 0) {
    const isSame = repeat !== null && hasSameResults(first, repeat, tests);
    const why = "switched off, or not known for this language";
    return { second: isSame ? repeat : await run(files, noDifferences), surrounding: notMeasured(why) };
  }
  const there = repeat ?? (await run(files, differs));
  const measured = { state: "measured", kinds, tests: tests.length, dependent: [], unstable: [] } as const;
  if (hasSameResults(first, there, tests)) return { second: there, surrounding: measured };
  const second = await run(files, noDifferences);
  const before = [statusOf(first), statusOf(second)];
  const now = statusOf(there);
  const passing = tests.filter(
    (id) => now.get(id) === "passed" && before.every((status) => status.get(id) === "failed"),
  );
  if (passing.length === 0) return { second, surrounding: measured };
  const dependent = await blame(request, passing);
  const unstable = passing.filter((id) => !dependent.some((one) => one.id === id));
  return { second, surrounding: { ...measured, dependent, unstable } };
}

/** The tests that pass again with one difference that their file reads. */
async function blame(
  { changed, run }: RedElsewhere,
  passing: readonly string[],
): Promise<readonly DependentTest[]> {
  const found: DependentTest[] = [];
  const reads = readsIn(changed);
  for (const what of kinds.filter((kind) => reads.some((read) => read.what === kind))) {
    const now = statusOf(await run([...new Set(passing.map(fileOfTest))], differencesOf([what])));
    for (const id of passing) {
      const read = reads.find((one) => one.what === what && one.path === fileOfTest(id));
      if (read !== undefined && now.get(id) === "passed") found.push({ id, what, read, passes: true });
    }
  }
  return found;
}
