/**
 * Proves any change between two commits (PRV-10): RED is the base with head's tests, GREEN is head. The gates of the
 * protocols judge both; this file adds the checks that only a change needs.
 */
import { changesOfBehaviour } from "../gates/suite/behaviour.ts";
import {
  checkShown,
  checkUnchanged,
  findingsOf,
  halves,
  noTestChanged,
  type Half,
} from "../gates/suite/change.ts";
import { conclude } from "../gates/check.ts";
import { isProtected } from "../gates/suite/frozen.ts";
import { kindOf, sourceText } from "../source/paths.ts";
import { isScript, loadParser } from "../source/syntax.ts";
import { steadyBase } from "../gates/base/base-run-twice.ts";
import { idsWith, noTests, oldTests, type Suite } from "../gates/suite/suite.ts";
import { judgeSuite, steadyRequired, suiteFindings } from "../gates/suite/suite-checks.ts";
import { checkWeakened, testChanges, type WeakenedFacts } from "../gates/suite/weakened-tests.ts";
import type { Check, Finding } from "../gates/verdict.ts";
import {
  characterized,
  characterizedWords,
  checkCharacterized,
  type Characterization,
  type Characterized,
} from "../gates/suite/characterization.ts";
import { judgeGuards } from "../gates/suite/guards.ts";
import { mutationBudget } from "../config/controls-schema.ts";
import { characterizeTests } from "./mutation/characterize.ts";
import { changedPaths } from "../git/objects/tree.ts";
import { baselineOf } from "./base/baseline.ts";
import { composeRed } from "./composed-red.ts";
import { joinDrafts, type RecordDraft } from "./draft.ts";
import { proveGreen } from "./green-proof.ts";
import { helperFindings } from "./loaded-by-tests.ts";
import { changedTestFiles } from "./old-texts.ts";
import { prove, type GatheredFacts, type GateProof, type ProofRequest } from "./proof.ts";
import { projectAt, type Project } from "./project/project.ts";
import { protectedHashes } from "./protected.ts";
import { proveRed, type RedProof } from "./red-proof.ts";
import { runHashes } from "./setting.ts";
import { settingAt } from "./setting-at.ts";
import { baseAgain } from "./base/run-base-again.ts";
import { runWholeSuite } from "./whole-suite.ts";

export interface ChangeProofRequest extends ProofRequest {
  /** Ids of criteria that each need a test; null where criteria are not checked. */
  readonly criteria: readonly string[] | null;
  /** Ids of tests that a person accepted. */
  readonly accepted: readonly string[];
  /** Prove new tests that pass on the base by mutants of the code that they execute. */
  readonly characterize?: boolean;
}

export interface ChangeProof extends GateProof {
  /** Neither the program nor its tests changed, so there is nothing to prove. */
  readonly isEmpty?: boolean;
  /** Ids of the tests that fail without the change. */
  readonly required: readonly string[];
  /** Tests of existing behaviour, if mutants had to prove some. */
  readonly characterized?: Characterized;
}

export const acceptingInProve = "mettle prove … --accept-test ID";

export async function proveChange(given: ChangeProofRequest): Promise<ChangeProof> {
  const { ports } = given;
  const [base, head] = [
    await projectAt(ports.repository, given.base),
    await projectAt(ports.repository, given.head),
  ];
  const changed = (await changedPaths(ports.repository, { from: base.commit, to: head.commit })).map(
    ({ path }) => path,
  );
  const behaviour = await behaviourOf(given, { base, head, changed });
  const characterize = given.characterize === true || hasTestsAlone(behaviour, given);
  const request = { ...given, characterize };
  const revisions = [
    "--base",
    request.base,
    "--head",
    request.head,
    ...(characterize ? ["--characterize"] : []),
  ];
  const isEmpty = behaviour.length === 0;
  let required: readonly string[] = [];
  let found: Characterized | undefined;
  const judging = { purpose: "prove", runsOf: isEmpty ? "prove" : "green", revisions, head, ports };
  const proof = await prove(judging, async (made) => {
    if (isEmpty) return proveUnchanged(request, { base, head, changed, made });
    const gathered = await proveHalves(request, { base, head, changed, made }, behaviour);
    found = gathered.characterized;
    const apart = new Set([...(found?.proved ?? []), ...(found?.unproved ?? [])]);
    required = gathered.record.required.filter((id) => !apart.has(id));
    return gathered;
  });
  return { ...proof, isEmpty, required, ...(found === undefined ? {} : { characterized: found }) };
}

