/** The runs of RED in one checkout: new and old tests, a repetition, and a run in which the unit throws its marker. */
import { reportsMarker } from "../evidence/classify.ts";
import { fileOfTest } from "../evidence/test-ids.ts";
import type { Hashes } from "../gates/suite/frozen.ts";
import { isOfTests, kindOf } from "../source/paths.ts";
import { lacksInHelper } from "../gates/red/own-mistake.ts";
import { newTests, type RedFacts } from "../gates/red/red-facts.ts";
import { isDoubtful, unknownUnit, type Unit } from "../gates/red/red-reason.ts";
import type { Stub } from "../source/stubs/script.ts";
import { noTests, regressions, type Suite } from "../gates/suite/suite.ts";
import { symlinkMode } from "../git/objects/tree.ts";
import { baselineOf, type Baseline } from "./base/baseline.ts";
import type { RecordDraft } from "./draft.ts";
import { listTests } from "./execute/list-tests.ts";
import { compose, type Project } from "./project/project.ts";
import { prepareAgain } from "./execute/prepare.ts";
import { notMeasured, runNullStubs } from "./new-tests/null-stubs.ts";
import { reachedBy } from "./reach.ts";
import type { ProofSetting } from "./proof-package.ts";
import { differencesOfRed, repeatElsewhere } from "./surrounding/red-elsewhere.ts";
import { notMeasured as noSurrounding } from "./surrounding/reads-in.ts";
import { noDifferences } from "./surrounding/differences.ts";
import { baseAgain, steadied } from "./base/run-base-again.ts";
import { confirmRun, inCheckout, runHashes, runTests, type SuiteRun } from "./setting.ts";
import { emptyUncompiled } from "./empty-tests.ts";
import { newId } from "../lib/ids.ts";
import type { CompileError } from "../evidence/test-result.ts";
import { runLate } from "./new-tests/late-unit.ts";
import { writeStubs } from "./stubs.ts";
import { withOriginalLines, withoutTypes } from "./untyped-tests.ts";
import { withoutNewTests, unlistedTests } from "./unlisted-tests.ts";

export interface RedRunsRequest {
  readonly setting: ProofSetting;
  readonly head: Project;
  /** Paths changed between base and head. */
  readonly changed: readonly string[];
  /** Paths that may be stubbed when they, or names in them, are missing. */
  readonly planned: readonly string[];
  /** Source files of the unit under test. */
  readonly unit: readonly string[];
  readonly inline: Unit["inline"];
  readonly frozen: Hashes;
  readonly baseline: Baseline;
  /** Ids of tests that a person accepted: an old one that fails counts as new. */
  readonly accepted: readonly string[] | undefined;
  /** The head is composed: all of it is used. */
  readonly composed: boolean;
  readonly made: RecordDraft[];
}

export type RedRuns = Pick<RedFacts, "baseline" | "first" | "second" | "confirm" | "unit" | "listing"> &
  Partial<Pick<RedFacts, "testCalls" | "nullStubs" | "surrounding">> & {
    readonly stubs: readonly Stub[];
  };

