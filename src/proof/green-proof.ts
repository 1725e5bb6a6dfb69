/** Gathers the facts of GREEN: the changes since RED, and a run of the frozen tests on head's source. */
import { fileOfTest } from "../evidence/test-ids.ts";
import { changedPaths } from "../git/objects/tree.ts";
import { controlWords } from "../gates/suite/controls.ts";
import type { Hashes } from "../gates/suite/frozen.ts";
import { mutantsByFile, mutationWords, type Mutation } from "../gates/suite/mutation.ts";
import { judgeGreen, type GreenFacts } from "../gates/suite/green.ts";
import { lostInlineTests } from "../source/inline-tests.ts";
import { placesToReview, type ReviewPlace } from "../source/review/review-places.ts";
import { isSameForTests } from "../gates/suite/package-manifest.ts";
import { kindOf, type PathRules } from "../source/paths.ts";
import { steadyRequired } from "../gates/suite/suite-checks.ts";
import { snapshotWords, type TakenSnapshot } from "../gates/suite/taken-snapshots.ts";
import { withNewNames, type Renamed } from "../gates/suite/renamed-tests.ts";
import type { Verdict } from "../gates/verdict.ts";
import { baselineOf } from "./base/baseline.ts";
import type { RecordDraft } from "./draft.ts";
import { runFrozen } from "./frozen-run.ts";
import type { ProofPorts } from "./ports.ts";
import { prove, withExtraChecks, type GateProof, type ExtraChecks, type ProofRequest } from "./proof.ts";
import { changedLiterals } from "./neighbours/changed-literals.ts";
import { leavingLinks, projectAt, type Project } from "./project/project.ts";
import { baseAgain } from "./base/run-base-again.ts";
import { protectedHashes } from "./protected.ts";
import type { ProofSetting } from "./proof-package.ts";
import { runHashes } from "./setting.ts";
import { settingAt } from "./setting-at.ts";

export interface GreenRequest extends ProofRequest {
  /** The RED commit with the frozen tests. */
  readonly red: string;
  readonly required: readonly string[];
  /** The hashes that the journal froze; null: computed at the RED commit. */
  readonly frozen: Hashes | null;
  /** The commit of the previous attempt; null: RED itself. */
  readonly previous: string | null;
  readonly oneFilePerIteration: boolean;
  /** Frozen paths that the agent tried to change and could not. */
  readonly tried?: readonly string[] | undefined;
  readonly mayBeEmpty?: boolean;
  /** Ids of old tests that a person accepted as changed. */
  readonly accepted?: readonly string[] | undefined;
  /** The command that accepts a test; default that of a run. */
  readonly accepting?: string;
  /** RED combines the base with head's tests: any path except those may change. */
  readonly composed?: boolean;
  /** Renamed old tests. */
  readonly renamed?: Renamed;
  /** What the implementer did not see, for the record. */
  readonly holdout?: string | undefined;
  /** The only test files whose execution counts for the changed lines; default all. */
  readonly countIn?: readonly string[];
  /** Criteria that the required tests prove, and titles of the architecture's test plan. */
  readonly criteria?: readonly string[] | null;
  readonly plan?: Readonly<Record<string, readonly string[]>>;
  /** Whether to try mutants of the changed lines; default true. */
  readonly mutates?: boolean;
  readonly extraChecks?: (seen: JudgedGreen) => Promise<ExtraChecks>;
}

/** Input for additional checks, after GREEN was judged. */
export interface JudgedGreen {
  readonly verdict: Verdict;
  readonly facts: GreenFacts;
  readonly setting: ProofSetting;
  readonly head: Project;
  readonly made: RecordDraft[];
}

export async function proveGreen(request: GreenRequest): Promise<GateProof> {
  const { ports } = request;
  const head = await projectAt(ports.repository, request.head);
  const revisions = ["--base", request.base, "--red", request.red, "--head", request.head];
  return prove({ purpose: "green", revisions, head, ports }, async (made) => {
    const base = await projectAt(ports.repository, request.base);
    const red = await projectAt(ports.repository, request.red);
    const tests = request.required.map(fileOfTest);
    const touched = await pathsBetween(ports, request.base, request.head);
    const setting = await settingAt({ ...request, base, at: red, touched: [...tests, ...touched] });
    const facts = await gatherGreen({ request, setting, red, head, made });
    const { gate } = await runHashes(setting, head, facts.frozen);
    const judged = judgeGreen(facts);
    const more = await request.extraChecks?.({ verdict: judged, facts, setting, head, made });
    const mutants = facts.mutation === undefined ? {} : mutantControls(facts.mutation);
    const holdout = request.holdout === undefined ? {} : { holdout: request.holdout };
    const snapshots = snapshotWords(facts.taken ?? []);
    const controls = {
      ...controlWords(facts.controls),
      ...mutants,
      ...snapshots,
      ...holdout,
      ...more?.controls,
    };
    return {
      verdict: more === undefined ? judged : withExtraChecks(judged, more),
      record: { required: steadyRequired(facts), controls, hashes: gate },
      drafts: made,
    };
  });
}