/** Tests alone can only describe existing behaviour, so mutants try them where the language has some. */
function hasTestsAlone(behaviour: readonly string[], { ports, settings }: ChangeProofRequest): boolean {
  const isTried = (path: string) =>
    kindOf(path, settings.paths) === "test" && (isScript(path) || path.endsWith(".py"));
  return behaviour.length > 0 && behaviour.every(isTried) && mutationBudget(ports.controls) > 0;
}

interface ChangeContext {
  readonly base: Project;
  readonly head: Project;
  /** Paths that differ between them. */
  readonly changed: readonly string[];
  readonly made: RecordDraft[];
}

export async function behaviourOf(
  { settings }: Pick<ChangeProofRequest, "settings">,
  { base, head, changed }: Omit<ChangeContext, "made">,
): Promise<readonly string[]> {
  const [before, after] = [await base.texts(changed), await head.texts(changed)];
  const isSameKind = (path: string) => base.files.get(path)?.mode === head.files.get(path)?.mode;
  const files = changed.map((path) => ({
    path,
    before: isSameKind(path) ? (before.get(path) ?? null) : null,
    after: after.get(path) ?? null,
  }));
  return changesOfBehaviour(files, { rules: settings.paths, parse: await loadParser() });
}

async function proveHalves(
  request: ChangeProofRequest,
  both: ChangeContext,
  behaviour: readonly string[],
): Promise<GatheredFacts & { readonly characterized?: Characterized }> {
  const { accepted, settings, ports } = request;
  const { base, head, made } = both;
  const rules = settings.paths;
  const red = await composeRed({ repository: ports.repository, rules, base, head });
  const composed = { composed: true, leavesGuards: true, accepted, accepting: acceptingInProve } as const;
  const sources = behaviour.filter((path) => kindOf(path, rules) === "source" && !isProtected(path, rules));
  const first = await proveHalfRed({ ...request, ...composed }, { red, sources });
  if (first !== null) made.push(...first.drafts);
  if (first?.fault != null) return { ...failedHalf(first), drafts: made, fault: first.fault };
  const required = first?.required ?? [];
  const passing = (request.characterize === true ? first?.passing : first?.guards) ?? [];
  let found: Characterization | undefined;
  let onBase: readonly string[] = [];
  const green = await proveGreen({
    ...request,
    ...composed,
    red,
    required,
    renamed: first?.renamed ?? new Map(),
    frozen: null,
    previous: null,
    oneFilePerIteration: false,
    mayBeEmpty: true,
    countIn: testFilesOf(behaviour, both, request),
    extraChecks: async ({ facts, verdict, setting }) => {
      onBase = facts.baseline.report.tests.map(({ id }) => id);
      const shown = checkShown(facts.suite, { base: facts.baseline, red: first?.suite ?? facts.baseline });
      if (passing.length === 0 || verdict.verdict === "fail") return { checks: [shown] };
      found = await characterizeTests({
        setting,
        budgetMs: mutationBudget(ports.controls),
        head,
        tests: passing,
        hashes: await runHashes(setting, head, facts.frozen),
      });
      return { checks: [shown] };
    },
  });
  const drafts = joinDrafts(made, green.drafts);
  const parts: readonly Half[] = [
    first === null
      ? { name: "red", checks: [noTestChanged(behaviour)], findings: [] }
      : { name: "red", ...first.verdict },
    { name: "green", ...green.verdict },
  ];
  const result = found ?? { state: "not measured", why: "GREEN does not pass" };
  const ids = [...(first?.suite ?? noTests).report.tests, ...green.tests].map(({ id }) => id);
  const weakened = await weakenedCheck(request, both, { ids, failingOnBase: required, onBase });
  const judged = passing.length === 0 ? null : judgePassing(request, result, passing);
  return {
    ...(passing.length === 0 ? {} : { characterized: characterized(result, passing) }),
    verdict: conclude({
      checks: [...halves(parts), weakened, ...(judged === null ? [] : [judged.check])],
      findings: [
        ...findingsOf(parts),
        ...(judged?.findings ?? []),
        ...setupChanged(behaviour, request),
        ...(await helperFindings({ repository: ports.repository, project: base, rules }, behaviour)),
      ],
    }),
    record: {
      required,
      controls: {
        ...first?.drafts.at(-1)?.controls,
        ...green.drafts.at(-1)?.controls,
        ...(passing.length === 0 ? {} : { characterized: characterizedWords(result, passing) }),
      },
      hashes: green.drafts.at(-1)?.hashes ?? { protected: null, config: null, lockfile: null },
    },
    drafts,
    ...(green.fault === null ? {} : { fault: green.fault }),
  };
}

