/**
 * Accepts TestsPassed if the runtime itself built the node and ran all tests, nothing is left unimplemented, and no
 * locked file changed (V3-18, 34, 35). A failure is added to Impl's memory.
 */
import { canonicalJson } from "../../../lib/hash.ts";
import { checkInterface, checkMarkers } from "../../../gates/node/node-impl.ts";
import { cleanPath, holds } from "../../../gates/node/node-paths.ts";
import { interfacesOf } from "../../../gates/node/node-scaffold.ts";
import { kindOf, type PathRules } from "../../../source/paths.ts";
import type { Check } from "../../../gates/verdict.ts";
import { hashFiles } from "../../../git/objects/contents.ts";
import type { RunEvent } from "../../../log/run-event.ts";
import { InitWork } from "../../../protocol/graph-types/scaffold.ts";
import { ImplResult } from "../../../protocol/graph-types/shared.ts";
import type { RunContext } from "../../../run/context.ts";
import { unverifiedClaim, unverifiedTests } from "../decision/claims.ts";
import { allPlannedTests, graphRules, isInFile, specOf } from "../facts.ts";
import { resultOf } from "../history.ts";
import { rememberImpl, rememberTdd } from "../prompt/impl-memory.ts";
import type { Node } from "../node.ts";
import { decisionPayload, requireAccepted } from "../payloads.ts";
import { ancestorInterfaces } from "../decision/refusal-rules.ts";
import { runBuild } from "../../../proof/execute/build.ts";
import { proveGreen, type JudgedGreen } from "../../../proof/green-proof.ts";
import type { GateProof, ExtraChecks } from "../../../proof/proof.ts";
import { projectAt, type Project } from "../../../proof/project/project.ts";
import { inCheckout } from "../../../proof/setting.ts";
import { plainOutcomes, type Gate } from "../../../family/gate.ts";
import { proofCommon } from "../../../run/proof-ports.ts";
import { reasonsOf } from "../../../engine/checks/reasons.ts";
import { judgeWork, type WorkCheck } from "./judge-work.ts";
import { noBuild, outputFinding } from "./output.ts";

export const nodeGreenGate: Gate = {
  outcomes: plainOutcomes,
  judgesCommit: true,
  check: (request) =>
    judgeWork(request, {
      kind: "green",
      onto: ({ entry }) => entry.head,
      prove: proveImpl,
      accept,
      failed,
    }),
};

async function proveImpl(workCheck: WorkCheck): Promise<GateProof> {
  const { context, node, work, signal } = workCheck;
  const common = proofCommon(context, signal);
  const rules = await graphRules(context);
  return proveGreen({
    ...common,
    settings: { ...common.settings, paths: rules },
    base: node.entry.base,
    head: work.commit,
    red: work.parent,
    required: node.entry.locked?.required ?? [],
    frozen: null,
    previous: null,
    oneFilePerIteration: false,
    // Merged children may already implement everything.
    mayBeEmpty: true,
    extraChecks: (seen) => moreOf(workCheck, rules, seen),
  });
}

async function moreOf(workCheck: WorkCheck, rules: PathRules, seen: JudgedGreen): Promise<ExtraChecks> {
  const { context, node } = workCheck;
  const { setting, head, made, verdict } = seen;
  const spec = await specOf(context, node.entry);
  const tree = { files: [...head.files.values()] };
  const built = await inCheckout(setting, tree, (checkout) =>
    runBuild(setting, { checkout, of: head, purpose: "green.build" }, made),
  );
  const isBuilt = built.check.verdict === "pass";
  const output = isBuilt && verdict.verdict !== "pass" ? await lastOutput(context, seen) : "";
  return {
    checks: [
      built.check,
      await implemented(context, { head, rules, targetPath: spec.targetPath, node }),
      await interfaceKept(context, node, head),
    ],
    findings: [...noBuild(built), ...outputFinding(isBuilt ? output : built.output)],
    controls: {
      node: node.id,
      exit: "TestsPassed",
      criteria: spec.acceptanceCriteria.map(({ id }) => id).join(", "),
    },
  };
}

