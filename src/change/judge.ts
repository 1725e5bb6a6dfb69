/**
 * `mettle gate` and `mettle prove`: run the gates of the protocols on two commits of any repository. The base is proved first,
 * as before a run. No run is needed, and the repository does not change.
 */
import { conclude, failed, shortList, passed, unclear } from "../gates/check.ts";
import type { Check, Verdict } from "../gates/verdict.ts";
import { fetchMissing } from "../git/partial-clone.ts";
import { changedPaths } from "../git/objects/tree.ts";
import type { EvidenceRecord } from "../evidence/record.ts";
import { AppError } from "../lib/errors.ts";
import { assertNever } from "../lib/assert-never.ts";
import type { Characterized } from "../gates/suite/characterization.ts";
import { proveBase, type BaseProof } from "../proof/base/base-proof.ts";
import { proveChange, type ChangeProof } from "../proof/change-proof.ts";
import { proveFinal } from "../proof/final-proof.ts";
import { proveGreen } from "../proof/green-proof.ts";
import { joinDrafts } from "../proof/draft.ts";
import { proveMerge } from "../proof/merge-proof.ts";
import { detectPackages } from "../proof/project/packages.ts";
import { projectAt, type Project } from "../proof/project/project.ts";
import type { GateProof, ProofRequest } from "../proof/proof.ts";
import { proveRed, type RedProof } from "../proof/red-proof.ts";
import { proveRefactor } from "../proof/refactor/refactor-proof.ts";
import { countTestsIn, isTestText } from "../source/test-marks.ts";
import { kindOf, type PathRules } from "../source/paths.ts";
import { allowNoRunner } from "../engine/start/base-first.ts";
import { hostPorts } from "../run/proof-ports.ts";
import { sealDrafts } from "../run/records.ts";
import { newId } from "../lib/ids.ts";
import type { Settings } from "../config/settings.ts";
import { bundleOfGate } from "./bundle-gate.ts";
import { readCriteria } from "./criteria.ts";
import type { GateName } from "./gate-names.ts";
import { changeNumbers } from "./numbers.ts";
import type { Numbers } from "./numbers-schema.ts";
import { withPlaces, type LocatedVerdict } from "./places.ts";
import type { OpenedRepository } from "./open-for-gate.ts";
import { withGatePlace, type GatePlace } from "./place.ts";
import { redByTrailers, revisionsOf, sidesOfMerge, type Revisions } from "./revisions.ts";
import { settingsForChange } from "./settings.ts";
import { shortCommit } from "../lib/short-commit.ts";
import { verdictExit } from "../evidence/verdict-exit.ts";

export interface ChangeRequest {
  readonly gate: GateName;
  readonly base: string;
  readonly head: string;
  readonly red: string | null;
  /** A file that names criteria. */
  readonly criteria: string | null;
  /** `prove` proves tests that pass without the change by mutants of the code that they execute. */
  readonly characterize?: boolean;
  /** Source files that do not exist yet; RED stubs them. */
  readonly planned: readonly string[];
  /** Ids of tests whose faults the caller accepts. */
  readonly accepted: readonly string[];
  readonly signal?: AbortSignal;
  readonly progress?: (what: string) => void;
  /** Write the evidence as a bundle, too. */
  readonly bundle?: boolean;
  /** For a replay: the settings and criteria of a bundle. */
  readonly given?: GivenInputs;
}

export interface GivenInputs {
  readonly settings: Settings;
  readonly criteria: readonly string[] | null;
  /** Whether mutants had to prove tests of existing behaviour. */
  readonly hasCharacterized: boolean;
}

export interface ChangeVerdict {
  readonly gate: GateName;
  readonly revisions: Revisions;
  /** The settings that judged it. */
  readonly settings: Settings;
  /** The tree of head. */
  readonly tree: string;
  readonly verdict: LocatedVerdict;
  /** Ids of the required tests. */
  readonly required: readonly string[];
  /** Ids of the tests that ran. */
  readonly observed: readonly string[];
  readonly numbers: Numbers;
  /** Tests of existing behaviour that were to be proved by mutants; null if none were. */
  readonly characterized: Characterized | null;
  readonly isCharacterizing: boolean;
  /** Only for `mettle prove`: neither source nor tests changed. */
  readonly isEmpty: boolean;
  /** Results of the base's tests; null if it has none. */
  readonly standing: BaseProof["usable"];
  /** The records of the runs, then the gate's own. */
  readonly records: readonly EvidenceRecord[];
  readonly fault: AppError | null;
  /** The text of the bundle file, if it was requested. */
  readonly bundle: string | null;
}

