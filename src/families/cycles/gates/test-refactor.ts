/**
 * ℜᶠᵗ, qa_validation: QA's refactored tests are alone in their commit, pass on the existing source, and still fail
 * without the cycle's implementation, so none was weakened (TDP-24, TDP-36). A pass freezes them.
 */
import { fileOfTest } from "../../../evidence/test-ids.ts";
import { conclude, failed, shortList, passed, unclear } from "../../../gates/check.ts";
import { checkLinks } from "../../../gates/links.ts";
import { outsideDeclared, outsideTests } from "../../../source/paths.ts";
import type { Check, Verdict } from "../../../gates/verdict.ts";
import { cycleOf, plannedCycles, type Cycle } from "../cycle.ts";
import { proveFinal } from "../../../proof/final-proof.ts";
import { prove, type GateProof } from "../../../proof/proof.ts";
import { leavingLinks, projectAt, type Project } from "../../../proof/project/project.ts";
import { protectedHashes, recordHashes } from "../../../proof/protected.ts";
import { proveRed, type RedProof } from "../../../proof/red-proof.ts";
import { plainOutcomes, type GateRequest, type Gate } from "../../../family/gate.ts";
import { reasonsOf } from "../../../engine/checks/reasons.ts";
import { frozenFacts, proofFacts } from "../../../engine/checks/red.ts";
import { acceptOrRefuse, candidate, type Candidate } from "../../../engine/checks/work.ts";
import { overlayTests } from "./overlay-tests.ts";
import { union } from "../../../lib/lists.ts";
import { joinDrafts } from "../../../proof/draft.ts";
import { proofCommon } from "../../../run/proof-ports.ts";

export const testRefactorGate: Gate = {
  outcomes: plainOutcomes,
  judgesCommit: true,
  async check(request) {
    const { context, command } = request;
    const cycle = await cycleOf(context, command);
    const work = candidate(context, "test_refactor");
    const head = await projectAt(context.repository, work.commit);
    const { repository, session, settings } = context;
    // What RED froze stays frozen, such as helpers beside the source.
    const frozen = Object.keys(session.view.frozen?.files ?? {});
    const files = await protectedHashes(repository, head, settings.paths, frozen);
    const { proof, output, required } = await proveRefactoring(request, { cycle, work, head, files });
    const { verdict, drafts, fault } = proof;
    const facts = [
      ...(await acceptOrRefuse(context, "test_refactor", { work, verdict })),
      ...frozenFacts({ verdict, frozen: files, required }, work),
      ...proofFacts({ output, fault }, command.key),
    ];
    return { verdict, drafts, facts };
  },
};

interface RefactoredTests {
  readonly cycle: Cycle;
  readonly work: Candidate;
  readonly head: Project;
  readonly files: Readonly<Record<string, string>>;
}

async function proveRefactoring(request: GateRequest, refactored: RefactoredTests) {
  const { context, signal } = request;
  const { cycle, work, head, files } = refactored;
  const { repository, session } = context;
  const common = proofCommon(context, signal);
  const before = session.view.frozen?.required ?? [];
  const revisions = ["--base", cycle.base, "--parent", work.parent, "--head", work.commit];
  let [output, required]: [string | null, readonly string[]] = [null, before];
  const proof = await prove(
    { purpose: "test_refactor", revisions, head, ports: common.ports },
    async (made) => {
      const own = await ownChecks(request, refactored);
      const red = await redOnBase(request, refactored);
      const earlier = red === null ? null : await earlierOnRunBase(request, refactored);
      made.push(...joinDrafts(red?.drafts ?? [], earlier?.drafts ?? []));
      required = union(before, red?.required ?? []);
      const final = await proveFinal({
        ...common,
        base: cycle.base,
        head: work.commit,
        approved: work.commit,
        required: before,
      });
      const drafts = joinDrafts(made, final.drafts);
      output = final.output;
      const fault = red?.fault ?? earlier?.fault ?? final.fault;
      return {
        verdict: combinedVerdict([...own, notWeakened(red), notWeakenedBefore(earlier, cycle)], red, final),
        record: {
          required,
          controls: {},
          hashes: await recordHashes(repository, head, { config: null, frozen: files }),
        },
        drafts,
        ...(fault === null ? {} : { fault }),
      };
    },
  );
  return { proof, output, required };
}

