/**
 * Runs the tests as RED froze them with head's source. The checkout takes nothing else from the commit, so edited tests,
 * configurations and vendored runners have no effect, even before they are refused.
 */
import { changedPaths, type TreeFile } from "../git/objects/tree.ts";
import { isProtected, type Hashes } from "../gates/suite/frozen.ts";
import type { GreenFacts } from "../gates/suite/green.ts";
import type { OldText } from "../gates/red/red-facts.ts";
import { kindOf } from "../source/paths.ts";
import {
  hasResult,
  idsWith,
  judge,
  oldTests,
  regressions,
  withoutPreExisting,
  type Suite,
} from "../gates/suite/suite.ts";
import { notMeasured, type CopyResults } from "./canary/copy-results.ts";
import { runControls } from "./canary/run-controls.ts";
import { mutationBudget } from "../config/controls-schema.ts";
import { measureMutants } from "./mutation/measure-mutants.ts";
import type { Checkout } from "./checkout/checkout.ts";
import { unexecutedText } from "./coverage.ts";
import type { RecordDraft } from "./draft.ts";
import { listTests } from "./execute/list-tests.ts";
import { runOldTexts } from "./old-texts.ts";
import { compose, type Project } from "./project/project.ts";
import type { ProofSetting } from "./proof-package.ts";
import { steadied, type BaseAgain } from "./base/run-base-again.ts";
import {
  confirmRun,
  inCheckout,
  runHashes,
  runTests,
  type RunHashes,
  type SuiteRequest,
  type SuiteRun,
} from "./setting.ts";
import { writeStubs } from "./stubs.ts";
import { runElsewhere } from "./surrounding/run-elsewhere.ts";
import { takeSnapshots, withSnapshots } from "./snapshots/take-snapshots.ts";
import type { TakenSnapshot } from "../gates/suite/taken-snapshots.ts";
import type { Surrounding } from "../gates/suite/surrounding-result.ts";

export interface FrozenRun {
  readonly setting: ProofSetting;
  readonly red: Project;
  readonly head: Project;
  readonly required: readonly string[];
  /** Hashes of the protected files as RED froze them. */
  readonly protected: Hashes;
  readonly baseline: Suite;
  readonly baseAgain: BaseAgain;
  /** Ids of old tests that a person accepted as changed. */
  readonly accepted?: readonly string[] | undefined;
  /** RED was composed: the whole of head is used, whose tests are those of RED. */
  readonly composed?: boolean;
  /** The only test files whose execution counts for the changed lines; default all. */
  readonly countIn?: readonly string[] | undefined;
  /** Changed source files that exist at head. */
  readonly changed: readonly string[];
  /** Whether to try mutants of them. */
  readonly mutates?: boolean;
  /** Receives the record of each run. */
  readonly made: RecordDraft[];
}

type FrozenResult = Pick<
  GreenFacts,
  "suite" | "baseline" | "confirm" | "controls" | "mutation" | "executedBy" | "redHasResult" | "oldText"
> & { readonly taken: readonly TakenSnapshot[] };

