/** Gathers the facts of GREEN: what changed since RED, the frozen tests run on head's source, and the canary. */
import { outsideLinks } from "../../git/links.ts";
import { changedPaths, submoduleMode } from "../../git/tree.ts";
import { controlWords, type Canary } from "../../gates/controls.ts";
import { isProtected, type Hashes } from "../../gates/frozen.ts";
import { judgeGreen, type GreenFacts } from "../../gates/green.ts";
import { kindOf } from "../../gates/paths.ts";
import { judge, regressions } from "../../gates/suite.ts";
import { runCanary } from "./canary.ts";
import { unexecutedInWords } from "./coverage.ts";
import { runnerOf, testFilesOf } from "./detect.ts";
import type { RecordDraft } from "./draft.ts";
import { executeTests, type TestRun } from "./execute.ts";
import { prove, type GateProof, type ProofRequest } from "./proof.ts";
import { compose, projectAt, type Project } from "./project.ts";
import { protectedHashes, recordHashes } from "./protected.ts";
import {
  baselineOf,
  confirmed,
  executionOf,
  inCheckout,
  proofSetting,
  type ProofSetting,
} from "./setting.ts";

export interface GreenRequest extends ProofRequest {
  /** The RED commit whose tests are frozen. */
  readonly red: string;
  readonly required: readonly string[];
  /** As the journal froze them; null: as they are at the RED commit. */
  readonly frozen: Hashes | null;
  /** The commit of the attempt before this one; null: RED itself. */
  readonly previous: string | null;
  readonly oneFilePerIteration: boolean;
}

export async function proveGreen(request: GreenRequest): Promise<GateProof> {
  const { ports, settings } = request;
  const head = await projectAt(ports.repository, request.head);
  const revisions = ["--base", request.base, "--red", request.red, "--head", request.head];
  return prove({ purpose: "green", revisions, head, ports }, async (made) => {
    const base = await projectAt(ports.repository, request.base);
    const red = await projectAt(ports.repository, request.red);
    const found = await runnerOf(ports.repository, red, settings);
    const setting = proofSetting({ ports, cache: request.cache, rules: settings.paths, base, found });
    const facts = await gatherGreen({ request, setting, red, head, made });
    const hashes = await recordHashes(ports.repository, head, {
      config: setting.config,
      frozen: facts.frozen,
    });
    const record = { required: request.required, controls: controlWords(facts.controls), hashes };
    return { verdict: judgeGreen(facts), record, drafts: made };
  });
}

interface Gathering {
  readonly request: GreenRequest;
  readonly setting: ProofSetting;
  readonly red: Project;
  readonly head: Project;
  readonly made: RecordDraft[];
}

async function gatherGreen({ request, setting, red, head, made }: Gathering): Promise<GreenFacts> {
  const { ports, rules } = setting;
  const { repository } = ports;
  const frozen = request.frozen ?? (await protectedHashes(repository, red, rules));
  const changed = await pathsBetween(setting, red.commit, head.commit);
  const iteration = await pathsBetween(setting, request.previous ?? red.commit, head.commit);
  const baseline = await baselineOf(setting);
  made.push(...baseline.drafts);
  const runs = await runFrozen({ request, setting, red, head, made }, (suite) =>
    regressions(suite, baseline.suite),
  );
  return {
    changed,
    rules,
    frozen,
    now: await protectedHashes(repository, head, rules),
    links: await leavingLinks(setting, head, changed),
    required: request.required,
    baseline: baseline.suite,
    ...runs,
    iteration: iteration.filter((path) => kindOf(path, rules) === "source"),
    oneFilePerIteration: request.oneFilePerIteration,
  };
}

/**
 * Runs the tests as RED froze them on the source of head: of the commit nothing else is taken into the checkout, so
 * that edited tests, configurations and vendored runners decide nothing, even before they are refused.
 */