export async function judgeChange(opened: OpenedRepository, change: ChangeRequest): Promise<ChangeVerdict> {
  const inputs = await readInputs(opened, change);
  return withGatePlace(opened, (place) => judgeInputs(place, change, inputs));
}

interface ChangeInputs {
  readonly revisions: Revisions;
  readonly criteria: readonly string[] | null;
  readonly settings: Awaited<ReturnType<typeof settingsForChange>>;
  readonly sides: Awaited<ReturnType<typeof sidesOfMerge>> | null;
}

/** Reads and checks all input before any test runs. */
async function readInputs(
  { repository, cwd }: OpenedRepository,
  change: ChangeRequest,
): Promise<ChangeInputs> {
  const named = await revisionsOf(repository, change);
  const needsRed = (change.gate === "green" || change.gate === "final") && named.red === null;
  const revisions = needsRed ? { ...named, red: await redByTrailers(repository, named) } : named;
  const sides = change.gate === "merge" ? await sidesOfMerge(repository, revisions.head) : null;
  // Only a partial clone lacks objects.
  for (const commit of [revisions.base, revisions.head, revisions.red])
    if (commit !== null) await fetchMissing(repository, commit);
  const [base, head] = [
    await projectAt(repository, revisions.base),
    await projectAt(repository, revisions.head),
  ];
  const settings = change.given?.settings ?? (await settingsForChange(repository, { base, head }));
  // The runner of any language alone knows what its tests are.
  const isAny = [settings.runner, ...Object.values(settings.packages ?? {})].includes("junit");
  if (!isAny && !(await holdsTests(head, settings.paths)) && !(await holdsTests(base, settings.paths)))
    throw new AppError("no_tests", "neither base nor head contains a test, so nothing can be proved", {
      hint: "add a first test; if your tests have other names, set their folder as `paths.tests` in mettle.yaml",
    });
  const criteria =
    change.given === undefined ? await readCriteria(cwd, change.criteria) : change.given.criteria;
  return { revisions, settings, sides, criteria };
}

/** Reads likely test files first; a configuration may keep tests elsewhere. */
async function holdsTests(project: Project, rules: PathRules): Promise<boolean> {
  const paths = [...project.files.keys()].filter(isTestText);
  const isTest = (path: string) => kindOf(path, rules) === "test";
  for (const some of [paths.filter(isTest), paths.filter((path) => !isTest(path))]) {
    const texts = await project.texts(some);
    if ([...texts].some(([path, text]) => countTestsIn({ path, text }) > 0)) return true;
  }
  return false;
}

async function judgeInputs(
  place: GatePlace,
  change: ChangeRequest,
  inputs: ChangeInputs,
): Promise<ChangeVerdict> {
  const { settings, revisions } = inputs;
  const { signal, progress } = change;
  const { repository, cache } = place;
  const usual = hostPorts(place, { settings, signal, progress });
  // Mutants decide only about tests of existing behaviour.
  const isReplay = change.given !== undefined && !change.given.hasCharacterized;
  const ports = isReplay
    ? { ...usual, controls: { ...usual.controls, mutation: { budget: 0 as const } } }
    : usual;
  const { base, head } = revisions;
  // The first tests of a project may add the test runner.
  const packages = await detectPackages({ repository, commit: base, settings }).catch(async (error) => {
    await detectPackages({ repository, commit: head, settings });
    return allowNoRunner(error);
  });
  const { usable: standing, drafts: baseDrafts } = await proveBase({
    ports,
    cache,
    settings,
    base,
    packages,
  });
  const request = { ports, cache, settings, base, head };
  const proof = await proofOf(request, change, inputs);
  const drafts = joinDrafts(baseDrafts, proof.drafts);
  const sealed = await sealDrafts({
    drafts,
    view: { run: `gate-${newId()}`, records: [], commands: {} },
    key: change.gate,
    ports: place,
  });
  const project = await projectAt(repository, head);
  return {
    gate: change.gate,
    revisions,
    settings,
    tree: project.tree,
    verdict: await withPlaces(proof.verdict, project),
    required: proof.required,
    observed: [...new Set(proof.tests.map(({ id }) => id))],
    numbers: await changeNumbers(request, proof.drafts.at(-1)?.controls ?? {}),
    characterized: proof.characterized ?? null,
    isCharacterizing: change.characterize === true,
    isEmpty: proof.isEmpty === true,
    standing,
    records: sealed.map(({ record }) => record),
    fault: proof.fault,
    bundle: change.bundle === true ? await bundleOfGate({ place, change, inputs, sealed }) : null,
  };
}

