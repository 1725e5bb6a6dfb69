/** Gathers the facts of RED: the base's results, two runs of the new tests, their text, and the stubs that they needed. */
import { changedPaths } from "../git/objects/tree.ts";
import { fileOfTest } from "../evidence/test-ids.ts";
import type { DisputeFacts } from "../gates/review/dispute.ts";
import type { Hashes } from "../gates/suite/frozen.ts";
import { changesTestsAlone } from "../source/inline-tests.ts";
import { acceptedPassing, failingTests, guardsOf } from "../gates/red/passing-tests.ts";
import { nullStubWords } from "../gates/red/null-stubs.ts";
import { surroundingWords } from "../gates/suite/surrounding.ts";
import { weakWords } from "../gates/red/weak-tests.ts";
import { isOfTests, kindOf } from "../source/paths.ts";
import { judgeRed } from "../gates/red/red.ts";
import { newTests, type RedFacts } from "../gates/red/red-facts.ts";
import type { Stub } from "../source/stubs/script.ts";
import { renamedTests, withNewNames, type Renamed } from "../gates/suite/renamed-tests.ts";
import type { Verdict } from "../gates/verdict.ts";
import { idsOfChange } from "../gates/suite/ids-of-change.ts";
import { testChanges, weakenedTests, type TestChange } from "../gates/suite/weakened-tests.ts";
import { idsWith, oldTests, withoutTests, type Suite } from "../gates/suite/suite.ts";
import { baselineOf } from "./base/baseline.ts";
import type { RecordDraft } from "./draft.ts";
import { prove, withExtraChecks, type GateProof, type ExtraChecks, type ProofRequest } from "./proof.ts";
import { changedTestFiles, changesShared, movedTestFiles, runOldTexts } from "./old-texts.ts";
import { compose, leavingLinks, projectAt, type Project } from "./project/project.ts";
import { loadedByTests } from "./loaded-by-tests.ts";
import { protectedHashes } from "./protected.ts";
import { runRed } from "./red-runs.ts";
import type { ProofSetting } from "./proof-package.ts";
import { runHashes, type RunHashes } from "./setting.ts";
import { settingAt } from "./setting-at.ts";
import { textFacts, type TestTexts } from "./new-tests/text-facts.ts";
import { weakFacts } from "./new-tests/weak-facts.ts";

export interface RedRequest extends ProofRequest {
  /** Ids of the spec; null where no criteria were given. */
  readonly criteria: readonly string[] | null;
  /** Criterion -> titles of the architecture's test plan. */
  readonly plan: Readonly<Record<string, readonly string[]>>;
  /** Paths of the architecture's File Structure. */
  readonly planned: readonly string[];
  /** Files that GREEN may change even if they look like helpers of tests; default the planned ones. */
  readonly mayChange?: readonly string[];
  /** The unit under test: every source file, where no plan names files. */
  readonly unit?: "source";
  /** The only test paths that may change, besides fixtures. */
  readonly declared?: readonly string[];
  /** The hint for a module that does not exist. */
  readonly missingFileHint?: string;
  /** Ids of old tests that a person accepted as changed. */
  readonly accepted?: readonly string[] | undefined;
  /** The command that accepts a test; default that of a run. */
  readonly accepting?: string;
  /**
   * The commit combines the base with the tests of a change: it includes configurations, and an old test whose new text
   * fails on the base counts as new.
   */
  readonly composed?: boolean;
  /** New tests may pass; the caller proves those by mutants. */
  readonly characterize?: boolean;
  /** New tests may pass beside others that fail; the caller tries those guards by mutants. */
  readonly leavesGuards?: boolean;
  /** The commit answers a dispute about tests that were frozen at `red`. */
  readonly dispute?: Omit<DisputeFacts, "changed"> & { readonly red: string };
  readonly extraChecks?: (seen: JudgedRed) => Promise<ExtraChecks>;
}

/** Input for additional checks, after RED was judged. */
export interface JudgedRed {
  readonly verdict: Verdict;
  /** Ids of the new tests. */
  readonly required: readonly string[];
  /** The new tests that fail; the others pass before implementation. */
  readonly failing: readonly string[];
  readonly setting: ProofSetting;
  readonly head: Project;
  readonly hashes: RunHashes;
  readonly made: RecordDraft[];
}