async function runFrozen(
  { request, setting, red, head, made }: Gathering,
  lost: (suite: TestRun["suite"]) => readonly string[],
): Promise<Pick<GreenFacts, "suite" | "confirm" | "controls" | "redHeard">> {
  const { ports, rules, found, config } = setting;
  const files = await testFilesOf(red, rules, found.runner);
  const tree = compose(red, head, (path) => kindOf(path, rules) === "source" && !isProtected(path, rules));
  const hashes = await recordHashes(ports.repository, red, { config, frozen: null });
  return inCheckout(setting, { key: `green-${head.commit.slice(0, 12)}`, files: tree }, async (checkout) => {
    const run = async (purpose: string, only: readonly string[]): Promise<TestRun> => {
      const { commit, tree: id } = head;
      const required = purpose === "green.canary" ? [] : request.required;
      const execution = {
        ...executionOf(setting, checkout),
        files: only,
        purpose,
        commit,
        tree: id,
        hashes,
        required,
        count: purpose === "green.tests",
      };
      const done = await executeTests(execution);
      made.push(done.draft);
      return done;
    };
    const first = await run("green.tests", files);
    const old = lost(first.suite).filter((id) => !request.required.includes(id));
    const confirm = await confirmed(first, old, () => run("green.confirm", files));
    const canary = await canaryOf({ request, setting, first }, (wrappers) =>
      runCanary({ checkout, runner: found.name, files: wrappers, run: (only) => run("green.canary", only) }),
    );
    const redHeard = judge(first.suite, request.required).earlyExit
      ? await redIsHeard({ request, setting, red, head, made }, files)
      : true;
    const coverage = await unexecutedInWords({
      folder: first.counts,
      root: checkout.path,
      before: red,
      after: head,
      changed: await changedSource(setting, red.commit, head),
    });
    return { suite: first.suite, confirm: confirm?.suite ?? null, controls: { canary, coverage }, redHeard };
  });
}

/** Whether the same run gives its report on the RED commit, here and now: else the machine is at fault (CORE-14). */
function redIsHeard({ setting, red, made }: Gathering, files: readonly string[]): Promise<boolean> {
  const { commit, tree } = red;
  const key = `control-${commit.slice(0, 12)}`;
  return inCheckout(setting, { key, files: [...red.files.values()] }, async (checkout) => {
    const hashes = { protected: null, config: null, lockfile: null };
    const run = await executeTests({
      ...executionOf(setting, checkout),
      files,
      purpose: "green.control",
      commit,
      tree,
      hashes,
    });
    made.push(run.draft);
    return run.suite.report.report && run.suite.environment === null;
  });
}

interface CanaryNeed {
  readonly request: GreenRequest;
  readonly setting: ProofSetting;
  readonly first: TestRun;
}

/** A run this long is not repeated for a control. */
const longestMs = 60_000;

async function canaryOf(
  { request, first }: CanaryNeed,
  measure: (files: readonly string[]) => Promise<Canary>,
): Promise<Canary> {
  const { wrong } = judge(first.suite, request.required);
  if (wrong.includes("required tests") || !first.suite.report.report)
    return { state: "not measured", why: "not every required test passed" };
  if (first.ran.ended - first.ran.started > longestMs)
    return { state: "not measured", why: "the tests take over a minute" };
  return measure([...new Set(request.required.map((id) => id.split("::")[0] ?? ""))]);
}

async function pathsBetween({ ports }: ProofSetting, from: string, to: string): Promise<readonly string[]> {
  return (await changedPaths(ports.repository, { from, to })).map(({ path }) => path);
}

async function changedSource(setting: ProofSetting, from: string, to: Project): Promise<readonly string[]> {
  const changed = await pathsBetween(setting, from, to.commit);
  return changed.filter((path) => kindOf(path, setting.rules) === "source" && to.files.has(path));
}

/** Changed links and submodules that lead out of what was committed. */
async function leavingLinks(
  { ports }: ProofSetting,
  head: Project,
  changed: readonly string[],
): Promise<readonly string[]> {
  const outside = new Set(await outsideLinks(ports.repository, head.commit));
  return changed.filter((path) => outside.has(path) || head.files.get(path)?.mode === submoduleMode);
}