async function ownChecks(
  { context }: GateRequest,
  { cycle, work, head }: RefactoredTests,
): Promise<readonly Check[]> {
  const { repository, settings } = context;
  const outside = outsideTests(work.paths, settings.paths);
  const undeclared = outsideDeclared(work.paths, cycle.plan.tests);
  const wrong = outside.length > 0 ? outside : undeclared;
  const allowed = outside.length > 0 ? settings.paths.tests : cycle.plan.tests;
  return [
    wrong.length === 0
      ? passed("paths")
      : failed(
          "paths",
          `only the tests of this cycle (${shortList(allowed)}) may change here; also changed: ${shortList(wrong)}`,
        ),
    checkLinks(await leavingLinks(repository, head, work.paths)),
  ];
}

/** Null if the tests are unchanged: those failed on the base already. */
async function redOnBase(
  { context, command, signal }: GateRequest,
  { cycle, work, files }: RefactoredTests,
): Promise<RedProof | null> {
  const frozen = context.session.view.frozen?.files ?? {};
  const paths = new Set([...Object.keys(frozen), ...Object.keys(files)]);
  if ([...paths].every((path) => frozen[path] === files[path])) return null;
  return proveRed({
    ...proofCommon(context, signal),
    base: cycle.base,
    head: await overlayTests(context, { base: cycle.base, work, key: command.key, name: "on-base" }),
    criteria: cycle.plan.criteria.map(({ id }) => id),
    plan: {},
    planned: cycle.plan.files,
  });
}

/** Tests of earlier cycles in the same files must also fail on the commit before all cycles. Null if there are none. */
async function earlierOnRunBase(
  { context, command, signal }: GateRequest,
  { cycle, work }: RefactoredTests,
): Promise<RedProof | null> {
  const base = context.started.base;
  if (base === cycle.base || !cycle.requiredBefore.some((id) => work.paths.includes(fileOfTest(id))))
    return null;
  return proveRed({
    ...proofCommon(context, signal),
    base,
    head: await overlayTests(context, { base, work, key: command.key, name: "on-run-base" }),
    criteria: null,
    plan: {},
    planned: (await plannedCycles(context)).flatMap(({ files }) => files),
  });
}

/** Only passing tests count, since the reason of a failure that far back proves nothing. */
function notWeakenedBefore(proof: RedProof | null, { requiredBefore }: Cycle): Check {
  const name = "earlier_tests";
  if (proof === null) return passed(name);
  if (proof.verdict.checks.some((check) => check.name === "environment"))
    return unclear(name, reasonsOf(proof.verdict).join("; "));
  const passing = new Set(proof.tests.flatMap(({ id, status }) => (status === "passed" ? [id] : [])));
  const weak = requiredBefore.filter((id) => passing.has(id));
  if (weak.length === 0) return passed(name);
  return failed(
    name,
    `tests of earlier cycles must still fail without any implementation; these pass: ${shortList(weak)}`,
    weak,
  );
}

function combinedVerdict(own: readonly Check[], red: RedProof | null, final: GateProof): Verdict {
  const checks = [...own, ...final.verdict.checks.filter(({ name }) => name !== "commit")];
  return conclude({ checks, findings: [...(red?.verdict.findings ?? []), ...final.verdict.findings] });
}

function notWeakened(red: RedProof | null): Check {
  const name = "not_weakened";
  switch (red?.verdict.verdict) {
    case undefined:
    case "pass":
      return passed(name, red?.required ?? []);
    case "inconclusive":
      return unclear(name, reasonsOf(red.verdict).join("; "));
    case "fail":
      return failed(
        name,
        `without the implementation of this cycle its tests must fail as in RED; ${reasonsOf(red.verdict).join("; ")}`,
        red.verdict.checks.flatMap(({ verdict, tests }) => (verdict === "fail" ? tests : [])),
      );
  }
}