export async function runFrozen(frozen: FrozenRun): Promise<FrozenResult> {
  const { setting, red, head, required, changed, countIn } = frozen;
  const { rules } = setting;
  const code = compose(
    red,
    head,
    (path) =>
      frozen.composed === true ||
      (kindOf(path, rules) === "source" && !isProtected(path, rules) && !(path in frozen.protected)),
  );
  const hashes = await runHashes(setting, red, frozen.protected);
  const taken = await takeSnapshots({
    setting,
    red,
    tree: code,
    required,
    run: (own, checkout, files) =>
      runner(
        { ...frozen, setting: own },
        { checkout, of: head, hashes },
      )({ purpose: "green.snapshots", files }),
  });
  const tree = await withSnapshots(setting.ports.repository, code, taken);
  const ran = await inCheckout(setting, { files: tree }, async (checkout) => {
    const { files, doubt } = await listTests(
      setting,
      { project: red, checkout, purpose: "green.tests" },
      frozen.made,
    );
    const run = runner(frozen, { checkout, of: head, hashes, doubt });
    const first = await run({ purpose: "green.tests", files, required, count: countIn === undefined });
    const again = () => run({ purpose: "green.confirm", files, required });
    const confirm = await confirmRun(first, regressions(first.suite, frozen.baseline), again);
    const given = { suite: first.suite, confirm: confirm?.suite ?? null, baseline: frozen.baseline };
    const twice = await steadied(given, frozen.baseAgain, again);
    const { lost } = oldTests(twice);
    const why = whyNoControls(first, required);
    const wrongRun = (where: Checkout, wrong: readonly string[]) =>
      runner(frozen, { checkout: where, of: head, hashes })({ purpose: "green.canary", files: wrong });
    const controls =
      why === null
        ? await runControls({ setting, checkout, tree, required, run: wrongRun })
        : notMeasured(why);
    const surrounding: Surrounding =
      why === null
        ? await runElsewhere({
            setting,
            checkout,
            tree,
            required,
            changed: await head.texts(changed),
            run: (where, own, other) =>
              runner(frozen, { checkout: where, of: head, hashes })({
                purpose: "green.surrounding",
                files: own,
                ...other,
              }),
          })
        : { state: "not measured", why };
    const counting = countIn === undefined ? null : files.filter((file) => countIn.includes(file));
    const counted =
      counting === null || counting.length === 0
        ? first
        : await run({ purpose: "green.counts", files: counting, count: true });
    const place = { folders: counted.runs.map(({ counts }) => counts), root: checkout.path };
    const coverage =
      counting?.length === 0
        ? "not measured (no test file changed)"
        : await unexecutedText({ ...place, before: red, after: head, changed });
    const isGreen = why === null && lost.length === 0 && hasPassed(controls);
    const { mutation, executedBy } =
      isGreen && frozen.mutates === true
        ? await measureMutants({
            setting,
            budgetMs: mutationBudget(setting.ports.controls),
            tree,
            before: red,
            head,
            changed,
            tests: files,
            required,
            passed: idsWith(first.suite, "passed"),
            suiteMs: tookMs(first),
            protected: frozen.protected,
            hashes,
          })
        : skipped(isGreen ? "this gate tries none" : (why ?? "the tests do not pass"));
    const redHasResult =
      !judge(first.suite, required).earlyExit || (await redHasReport(frozen, { files, hashes }));
    return {
      ...twice,
      controls: { ...controls, surrounding, coverage },
      mutation,
      executedBy,
      redHasResult,
    };
  });
  return { ...ran, taken, oldText: await oldTextOf(frozen, tree) };
}

/** Old tests must pass on the source with their original text, whatever RED made of them. */
async function oldTextOf(frozen: FrozenRun, tree: readonly TreeFile[]): Promise<OldText | null> {
  const { setting, red, head, accepted, made } = frozen;
  const { base, ports } = setting;
  const since = await changedPaths(ports.repository, { from: base.commit, to: red.commit });
  const changed = since.map(({ path }) => path);
  return runOldTexts({ setting, tree, of: head, changed, purpose: "green.old", accepted, made });
}

interface RunContext {
  readonly checkout: Checkout;
  readonly of: Project;
  readonly hashes: RunHashes;
  readonly doubt?: string | null;
}

function runner({ setting, made }: FrozenRun, where: RunContext) {
  return (
    what: Pick<SuiteRequest, "purpose" | "files" | "required" | "count" | "differs" | "shuffle">,
  ): Promise<SuiteRun> => runTests(setting, { ...where, ...what }, made);
}

/**
 * Whether the same run gives a report on the RED commit now; if not, the machine is at fault (CORE-13, CORE-14). Stubs
 * replace missing modules, so that the tests can load.
 */
function redHasReport(
  frozen: FrozenRun,
  { files, hashes }: { readonly files: readonly string[]; readonly hashes: RunHashes },
): Promise<boolean> {
  const { setting, red, baseline, changed } = frozen;
  const { rules, packages } = setting;
  const tree = { files: [...red.files.values()] };
  return inCheckout(setting, tree, async (checkout) => {
    await writeStubs({ checkout, head: red, rules, packages, changed: files, planned: changed });
    const { suite } = await runner(frozen, { checkout, of: red, hashes })({
      purpose: "green.control",
      files,
    });
    return hasResult(suite) && !judge(withoutPreExisting(suite, baseline).suite, []).earlyExit;
  });
}

/** A longer run is not repeated for a control. */
const longestMs = 60_000;

function whyNoControls({ runs, suite }: SuiteRun, required: readonly string[]): string | null {
  if (!suite.report.report || judge(suite, required).wrong.includes("required tests"))
    return "not every required test passed";
  return tookMs({ runs }) > longestMs ? "the tests take over a minute" : null;
}

function tookMs({ runs }: Pick<SuiteRun, "runs">): number {
  return runs.reduce((sum, { ran }) => sum + ran.ended - ran.started, 0);
}

/** Otherwise GREEN fails, and more time would tell nothing. */
function hasPassed({ canary, flip }: CopyResults): boolean {
  return canary.state !== "passed" && (flip.state !== "measured" || flip.passed.length === 0);
}

function skipped(why: string): Pick<GreenFacts, "mutation" | "executedBy"> {
  return { mutation: { state: "skipped", why }, executedBy: null };
}
