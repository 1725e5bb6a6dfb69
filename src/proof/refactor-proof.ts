/**
 * Proves a refactoring between two commits: source and tests change in separate commits. Where source changed, the old tests
 * pass on it and its public interface is the same; where tests changed, they pass on the old source.
 */
import { conclude, failed, shortList, passed } from "../gates/check.ts";
import { interfaceChanges } from "../gates/node/interface-difference.ts";
import { outsideSource, outsideTests, kindOf } from "../source/paths.ts";
import { idsWith } from "../gates/suite/suite.ts";
import type { Check } from "../gates/verdict.ts";
import { checkWeakened, testChanges } from "../gates/suite/weakened-tests.ts";
import { changedPaths } from "../git/objects/tree.ts";
import { loadParser } from "../source/syntax.ts";
import { baselineOf } from "./baseline.ts";
import { joinDrafts } from "./draft.ts";
import { proveFinal } from "./final-proof.ts";
import { proveGreen } from "./green-proof.ts";
import { helperFindings } from "./loaded-by-tests.ts";
import { changedTestFiles } from "./old-texts.ts";
import { prove, type GateProof, type ProofRequest } from "./proof.ts";
import { projectAt, type Project } from "./project/project.ts";
import { settingAt } from "./setting-at.ts";

export interface RefactorRequest extends ProofRequest {
  readonly accepted: readonly string[];
}

export interface RefactorProof extends GateProof {
  /** Ids of the tests that passed before. */
  readonly required: readonly string[];
}

export async function proveRefactor(request: RefactorRequest): Promise<RefactorProof> {
  const { ports, settings } = request;
  const { repository } = ports;
  const [base, head] = [await projectAt(repository, request.base), await projectAt(repository, request.head)];
  const revisions = ["--base", request.base, "--head", request.head];
  const found = await changedPaths(repository, { from: base.commit, to: head.commit });
  const changed = found.map(({ path }) => path);
  const tests = changed.filter((path) => ["test", "fixture"].includes(kindOf(path, settings.paths)));
  const isOfTests = tests.length > 0;
  let required: readonly string[] = [];
  const judging = { purpose: "refactor", runsOf: isOfTests ? "final" : "green", revisions, head, ports };
  const proof = await prove(judging, async (made) => {
    const baseline = await baselineOf(await settingAt({ ...request, base, at: head, touched: changed }));
    made.push(...baseline.drafts);
    required = idsWith(baseline.suite, "passed");
    const inner = isOfTests
      ? await proveFinal({ ...request, required, approved: head.commit })
      : await proveGreen({
          ...request,
          red: base.commit,
          required,
          frozen: null,
          previous: null,
          oneFilePerIteration: false,
          mayBeEmpty: true,
          mutates: false,
        });
    const own = [
      apart(changed, request),
      await sameInterface(changed, { base, head, request }),
      await weakened(changed, { base, head, request }, required),
    ];
    const record = inner.drafts.at(-1);
    return {
      verdict: conclude({
        checks: [...inner.verdict.checks, ...own],
        findings: [
          ...inner.verdict.findings.filter(({ code }) => code !== "files_changed"),
          ...(await helperFindings({ repository, project: base, rules: settings.paths }, changed)),
        ],
      }),
      record: {
        required,
        controls: record?.controls ?? {},
        hashes: record?.hashes ?? { protected: null, config: null, lockfile: null },
      },
      drafts: joinDrafts(made, inner.drafts),
      ...(inner.fault === null ? {} : { fault: inner.fault }),
    };
  });
  return { ...proof, required };
}

interface Sides {
  readonly base: Project;
  readonly head: Project;
  readonly request: RefactorRequest;
}

function apart(changed: readonly string[], { settings: { paths } }: RefactorRequest): Check {
  const [others, sources] = [outsideSource(changed, paths), outsideTests(changed, paths)];
  if (changed.length === 0) return failed("apart", "nothing changed between the two commits");
  if (others.length === 0 || sources.length === 0) return passed("apart");
  return failed(
    "apart",
    `refactor tests and source in separate commits; both changed: ${shortList(changed)}`,
  );
}

async function sameInterface(changed: readonly string[], { base, head, request }: Sides): Promise<Check> {
  const sources = changed.filter((path) => kindOf(path, request.settings.paths) === "source");
  const other = interfaceChanges(await base.texts(sources), await head.texts(sources), await loadParser());
  if (other.length === 0) return passed("interface");
  return failed("interface", `a refactoring must keep the public interface; restore: ${shortList(other)}`);
}

async function weakened(
  changed: readonly string[],
  { base, head, request: { settings, accepted } }: Sides,
  ids: readonly string[],
): Promise<Check> {
  const files = await changedTestFiles({ base, rules: settings.paths }, head, changed);
  const accepting = "mettle gate refactor … --accept-test ID";
  return checkWeakened({ changes: testChanges(files), ids, failingOnBase: [], accepted, accepting });
}