/** The caller asks for a proof of all tests that pass already; without that, only guards are tried, and time does not decide. */
function judgePassing(
  { characterize = false }: ChangeProofRequest,
  found: Characterization,
  tests: readonly string[],
): ReturnType<typeof judgeGuards> {
  return characterize ? { check: checkCharacterized(found, tests), findings: [] } : judgeGuards(found, tests);
}

/** Files that decide how tests run come from head in both halves, so a person must review them. */
function setupChanged(
  behaviour: readonly string[],
  { settings: { paths } }: ChangeProofRequest,
): readonly Finding[] {
  const found = behaviour.filter((path) => kindOf(path, paths) !== "test" && isProtected(path, paths));
  return found
    .filter((path) => kindOf(path, paths) !== "fixture")
    .map((path) => ({
      code: "setup_changed",
      severity: "finding",
      message: `the change touches ${path}, which can affect how tests run: review it`,
      path,
    }));
}

function failedHalf({ verdict }: RedProof): Pick<GatheredFacts, "verdict" | "record"> {
  const parts = [{ name: "red", ...verdict } as const];
  return {
    verdict: conclude({ checks: halves(parts), findings: findingsOf(parts) }),
    record: { required: [], controls: {}, hashes: { protected: null, config: null, lockfile: null } },
  };
}

interface ComposedRed {
  /** The composed commit. */
  readonly red: string;
  readonly sources: readonly string[];
}

/** Null where the change has no test: the base is judged already. */
async function proveHalfRed(
  request: ChangeProofRequest & { readonly composed: true; readonly accepting: string },
  { red, sources }: ComposedRed,
): Promise<RedProof | null> {
  const { ports, base } = request;
  const { paths } = request.settings;
  const changed = (await changedPaths(ports.repository, { from: base, to: red })).map(({ path }) => path);
  // Source files of the composed commit that contain inline tests count as tests.
  if (!changed.some((path) => kindOf(path, paths) !== "other" || path.endsWith(".rs"))) return null;
  return proveRed({
    ...request,
    head: red,
    plan: {},
    planned: sources,
    missingFileHint: `new source files of the change are stubbed there; what is not source (${sourceText(paths)}) is not`,
  });
}

/** Changed test files that exist at head, and changed source files with inline tests. */
function testFilesOf(
  behaviour: readonly string[],
  { head }: ChangeContext,
  { settings: { paths } }: ChangeProofRequest,
): readonly string[] {
  return behaviour.filter(
    (path) => head.files.has(path) && (kindOf(path, paths) === "test" || path.endsWith(".rs")),
  );
}

async function weakenedCheck(
  { settings, accepted }: ChangeProofRequest,
  { base, head, changed }: ChangeContext,
  tests: Pick<WeakenedFacts, "ids" | "failingOnBase" | "onBase">,
): Promise<Check> {
  const files = await changedTestFiles({ base, rules: settings.paths }, head, changed);
  return checkWeakened({
    changes: testChanges(files),
    ...tests,
    ids: [...new Set(tests.ids)],
    accepted,
    accepting: acceptingInProve,
  });
}

/** Checks that the suite has the same results as on the base and is green. */
async function proveUnchanged(
  request: ChangeProofRequest,
  { base, head, made }: ChangeContext,
): Promise<GatheredFacts> {
  const { ports, settings } = request;
  const setting = await settingAt({ ...request, base, at: head });
  const baseline = await baselineOf(setting);
  made.push(...baseline.drafts);
  const hashes = await runHashes(
    setting,
    head,
    await protectedHashes(ports.repository, head, settings.paths),
  );
  const required = idsWith(baseline.suite, "passed");
  const again = baseAgain(setting, made);
  const runs = await runWholeSuite({
    setting,
    head,
    hashes,
    required,
    gate: "prove",
    baseline: () => baseline.suite,
    baseAgain: again,
    made,
  });
  const unchanged = (before: Suite) => checkUnchanged(before, runs.confirm ?? runs.suite);
  const ranAgain = runs.baseline.wavering !== undefined || oldTests(runs).lost.length > 0;
  const isSteady = ranAgain || unchanged(runs.baseline).verdict !== "fail";
  const steady = isSteady ? runs.baseline : steadyBase(baseline.suite, await again());
  const facts = { ...runs, baseline: steady, required, redHasResult: false };
  return {
    verdict: conclude({
      checks: [...judgeSuite(facts), unchanged(steady)],
      findings: suiteFindings(facts),
    }),
    record: { required: steadyRequired(facts), controls: {}, hashes: hashes.gate },
    drafts: made,
  };
}