export async function runRed(request: RedRunsRequest): Promise<RedRuns> {
  const { setting, head, changed, planned, inline, baseline, made } = request;
  const { base, rules, packages } = setting;
  const hashes = await runHashes(setting, head, request.frozen);
  // RED is the base's source with the new tests; the checkout takes nothing else from the commit.
  const tree = compose(base, head, (path) => request.composed || isOfTests(path, rules) || inline.has(path));
  return inCheckout(setting, { files: tree }, async (checkout) => {
    const stubbing = { checkout, head, rules, packages, changed, planned };
    let { stubs, reexporting } = await writeStubs(stubbing);
    const { files, patterns, doubt } = await listTests(
      setting,
      { project: head, checkout, purpose: "red.tests" },
      made,
    );
    const unlisted = await unlistedTests({ head, files, changed, rules });
    if (files.length === 0)
      return {
        baseline: baseline.suite,
        first: noTests,
        second: null,
        confirm: null,
        unit: { ...unknownUnit, inline },
        testCalls: 0,
        listing: { patterns, unlisted },
        stubs,
      };
    const untyped = new Set<string>();
    const run = async (
      purpose: string,
      only: readonly string[],
      timeoutMs?: number,
      differs = noDifferences,
    ): Promise<SuiteRun> => {
      const shuffle = purpose === "red.repeat";
      const suite = { checkout, files: only, doubt, purpose, of: head, hashes, shuffle, differs };
      const ran = await runTests(withTimeout(setting, timeoutMs), suite, made);
      return { ...ran, suite: { ...ran.suite, report: withOriginalLines(ran.suite.report, untyped) } };
    };
    /** Build output is created from the current source. */
    const again: typeof run = (...request) => {
      prepareAgain(checkout);
      return run(...request);
    };
    let first = await run("red.tests", files);
    // A file that calls the unit while it loads has no tests to fail yet: a late stub throws when its result is used.
    if (callsWhileLoading(first.suite)) {
      ({ stubs, reexporting } = await writeStubs({ ...stubbing, late: true }));
      first = await again("red.tests", files);
    }
    const mark = `(${newId(16)})`;
    // Writing to a link would write to its target.
    const isLink = (path: string) => head.files.get(path)?.mode === symlinkMode;
    const tests = changed.filter(
      (path) => (kindOf(path, rules) === "test" || inline.has(path)) && !isLink(path),
    );
    const { report } = first.suite;
    for (const file of await withoutTypes({ path: checkout.path, tests, report })) untyped.add(file);
    if (untyped.size > 0) first = await again("red.tests", files);
    let mistake: Unit["mistake"] = null;
    for (let round = 0; round < maxRounds && uncompiled(first.suite).length > 0; round++) {
      const errors = uncompiled(first.suite);
      const emptying = { checkout, head, packages, tests, planned, stubs, errors, mark };
      const result = await emptyUncompiled(emptying);
      ({ mistake } = result);
      if (!result.isChanged || mistake !== null) break;
      first = await again("red.tests", files);
    }
    const accepted = new Set(request.accepted?.map(fileOfTest));
    const own = files.filter((path) => changed.includes(path) || accepted.has(path));
    const early = await runLate({
      checkout,
      setting,
      head,
      files: own,
      first,
      run: (only) => again("red.tests", only),
    });
    ({ first } = early);
    const unit = unitFiles(request);
    const fresh = newTests({ first: first.suite, baseline: baseline.suite });
    const repeats = early.late.length === 0 && isRepeatable(first.suite, own);
    const differs = differencesOfRed(setting);
    const stubbed = repeats
      ? await runNullStubs({
          checkout,
          setting,
          head,
          unit: [...unit, ...reexporting],
          files: own,
          tests: fresh,
          first,
          run: (only, timeoutMs) => again("red.repeat", only, timeoutMs, differs),
        })
      : notMeasured("the tests do not load");
    prepareAgain(checkout);
    const { second, surrounding } = repeats
      ? await repeatElsewhere({
          differs,
          tests: fresh,
          first: first.suite,
          repeat: stubbed.repeat,
          changed: await head.texts(own),
          run: async (only, other) => (await run("red.repeat", only, undefined, other)).suite,
        })
      : { second: stubbed.repeat, surrounding: noSurrounding("the tests do not load") };
    const lost = regressions(first.suite, baseline.suite);
    const repeat = () => run("red.confirm", files);
    const confirm = await confirmRun(first, lost, repeat);
    const compared = await comparable(request, first.suite);
    const given = { suite: first.suite, confirm: confirm?.suite ?? null, baseline: compared.suite };
    const twice = await steadied(given, baseAgain(setting, made), repeat);
    const reached = await reachedBy({
      checkout,
      unit,
      reexporting,
      doubtful: await doubtful(first.suite, request),
      run: (only) => again("red.reach", only),
    });
    return {
      baseline: twice.baseline,
      first: first.suite,
      second,
      confirm: twice.confirm,
      unit: {
        files: unit,
        reached: new Set([...reached, ...early.reached]),
        uncompiled: emptiedTests(first.suite, mark),
        mistake,
        inline,
      },
      listing: { patterns, unlisted: await withoutNewTests(unlisted, head, fresh) },
      nullStubs: stubbed.nullStubs,
      surrounding,
      stubs,
    };
  });
}

function withTimeout(setting: ProofSetting, timeoutMs = setting.ports.timeoutMs): ProofSetting {
  const { ports } = setting;
  return { ...setting, ports: { ...ports, timeoutMs: Math.min(timeoutMs, ports.timeoutMs) } };
}

/** A lost report is the tests' fault only if the base still gives its own report now (CORE-14). */
async function comparable({ setting, baseline, made }: RedRunsRequest, first: Suite): Promise<Baseline> {
  if (first.report.report || baseline.drafts.length > 0) return baseline;
  const now = await baselineOf(setting, { fresh: true });
  made.push(...now.drafts);
  return now;
}

/** Existing files of the unit that are not links, so that writes stay in the checkout. */
function unitFiles({ setting, unit, head }: RedRunsRequest): readonly string[] {
  return unit
    .map((path) => path.replace(/^\.?\//, ""))
    .filter((path) => kindOf(path, setting.rules) === "source" && head.files.get(path)?.mode !== symlinkMode);
}

async function doubtful(first: Suite, { baseline, setting, inline, changed, head }: RedRunsRequest) {
  const texts = await head.texts(changed.filter((path) => kindOf(path, setting.rules) === "test"));
  const helpers = {
    rules: setting.rules,
    text: (path: string) => texts.get(path),
    has: (path: string) => head.files.has(path),
  };
  const { rules } = setting;
  const fresh = new Set(newTests({ first, baseline: baseline.suite }));
  return first.report.tests.filter(
    (test) =>
      fresh.has(test.id) &&
      test.status === "failed" &&
      isDoubtful(test, rules, inline) &&
      !lacksInHelper(test, helpers),
  );
}

/** Emptying a test may leave unused imports and reveal errors that others hid. */
const maxRounds = 6;

function uncompiled({ report }: Suite): readonly CompileError[] {
  return report.compileErrors ?? [];
}

function emptiedTests({ report }: Suite, mark: string): Unit["uncompiled"] {
  const found = report.tests.filter(({ message }) => message.includes(mark));
  return new Map(found.map(({ id, message }) => [id, message.replace(` ${mark}`, "")]));
}

function callsWhileLoading({ report }: Suite): boolean {
  return report.loadErrors.some(({ message }) => reportsMarker(message));
}

/** A file that does not load gives the same result again. */
function isRepeatable({ report, environment }: Suite, files: readonly string[]): boolean {
  const loads = !report.loadErrors.some(({ file }) => files.includes(file));
  return report.report && environment === null && files.length > 0 && loads;
}