function mutantControls(mutation: Mutation): Readonly<Record<string, string>> {
  const byFile = mutantsByFile(mutation);
  return { mutants: mutationWords(mutation), ...(byFile === null ? {} : { mutants_by_file: byFile }) };
}

interface GatherContext {
  readonly request: GreenRequest;
  readonly setting: ProofSetting;
  readonly red: Project;
  readonly head: Project;
  readonly made: RecordDraft[];
}

async function gatherGreen({ request, setting, red, head, made }: GatherContext): Promise<GreenFacts> {
  const { ports, rules } = setting;
  const { repository } = ports;
  const frozen = request.frozen ?? (await protectedHashes(repository, red, rules));
  const all = await pathsBetween(ports, red.commit, head.commit);
  const same = await unchangedForTests(all, red, head);
  const changed = all.filter((path) => !same.includes(path));
  const iteration = await pathsBetween(ports, request.previous ?? red.commit, head.commit);
  const { renamed = new Map() } = request;
  const known = await baselineOf(setting);
  const baseline = { ...known, suite: withNewNames(known.suite, renamed) };
  made.push(...baseline.drafts);
  const runs = await runFrozen({
    setting,
    red,
    head,
    required: request.required,
    protected: frozen,
    accepted: request.accepted,
    composed: request.composed === true,
    countIn: request.countIn,
    baseline: baseline.suite,
    baseAgain: async () => withNewNames(await baseAgain(setting, made)(), renamed),
    changed: changed.filter((path) => kindOf(path, rules) === "source" && head.files.has(path)),
    mutates: request.mutates ?? true,
    made,
  });
  const now = {
    ...(await protectedHashes(repository, head, rules, Object.keys(frozen))),
    ...kept(frozen, same),
  };
  const held = heldSnapshots(runs.taken, now);
  return {
    changed: changed.filter((path) => !(path in held)),
    rules,
    frozen: { ...frozen, ...held },
    now,
    tried: request.tried,
    // A composed RED contains head's inline tests; a removed one is missing by its id.
    inline:
      request.composed === true ? [] : lostInlineTests(await red.texts(changed), await head.texts(changed)),
    links: await leavingLinks(repository, head, changed),
    required: request.required,
    criteria: request.criteria == null ? null : { ids: request.criteria, plan: request.plan ?? {} },
    ...runs,
    literals:
      runs.controls.neighbours.state === "measured"
        ? await changedLiterals({
            before: red,
            after: head,
            paths: changed,
            rules,
            tests: runs.controls.neighbours.files.map(({ file }) => file),
          })
        : [],
    toReview: await toReview(red, head, changed, rules),
    oldText:
      runs.oldText == null ? null : { ...runs.oldText, suite: withNewNames(runs.oldText.suite, renamed) },
    iteration: iteration.filter((path) => kindOf(path, rules) === "source"),
    oneFilePerIteration: request.oneFilePerIteration,
    mayBeEmpty: request.mayBeEmpty,
    composed: request.composed,
    accepted: request.accepted,
    accepting: request.accepting,
  };
}

/** The commit may hold what GREEN took, in the same bytes. */
function heldSnapshots(taken: readonly TakenSnapshot[], now: Hashes): Hashes {
  return Object.fromEntries(
    taken.flatMap(({ path, hash }) => (now[path] === hash ? [[path, hash] as const] : [])),
  );
}

async function toReview(
  red: Project,
  head: Project,
  changed: readonly string[],
  rules: PathRules,
): Promise<readonly ReviewPlace[]> {
  const source = changed.filter((path) => kindOf(path, rules) === "source");
  const [before, now] = [await red.texts(source), await head.texts(source)];
  return [...now].flatMap(([path, text]) =>
    placesToReview({ path, before: before.get(path) ?? "", after: text }),
  );
}

/** Manifests whose changes affect no test. */
async function unchangedForTests(
  changed: readonly string[],
  red: Project,
  head: Project,
): Promise<readonly string[]> {
  const paths = changed.filter((path) => /(^|\/)package\.json$/.test(path));
  const [before, after] = await Promise.all([red.texts(paths), head.texts(paths)]);
  return paths.filter((path) => {
    const [one, other] = [before.get(path), after.get(path)];
    return one !== undefined && other !== undefined && isSameForTests(one, other);
  });
}

function kept(frozen: Hashes, paths: readonly string[]): Hashes {
  return Object.fromEntries(paths.flatMap((path) => (path in frozen ? [[path, frozen[path] ?? ""]] : [])));
}

async function pathsBetween(ports: ProofPorts, from: string, to: string): Promise<readonly string[]> {
  return (await changedPaths(ports.repository, { from, to })).map(({ path }) => path);
}
