/** Runs the tests on one mutant after the other, several at a time, each in a checkout of its own, until the budget ends. */
import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileOfTest } from "../../evidence/test-ids.ts";
import { typeErrorsIn } from "../../evidence/type-errors.ts";
import type { Suite } from "../../gates/suite/suite.ts";
import type { TreeFile } from "../../git/objects/tree.ts";
import { systemClock } from "../../lib/clock.ts";
import { mutatedText, type Mutant } from "../../source/mutants/mutant.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { prepareAgain } from "../execute/prepare.ts";
import { isConfined } from "../execute/start-program.ts";
import type { ProofSetting } from "../proof-package.ts";
import { inCheckout, type SuiteRun } from "../setting.ts";

/** A mutant with the tests that execute it. */
export interface Candidate {
  readonly mutant: Mutant;
  /** The file without the mutant. */
  readonly text: string;
  /** Test files in the order of their runs; each list is one run. */
  readonly runs: readonly (readonly string[])[];
  /** Whether it runs while modules load, when no test runs yet. */
  readonly isLoaded?: boolean;
}

/** `killed`: some test noticed it; null: no result. */
export type MutantState = "killed" | "survived" | null;

export interface MutantResult {
  readonly state: MutantState;
  /** Ids of the tests that failed by it. */
  readonly by: readonly string[];
}

export interface MutantRuns {
  readonly setting: ProofSetting;
  readonly tree: readonly TreeFile[];
  readonly candidates: readonly Candidate[];
  /** Ids of the tests that pass without a mutant. */
  readonly passed: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** Whether tests may use ports or files of the machine: only one run at a time, unless a sandbox keeps them apart. */
  readonly isShared: boolean;
  /** Longest time of a run, in milliseconds: a mutant may never end. */
  readonly limitMs: number;
  /** Whether a mutant still has to be tried; default all. */
  isWanted?(index: number): boolean;
  /** Receives each result with the index of its mutant. */
  onResult?(result: MutantResult, index: number): void;
  run(setting: ProofSetting, checkout: Checkout, tests: readonly string[]): Promise<SuiteRun>;
}

/** Results in the order of the candidates; those after the deadline have none. */
export async function runMutants(request: MutantRuns): Promise<readonly MutantResult[]> {
  const { setting, tree, candidates, deadline } = request;
  const results: MutantResult[] = candidates.map(() => nothing);
  let next = 0;
  const work = (): Promise<void> =>
    inCheckout(setting, { files: tree }, async (checkout) => {
      while (next < candidates.length && systemClock.now() < deadline) {
        const index = next++;
        const candidate = candidates[index];
        if (candidate === undefined || request.isWanted?.(index) === false) continue;
        const result = await tryMutant(request, candidate, checkout);
        results[index] = result;
        request.onResult?.(result, index);
      }
    });
  if (candidates.length === 0) return [];
  // Tests that share a port or file would fail beside each other, which is no fault that a mutant makes.
  const isApart = !request.isShared || (await isConfined(setting.ports));
  const workers = isApart
    ? Math.min(maxWorkers, availableParallelism(), Math.ceil(candidates.length / 2))
    : 1;
  await Promise.all(Array.from({ length: workers }, work));
  return results;
}

const maxWorkers = 4;
const nothing: MutantResult = { state: null, by: [] };

async function tryMutant(
  { setting, passed, deadline, limitMs, run }: MutantRuns,
  { mutant, text, runs }: Candidate,
  checkout: Checkout,
): Promise<MutantResult> {
  const file = join(checkout.path, mutant.path);
  const { ports } = setting;
  const timeoutMs = Math.min(ports.timeoutMs, limitMs);
  const bounded = withSignal({ ...setting, ports: { ...ports, timeoutMs } }, deadline);
  await writeFile(file, mutatedText(text, mutant));
  if (isPrepared(setting)) prepareAgain(checkout);
  try {
    for (const tests of runs) {
      const { suite } = await run(bounded, checkout, tests);
      if (bounded.ports.signal?.aborted === true) return nothing;
      const result = resultOf(suite, tests, passed);
      if (result.state !== "survived") return result;
    }
    return { state: "survived", by: [] };
  } finally {
    await writeFile(file, text);
  }
}

/** Ends its programs at the deadline, in milliseconds since the epoch. */
export function withSignal(setting: ProofSetting, deadline: number): ProofSetting {
  const { ports } = setting;
  const ended = AbortSignal.timeout(Math.max(1, deadline - systemClock.now()));
  const signal = ports.signal === undefined ? ended : AbortSignal.any([ports.signal, ended]);
  return { ...setting, ports: { ...ports, signal } };
}

/** Built files have to be built again from the mutant. */
export function isPrepared({ ports: { tests } }: ProofSetting): boolean {
  const all = [tests?.prepare, ...Object.values(tests?.packages ?? {}).map(({ prepare }) => prepare)];
  return all.some((commands) => (commands ?? []).length > 0);
}

export function resultOf(suite: Suite, tests: readonly string[], passed: ReadonlySet<string>): MutantResult {
  if (suite.environment !== null) return nothing;
  const { report, timedOut } = suite;
  // A mutant that does not compile is none.
  if (report.loadErrors.some(({ message }) => typeErrorsIn(message).length > 0)) return nothing;
  const well = new Set(report.tests.flatMap(({ id, status }) => (status === "passed" ? [id] : [])));
  const lost = [...passed].filter((id) => tests.includes(fileOfTest(id)) && !well.has(id));
  const failed = new Set(
    report.tests.flatMap(({ id, status }) => (status === "failed" || status === "pending" ? [id] : [])),
  );
  return lost.length > 0 || timedOut || !report.report
    ? { state: "killed", by: timedOut || !report.report ? [] : lost.filter((id) => failed.has(id)) }
    : { state: "survived", by: [] };
}
