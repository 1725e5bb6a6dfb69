/**
 * Proves a refactoring between two commits: source and tests change in separate commits. Where source changed, the old tests
 * pass on it and its public interface is the same or accepted; where tests changed, they pass on the old source (CORE-33).
 */
import { conclude, failed, shortList, passed } from "../../gates/check.ts";
import { exportChanges } from "../../gates/node/interface-difference.ts";
import { isOfTests, outsideTests, kindOf } from "../../source/paths.ts";
import { idsWith } from "../../gates/suite/suite.ts";
import type { Check, Finding } from "../../gates/verdict.ts";
import { checkWeakened, testChanges } from "../../gates/suite/weakened-tests.ts";
import { changedPaths } from "../../git/objects/tree.ts";
import { loadParser } from "../../source/syntax.ts";
import { baselineOf } from "../base/baseline.ts";
import { joinDrafts } from "../draft.ts";
import { proveFinal } from "../final-proof.ts";
import { proveGreen } from "../green-proof.ts";
import { helperFindings } from "../loaded-by-tests.ts";
import { changedTestFiles } from "../old-texts.ts";
import { prove, type GateProof, type ProofRequest } from "../proof.ts";
import { projectAt, type Project } from "../project/project.ts";
import { checkApart, crossChecks } from "./refactored-tests.ts";
import { settingAt } from "../setting-at.ts";

export interface RefactorRequest extends ProofRequest {
  /** Ids of tests, and of exports as `PATH::NAME`, whose change a person accepted. */
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
  const hasTests = changed.some((path) => isOfTests(path, settings.paths));
  const isBoth = hasTests && outsideTests(changed, settings.paths).length > 0;
  let required: readonly string[] = [];
  const judging = { purpose: "refactor", runsOf: hasTests ? "final" : "green", revisions, head, ports };
  const proof = await prove(judging, async (made) => {
    const setting = await settingAt({ ...request, base, at: head, touched: changed });
    const baseline = await baselineOf(setting);
    made.push(...baseline.drafts);
    const passing = idsWith(baseline.suite, "passed");
    required = passing.filter((id) => !request.accepted.includes(id));
    const given = passing.filter((id) => request.accepted.includes(id));
    const inner = hasTests
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
    const { accepted } = request;
    const crossed = isBoth
      ? await crossChecks({ setting, head, changed, accepted, accepting: acceptingTest, made })
      : { checks: [], findings: [] };
    const exported = await sameInterface(changed, { base, head, request });
    const own = [
      await checkApart(ports, settings.paths, { base: base.commit, head: head.commit }),
      exported.check,
      await weakened(changed, { base, head, request }, required),
      ...crossed.checks,
    ];
    const record = inner.drafts.at(-1);
    return {
      verdict: conclude({
        checks: [...inner.verdict.checks, ...own],
        findings: [
          ...inner.verdict.findings.filter(({ code }) => code !== "files_changed"),
          ...crossed.findings,
          ...exported.findings,
          ...given.map((testId) => ({
            code: "old_text",
            severity: "finding" as const,
            message: `a person accepted that this test is not required: ${testId}`,
            testId,
          })),
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

async function sameInterface(
  changed: readonly string[],
  { base, head, request }: Sides,
): Promise<{ readonly check: Check; readonly findings: readonly Finding[] }> {
  const { settings, accepted } = request;
  const sources = changed.filter((path) => kindOf(path, settings.paths) === "source");
  const all = exportChanges(await base.texts(sources), await head.texts(sources), await loadParser());
  const other = all.filter(({ id }) => !accepted.includes(id));
  const findings = all
    .filter(({ id }) => accepted.includes(id))
    .map(({ path, reason }) => ({
      code: "interface_changed",
      severity: "finding" as const,
      message: `a person accepted a change of the public interface: ${reason}`,
      path,
    }));
  if (other.length === 0) return { check: passed("interface"), findings };
  const reason = `a refactoring must keep the public interface; restore: ${shortList(other.map((one) => one.reason))}; or let a person accept it: ${acceptingExport} ${other[0]?.id ?? ""}`;
  return { check: failed("interface", reason), findings };
}

const acceptingTest = "mettle gate refactor … --accept-test ID";
const acceptingExport = "mettle gate refactor … --accept-export";

async function weakened(
  changed: readonly string[],
  { base, head, request: { settings, accepted } }: Sides,
  ids: readonly string[],
): Promise<Check> {
  const files = await changedTestFiles({ base, rules: settings.paths }, head, changed);
  return checkWeakened({
    changes: testChanges(files),
    ids,
    failingOnBase: [],
    accepted,
    accepting: acceptingTest,
  });
}