/** The output of the judged run. */
async function lastOutput({ payloads }: RunContext, { made }: JudgedGreen): Promise<string> {
  const run = made.findLast(({ purpose }) => purpose === "green.tests");
  return run === undefined ? "" : payloads.text(run.output);
}

interface MarkerCheck {
  readonly head: Project;
  readonly rules: PathRules;
  readonly targetPath: string;
  readonly node: Node;
}

async function implemented(context: RunContext, { head, rules, targetPath }: MarkerCheck): Promise<Check> {
  const files = [...head.files.keys()].filter(
    (path) => holds(targetPath, path) && kindOf(path, rules) === "source",
  );
  const before = await projectAt(context.repository, context.started.base);
  return checkMarkers({ now: await head.texts(files), before: await before.texts(files) });
}

/** Compares with the scaffold below the node's own work. */
async function interfaceKept(context: RunContext, node: Node, head: Project): Promise<Check> {
  const { repository } = context;
  const { entry } = node;
  const work = await requireAccepted(context, { entry, exit: "InitWork", type: InitWork });
  const paths = [
    ...interfacesOf(work),
    cleanPath(work.contractSuite),
    ...(await ancestorInterfaces(context, node.parent)),
  ];
  const scaffold = await hashFiles(repository, { commit: entry.scaffold ?? entry.head, paths });
  const now = await hashFiles(repository, { commit: head.commit, paths });
  return checkInterface(scaffold, now);
}

function passedOf({ tests }: GateProof): readonly string[] {
  return tests.filter(({ status }) => status === "passed").map(({ id }) => id);
}

async function accept(workCheck: WorkCheck, proof: GateProof, head: string): Promise<readonly RunEvent[]> {
  const { context, command, node } = workCheck;
  const { id, entry } = node;
  const passed = passedOf(proof);
  const result: ImplResult = {
    commitHash: head,
    iterations: command.counters["attempt"]?.value ?? 1,
    passedTests: [...passed],
  };
  return [
    { type: "node.moved", node: id, by: "impl", commit: head, base: entry.base },
    {
      type: "node.accepted",
      node: id,
      exit: "TestsPassed",
      ref: await context.payloads.put(canonicalJson(result)),
    },
    ...(await memories(workCheck, passed, null)),
    ...(await claims(workCheck, result)),
  ];
}

async function failed(workCheck: WorkCheck, proof: GateProof): Promise<readonly RunEvent[]> {
  const [reason = "refused"] = reasonsOf(proof.verdict);
  return memories(workCheck, passedOf(proof), reason);
}

async function memories(
  { context, node, work }: WorkCheck,
  passed: readonly string[],
  reason: string | null,
): Promise<readonly RunEvent[]> {
  const { entry } = node;
  const spec = await specOf(context, entry);
  const { contractSuite } = await requireAccepted(context, { entry, exit: "InitWork", type: InitWork });
  const required = entry.locked?.required ?? [];
  return [
    await rememberImpl(context, node, { key: work.key, required, passed, reason }),
    await rememberTdd(context, node, {
      criteria: spec.acceptanceCriteria.map(({ id }) => id),
      plan: await allPlannedTests(context, node),
      own: required.filter((id) => !isInFile(id, cleanPath(contractSuite))),
      passed,
    }),
  ];
}

/** Deviating reports of the agent are journaled and never used (V3-42). */
async function claims({ context, work }: WorkCheck, real: ImplResult): Promise<readonly RunEvent[]> {
  const ref = resultOf(context, work.key)?.payload ?? null;
  const reported = ref === null ? null : ImplResult.safeParse(await decisionPayload(context, ref));
  if (reported === null || !reported.success) return [];
  const { iterations, passedTests } = reported.data;
  return [
    ...(iterations === real.iterations ? [] : [unverifiedClaim(work, "iterations", iterations)]),
    ...unverifiedTests(work, "passedTests", { reported: passedTests, real: real.passedTests }),
  ];
}
