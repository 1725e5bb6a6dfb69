/**
 * Proves tests that describe existing behaviour, which pass without the change, by mutants of the code that they execute: a test
 * that notices one would notice a fault (PRV-11).
 */
import { fileOfTest } from "../../evidence/test-ids.ts";
import type { Characterization, NoticedMutant } from "../../gates/suite/characterization.ts";
import { systemClock } from "../../lib/clock.ts";
import { marksOf, type MutableFile } from "../../source/mutants/mutant.ts";
import type { Project } from "../project/project.ts";
import type { ProofSetting } from "../proof-package.ts";
import { inCheckout, runTests, type RunHashes } from "../setting.ts";
import { executedSources } from "./executed-sources.ts";
import { withoutRecords } from "./measure-parts.ts";
import { mutableFiles } from "./mutable-files.ts";
import { mayExecute, type Execution } from "./notes.ts";
import { inTurns } from "./order-mutants.ts";
import { probeTests } from "./probe.ts";
import { runMutants, withSignal, type Candidate } from "./run-mutants.ts";

export interface CharacterizeRequest {
  readonly setting: ProofSetting;
  readonly budgetMs: number;
  readonly head: Project;
  /** Ids of the tests. */
  readonly tests: readonly string[];
  readonly hashes: RunHashes;
}

export async function characterizeTests(request: CharacterizeRequest): Promise<Characterization> {
  const { setting, budgetMs, head, tests } = request;
  if (budgetMs === 0) return { state: "not measured", why: "mutants are switched off in the settings" };
  const deadline = systemClock.now() + budgetMs;
  setting.ports.progress?.("looking for faults that the tests of existing behaviour notice");
  const bounded = withSignal(withoutRecords(setting), deadline);
  const files = [...new Set(tests.map(fileOfTest))];
  const tree = [...head.files.values()];
  const look = await inCheckout(bounded, { files: tree }, async (checkout) => {
    const sources = await mutableFiles(bounded, checkout, await executedSources(head, files, setting.rules));
    const run = (where: typeof checkout, some: readonly string[]) => runOn(request, bounded, where, some);
    const probe = await probeTests({ setting: bounded, checkout, files: sources, tests: files, run });
    return { sources, probe };
  });
  const { notes, passed, tookMs } = look.probe;
  if (notes === null || !tests.every((id) => passed.has(id)))
    return { state: "not measured", why: "the tests do not pass while Mettle notes what they execute" };
  const all = inTurns(triesOf(look.sources, notes, tests));
  const noticed = new Map<string, NoticedMutant>();
  const isWanted = ({ ids }: Try) => ids.some((id) => !noticed.has(id));
  const tried = new Map<string, number>();
  const results = await runMutants({
    setting: withoutRecords(setting),
    tree,
    candidates: all,
    passed,
    deadline,
    isShared: true,
    limitMs: Math.max(5_000, 4 * tookMs),
    isWanted: (index) => all.slice(index, index + 1).some(isWanted),
    onResult: ({ by, state }, index) => {
      const one = all[index];
      if (state === null || one === undefined) return;
      const { mutant, ids } = one;
      for (const id of ids) tried.set(id, (tried.get(id) ?? 0) + 1);
      for (const id of by) if (ids.includes(id) && !noticed.has(id)) noticed.set(id, mutant);
    },
    run: (own, where, some) => runOn(request, own, where, some),
  });
  const open = all.filter((one, index) => results[index]?.state == null && isWanted(one));
  const others = tests.filter((id) => !noticed.has(id));
  return {
    state: "measured",
    noticed,
    powerless: others
      .filter((id) => open.every(({ ids }) => !ids.includes(id)))
      .map((id) => ({ id, tried: tried.get(id) ?? 0 })),
    open: others.filter((id) => open.some(({ ids }) => ids.includes(id))),
    budgetMs,
  };
}

/** A mutant with the tests that execute it. */
interface Try extends Candidate {
  readonly ids: readonly string[];
}

function triesOf(
  files: readonly MutableFile[],
  notes: ReadonlyMap<number, Execution>,
  tests: readonly string[],
): readonly Try[] {
  let first = 0;
  return files.flatMap((file) => {
    const start = first;
    first += file.marks.length;
    return file.mutants.flatMap((mutant): readonly Try[] => {
      const executions = marksOf(file, mutant).flatMap((index) => notes.get(start + index) ?? []);
      const ids = tests.filter((id) => executions.some((one) => mayExecute(one, id)));
      return ids.length === 0
        ? []
        : [{ mutant, text: file.text, ids, runs: [[...new Set(ids.map(fileOfTest))]] }];
    });
  });
}

function runOn(
  { head, hashes }: CharacterizeRequest,
  setting: ProofSetting,
  checkout: Parameters<typeof runTests>[1]["checkout"],
  files: readonly string[],
) {
  return runTests(setting, { checkout, files, purpose: "green.mutants", of: head, hashes }, []);
}
