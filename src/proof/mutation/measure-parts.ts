/** Tries the mutants of the files without complete results, and remembers what came of each. */
import { fileOfTest } from "../../evidence/test-ids.ts";
import type { Hashes } from "../../gates/suite/frozen.ts";
import type { TreeFile } from "../../git/objects/tree.ts";
import { systemClock } from "../../lib/clock.ts";
import { shortCode } from "../../source/flip/edit.ts";
import { marksOf, type MutableFile, type Mutant, type SourceLines } from "../../source/mutants/mutant.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { Project } from "../project/project.ts";
import type { ProofSetting } from "../proof-package.ts";
import { inCheckout, runTests, type RunHashes, type SuiteRun } from "../setting.ts";
import { remember, type KnownFile, type KnownMutant } from "./known-results.ts";
import { mutableFiles } from "./mutable-files.ts";
import { isAtLoad, mayExecute, mayRunIn, type Execution } from "./notes.ts";
import { inTurns } from "./order-mutants.ts";
import { probeTests } from "./probe.ts";
import { runTogether } from "./run-together.ts";
import { runMutants, withSignal, type Candidate } from "./run-mutants.ts";

export interface MutationRequest {
  readonly setting: ProofSetting;
  /** 0: switched off. */
  readonly budgetMs: number;
  /** The judged tree. */
  readonly tree: readonly TreeFile[];
  readonly before: Project;
  readonly head: Project;
  /** Changed source files that exist at head. */
  readonly changed: readonly string[];
  /** All test files. */
  readonly tests: readonly string[];
  /** Ids of the tests of the change. */
  readonly required: readonly string[];
  /** Ids of the tests that passed on the judged tree, and how long their run took. */
  readonly passed: readonly string[];
  readonly suiteMs: number;
  /** Hashes of tests, fixtures and configurations. */
  readonly protected: Hashes;
  readonly hashes: RunHashes;
}

/** A changed file with the results that are known of it. */
export interface Part {
  readonly source: SourceLines;
  /** Of its results in the cache. */
  readonly key: string;
  readonly known: KnownFile | null;
}

export type MeasuredPart = Part & { readonly known: KnownFile };

export async function measureParts(
  request: MutationRequest,
  parts: readonly Part[],
): Promise<readonly MeasuredPart[]> {
  const { setting, budgetMs } = request;
  const deadline = systemClock.now() + budgetMs;
  setting.ports.progress?.("looking for changed lines whose faults no test notices");
  const look = await lookAt(withDeadline(request, deadline), parts);
  const tries = look.files.flatMap((seen) => triesOf(request, look, seen));
  const open = inTurns(tries.filter(({ state }) => state === null));
  const runs = {
    setting: withoutRecords(setting),
    tree: request.tree,
    passed: look.passed,
    deadline,
    isShared: await isShared(request),
    limitMs: Math.max(minLimitMs, 4 * look.tookMs),
    run: (own: ProofSetting, checkout: Checkout, tests: readonly string[]) =>
      runOn({ ...request, setting: own }, checkout, tests),
  };
  const together = await runTogether({
    ...runs,
    files: look.files.map(({ file }) => file),
    candidates: open,
  });
  const states = new Map<Mutant, KnownMutant["state"]>();
  const left: Candidate[] = [];
  for (const one of open) {
    const state = together.get(one)?.state ?? null;
    const others = state === "survived" ? one.runs.slice(1) : one.runs;
    if (state === "killed" || (state === "survived" && others.length === 0)) states.set(one.mutant, state);
    else left.push({ ...one, runs: others });
  }
  const alone = await runMutants({ ...runs, candidates: left });
  for (const [index, { mutant }] of left.entries()) states.set(mutant, alone[index]?.state ?? null);
  const measured = parts.map((part) => measuredPart(request, part, { look, tries, states }));
  for (const { key, known } of measured) await remember(setting, key, known);
  return measured;
}

const minLimitMs = 5_000;

/** What the tests execute. */
interface Look {
  /** Duration of a run of these tests. */
  readonly tookMs: number;
  readonly files: readonly SeenFile[];
  /** Test files that ran. */
  readonly tests: readonly string[];
  /** Ids of the tests that pass without a mutant. */
  readonly passed: ReadonlySet<string>;
}

interface SeenFile {
  readonly part: Part;
  readonly file: MutableFile;
  /** For each mark; null: not executed. */
  readonly executions: readonly (Execution | null)[] | null;
}