async function proofOf(
  request: ProofRequest,
  change: ChangeRequest,
  inputs: ChangeInputs,
): Promise<ChangeProof> {
  const { accepted } = change;
  const { criteria, sides } = inputs;
  switch (change.gate) {
    case "prove":
      return proveChange({ ...request, criteria, accepted, characterize: change.characterize === true });
    case "red":
      return proveRedCommit(request, { change, inputs, planned: change.planned });
    case "green":
    case "final":
      return afterRed(request, change, inputs);
    case "refactor":
      return proveRefactor({ ...request, accepted });
    case "merge": {
      if (sides === null) throw new TypeError("a merge has two sides");
      const { ours, theirs, common } = sides;
      const proof = await proveMerge({ ...request, base: common, ours, theirs, merged: request.head });
      if (proof === null)
        throw new AppError("runner_not_found", "the merge has no test runner", {
          hint: "`mettle doctor` says which runners are known and what each needs",
        });
      return { ...proof, required: proof.drafts.at(-1)?.required ?? [] };
    }
    default:
      return assertNever(change.gate);
  }
}

function acceptCommand(gate: GateName): string {
  return `mettle gate ${gate} … --accept-test ID`;
}

interface RedOptions {
  readonly change: ChangeRequest;
  readonly inputs: ChangeInputs;
  readonly planned: readonly string[];
}

function proveRedCommit(request: ProofRequest, { change, inputs, planned }: RedOptions): Promise<RedProof> {
  return proveRed({
    ...request,
    criteria: inputs.criteria,
    plan: {},
    planned,
    mayChange: change.planned,
    ...(planned.length === 0 ? { unit: "source" as const } : {}),
    accepted: change.accepted,
    accepting: acceptCommand(change.gate),
    missingFileHint:
      'commit the module with functions that throw "not implemented", or name it: --planned FILE',
  });
}

/** Executes RED again to learn which tests it requires: there is no journal. */
async function afterRed(
  request: ProofRequest,
  change: ChangeRequest,
  inputs: ChangeInputs,
): Promise<ChangeProof> {
  const { ports, settings, head } = request;
  const red = inputs.revisions.red ?? request.base;
  const later = await changedPaths(ports.repository, { from: red, to: head });
  const sources = later.map(({ path }) => path).filter((path) => kindOf(path, settings.paths) === "source");
  const planned = [...new Set([...change.planned, ...sources])];
  const first = await proveRedCommit({ ...request, head: red }, { change, inputs, planned });
  const { required } = first;
  const own = checkOfRed(first.verdict, { base: request.base, red });
  const inner =
    change.gate === "final"
      ? await proveFinal({ ...request, required, approved: head })
      : await proveGreen({
          ...request,
          red,
          required,
          frozen: first.frozen,
          criteria: inputs.criteria,
          previous: null,
          oneFilePerIteration: false,
          accepted: change.accepted,
          accepting: acceptCommand(change.gate),
        });
  const verdict = conclude({
    checks: [own, ...inner.verdict.checks],
    findings: inner.verdict.findings.filter(({ code }) => code !== "files_changed"),
  });
  return {
    ...inner,
    verdict,
    required,
    drafts: joinDrafts(first.drafts, withVerdict(inner.drafts, verdict)),
    fault: first.fault ?? inner.fault,
  };
}

function checkOfRed(verdict: Verdict, { base, red }: { readonly base: string; readonly red: string }): Check {
  const wrong = verdict.checks.filter((check) => check.verdict === verdict.verdict);
  const command = `mettle gate red --base ${shortCommit(base)} --head ${shortCommit(red)}`;
  const reason = `the RED commit ${shortCommit(red)}: ${shortList(wrong.map((check) => `${check.name}: ${check.reason}`))}; see \`${command}\``;
  switch (verdict.verdict) {
    case "pass":
      return passed("red");
    case "fail":
      return failed(
        "red",
        reason,
        wrong.flatMap(({ tests }) => tests),
      );
    case "inconclusive":
      return unclear("red", reason);
    default:
      return assertNever(verdict.verdict);
  }
}

/** Puts the verdict of the gate into its record, the last draft. */
function withVerdict(drafts: GateProof["drafts"], verdict: Verdict): GateProof["drafts"] {
  const reasons = verdict.checks
    .filter((check) => check.verdict !== "pass")
    .map(({ name, reason }) => `${name}: ${reason}`);
  const exitCode = verdictExit[verdict.verdict];
  return drafts.map((draft, at) =>
    at === drafts.length - 1 ? { ...draft, verdict: verdict.verdict, exitCode, reasons } : draft,
  );
}