export interface RedProof extends GateProof {
  /** Ids that the implementation must make pass. */
  readonly required: readonly string[];
  /** The required tests that pass before the implementation. */
  readonly passing: readonly string[];
  /** Those of them about which mutants decide; only with `leavesGuards`. */
  readonly guards: readonly string[];
  /** The protected set at head, frozen when the verdict is pass. */
  readonly frozen: Hashes;
  /** Stubs used for planned modules that do not exist yet. */
  readonly stubs: readonly Stub[];
  /** The judged run of all tests; null where there was none. */
  readonly suite: Suite | null;
  /** Renamed old tests of a composed commit. */
  readonly renamed: Renamed;
}

export async function proveRed(request: RedRequest): Promise<RedProof> {
  const { ports } = request;
  const base = await projectAt(ports.repository, request.base);
  const head = await projectAt(ports.repository, request.head);
  const frozen = await frozenBy(request, head);
  let required: readonly string[] = [];
  let passing: readonly string[] = [];
  let guards: readonly string[] = [];
  let stubs: readonly Stub[] = [];
  let suite: Suite | null = null;
  let renamed: Renamed = new Map();
  const proof = await prove(
    { purpose: "red", revisions: ["--base", request.base, "--head", request.head], head, ports },
    async (made) => {
      const changed = (await changedPaths(ports.repository, { from: base.commit, to: head.commit })).map(
        ({ path }) => path,
      );
      const setting = await settingAt({ ...request, base, at: head, touched: changed });
      const facts = await gatherRed({ request, setting, head, changed, frozen, made });
      suite = facts.first;
      renamed = facts.renamed ?? renamed;
      required = newTests(facts);
      const failing = failingTests(facts);
      passing = required.filter((id) => !failing.includes(id));
      guards = guardsOf(facts);
      stubs = facts.stubs;
      const hashes = await runHashes(setting, head, frozen);
      const judged = judgeRed(facts);
      const more = await request.extraChecks?.({
        verdict: judged,
        required,
        failing,
        setting,
        head,
        hashes,
        made,
      });
      return {
        verdict: more === undefined ? judged : withExtraChecks(judged, more),
        record: {
          required,
          controls: {
            ...accepted(facts),
            null_stubs: nullStubWords(facts),
            can_fail: weakWords(facts),
            ...(facts.surrounding === undefined
              ? {}
              : { red_surrounding: surroundingWords(facts.surrounding) }),
            ...more?.controls,
          },
          hashes: hashes.gate,
        },
        drafts: made,
      };
    },
  );
  return { ...proof, required, passing, guards, frozen, stubs, suite, renamed };
}

/** A composed commit is no state of anyone's work: its helpers are findings of the change. */
async function frozenBy(request: RedRequest, head: Project): Promise<Hashes> {
  const { ports, settings, composed = false, mayChange = request.planned } = request;
  const { repository } = ports;
  const rules = settings.paths;
  const loaded = composed
    ? []
    : await loadedByTests({ repository, project: head, rules, planned: mayChange });
  return protectedHashes(repository, head, rules, loaded);
}

/** The accepted tests, named in the record. */
function accepted(facts: RedFacts): Readonly<Record<string, string>> {
  const ids = acceptedPassing(facts);
  return ids.length === 0 ? {} : { accepted_passing: ids.join(", ") };
}

interface GatherContext {
  readonly request: RedRequest;
  readonly setting: ProofSetting;
  readonly head: Project;
  /** Paths changed between base and head. */
  readonly changed: readonly string[];
  readonly frozen: Hashes;
  readonly made: RecordDraft[];
}

type GatheredFacts = RedFacts & Pick<RedProof, "stubs"> & { readonly renamed?: Renamed };