async function lookAt(request: MutationRequest, parts: readonly Part[]): Promise<Look> {
  const { setting, tree, tests: all, required, passed, suiteMs, budgetMs } = request;
  // A long run takes the time in which mutants could be tried.
  const tests =
    suiteMs > budgetMs / 4 ? all.filter((file) => required.some((id) => fileOfTest(id) === file)) : all;
  return inCheckout(setting, { files: tree }, async (checkout) => {
    const files = await mutableFiles(
      setting,
      checkout,
      parts.map(({ source }) => source),
    );
    const own = new Set(passed.filter((id) => tests.includes(fileOfTest(id))));
    const isEmpty = files.every(({ mutants }) => mutants.length === 0);
    const probe = isEmpty
      ? null
      : await probeTests({
          setting,
          checkout,
          files,
          tests,
          run: (where, some) => runOn(request, where, some),
        });
    // Where the notes disturb a test, it is unknown what the tests execute.
    const notes = probe !== null && [...own].every((id) => probe.passed.has(id)) ? probe.notes : null;
    let first = 0;
    const seen = files.map((file): SeenFile => {
      const start = first;
      first += file.marks.length;
      const part = parts.find(({ source }) => source.path === file.path);
      if (part === undefined) throw new TypeError(`${file.path} was not asked for`);
      const executions =
        notes === null ? null : file.marks.map((_mark, index) => notes.get(start + index) ?? null);
      return { part, file, executions };
    });
    return { files: seen, tests, passed: own, tookMs: probe?.tookMs ?? suiteMs };
  });
}

interface Try extends Candidate {
  readonly was: string;
  /** Null: to be tried. */
  readonly state: KnownMutant["state"];
}

function triesOf(
  { required }: MutationRequest,
  { tests }: Look,
  { part, file, executions }: SeenFile,
): readonly Try[] {
  const key = ({ start, end, by }: Mutant) => `${start} ${end} ${by}`;
  const known = new Map(part.known?.mutants.map((mutant) => [key(mutant), mutant.state]));
  const wanted = new Set(required.map(fileOfTest));
  return file.mutants.map((mutant): Try => {
    const own = marksOf(file, mutant).map((index) => executions?.[index] ?? null);
    const isKnown = executions !== null && own.length > 0;
    const executing = tests.filter(
      (test) => !isKnown || own.some((one) => one !== null && mayRunIn(one, test)),
    );
    const runs = [
      executing.filter((test) => wanted.has(test)),
      executing.filter((test) => !wanted.has(test)),
    ];
    return {
      mutant,
      text: file.text,
      was: shortCode(file.text.slice(mutant.start, mutant.end)),
      runs: runs.filter((some) => some.length > 0),
      isLoaded: !isKnown || own.some((one) => one !== null && isAtLoad(one)),
      state: executing.length === 0 ? "unexecuted" : (known.get(key(mutant)) ?? null),
    };
  });
}

interface Tried {
  readonly look: Look;
  readonly tries: readonly Try[];
  readonly states: ReadonlyMap<Mutant, KnownMutant["state"]>;
}

function measuredPart(
  { required }: MutationRequest,
  part: Part,
  { look, tries, states }: Tried,
): MeasuredPart {
  const seen = look.files.find((one) => one.part === part);
  const own = tries.filter(({ mutant }) => mutant.path === part.source.path);
  const executions = seen?.executions ?? null;
  return {
    ...part,
    known: {
      mutants: own.map(({ mutant, was, state }) => ({
        ...mutant,
        by: mutant.by,
        was,
        state: state ?? states.get(mutant) ?? null,
      })),
      executedBy:
        executions === null || executions.length === 0
          ? null
          : required.filter((id) => executions.some((one) => one !== null && mayExecute(one, id))),
    },
  };
}

/** Ports, files and programs in the text of a test. */
const sharing =
  /\b(?:listen|createServer|port|sockets?|server|tmpdir|mk(?:dir|dtemp)|write\w*|rm\w*|unlink\w*|spawn\w*|exec\w*|fork)\b/iu;

async function isShared({ head, tests }: MutationRequest): Promise<boolean> {
  const texts = await head.texts(tests);
  return [...texts.values()].some((text) => sharing.test(text));
}

/** The runs of mutants are measurements: the gate's record tells what came of them. */
export function withoutRecords(setting: ProofSetting): ProofSetting {
  const { progress: _progress, ...ports } = setting.ports;
  return { ...setting, ports: { ...ports, payloads: { ...ports.payloads, put: async () => "" } } };
}

function withDeadline(request: MutationRequest, deadline: number): MutationRequest {
  const { setting } = request;
  return { ...request, setting: withSignal(withoutRecords(setting), deadline) };
}

function runOn(
  { setting, head, hashes }: MutationRequest,
  checkout: Checkout,
  files: readonly string[],
): Promise<SuiteRun> {
  return runTests(setting, { checkout, files, purpose: "green.mutants", of: head, hashes }, []);
}