async function gatherRed({
  request,
  setting,
  head,
  changed,
  frozen,
  made,
}: GatherContext): Promise<GatheredFacts> {
  const { ports, rules, base } = setting;
  const baseline = await baselineOf(setting);
  made.push(...baseline.drafts);
  const composed = request.composed === true;
  const inline = await inlineTests({ changed, rules, base, head }, composed);
  const texts = { setting, changed, rules, base, head, planned: request.planned };
  const text = await textFacts(texts);
  const changedTests = await changedTestFiles(setting, head, changed);
  const common = {
    composed,
    characterize: request.characterize,
    leavesGuards: request.leavesGuards,
    accepting: request.accepting,
    changed,
    links: await leavingLinks(ports.repository, head, changed),
    rules,
    declared: request.declared,
    missingFileHint: request.missingFileHint,
    criteria: request.criteria,
    plan: request.plan,
    accepted: request.accepted,
    baseline: baseline.suite,
    ...text,
    weak: ports.controls?.can_fail === false ? undefined : await weakFacts(texts),
    weakened: weakenedTests(changedTests),
    ...(await disputeFacts(request)),
  };
  const { planned } = request;
  const unit = request.unit === "source" ? [...head.files.keys()] : planned;
  // If no file that they use changed, the old texts give the same results as on the base.
  const tree = compose(base, head, (path) => isOfTests(path, rules));
  const oldText = (await changesShared(setting, head, changed))
    ? await runOldTexts({
        setting,
        tree,
        of: head,
        changed,
        purpose: "red.old",
        accepted: request.accepted,
        made,
      })
    : null;
  const runs = await runRed({
    setting,
    head,
    changed,
    planned,
    unit,
    inline,
    frozen,
    baseline,
    accepted: request.accepted,
    composed,
    made,
  });
  const facts = { ...common, oldText, ...runs };
  if (!composed) return facts;
  const changes = testChanges(changedTests);
  const moved = await movedTestFiles(changedTests, { base, head, changed });
  const renamed = renamedTests(changes, runs.baseline, runs.first, moved);
  const stricter = { files: changedTests.map(({ path }) => path), ...runs, accepted: request.accepted };
  const fresh = new Set([...failingByNewText(changes, runs.first), ...failingByShared(stricter)]);
  return {
    ...facts,
    renamed,
    baseline: withNewNames(withoutTests(runs.baseline, fresh), renamed),
    oldText: oldText === null ? null : { ...oldText, suite: withNewNames(oldText.suite, renamed) },
  };
}

/** Ids of old tests whose own new text fails on the base: they count as new. */
function failingByNewText(changes: readonly TestChange[], first: Suite): readonly string[] {
  const failing = idsWith(first, "failed", "pending");
  return changes.filter(({ title }) => title !== null).flatMap((change) => idsOfChange(change, failing));
}

interface SharedChange extends Pick<RedFacts, "baseline" | "first" | "confirm" | "accepted"> {
  /** The changed test files. */
  readonly files: readonly string[];
}

/**
 * Ids of old tests that fail on the base by what tests share: a function or a table of their file, or, where a person accepts them,
 * another file. They count as new, too. What they protected before, their old text shows in GREEN.
 */
function failingByShared({ files, accepted = [], first, ...runs }: SharedChange): readonly string[] {
  const failing = new Set(idsWith(first, "failed", "pending"));
  return oldTests({ ...runs, suite: first }).lost.filter(
    (id) => failing.has(id) && (files.includes(fileOfTest(id)) || accepted.includes(id)),
  );
}

/** Source files of which only the inline tests changed, with their text. */
async function inlineTests(
  { changed, rules, base, head }: Omit<TestTexts, "planned" | "setting">,
  composed: boolean,
): Promise<ReadonlyMap<string, string>> {
  const sources = changed.filter((path) => kindOf(path, rules) === "source");
  const before = await base.texts(sources);
  const now = [...(await head.texts(sources))];
  return new Map(now.filter(([path, text]) => composed || changesTestsAlone(path, before.get(path), text)));
}

async function disputeFacts({ dispute, ports, head }: RedRequest): Promise<Pick<RedFacts, "dispute">> {
  if (dispute === undefined) return {};
  const changed = await changedPaths(ports.repository, { from: dispute.red, to: head });
  return { dispute: { ...dispute, changed: changed.map(({ path }) => path) } };
}
