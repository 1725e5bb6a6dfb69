/**
 * After the last child is merged, runs the contract suites of all children on the node's head; a failure reopens the
 * child that owns the suite. The node's own suite, not yet implemented, is run and only recorded (V3-28).
 */
import { conclude } from "../../../gates/check.ts";
import { judgeContracts } from "../../../gates/node/node-contracts.ts";
import { cleanPath } from "../../../gates/node/node-paths.ts";
import type { Item } from "../../../kernel/event.ts";
import { InitWork } from "../../../protocol/graph-types/scaffold.ts";
import type { RunContext } from "../../../run/context.ts";
import { graphRules, requireNode } from "../facts.ts";
import { entryOf, type Node } from "../node.ts";
import { requireAccepted } from "../payloads.ts";
import { prove, type GateProof } from "../../../proof/proof.ts";
import { projectAt, type Project } from "../../../proof/project/project.ts";
import { inCheckout, runHashes, runTests } from "../../../proof/setting.ts";
import { settingAt } from "../../../proof/setting-at.ts";
import { plainOutcomes, type GateRequest, type Gate, type GateResult } from "../../../family/gate.ts";
import { proofCommon } from "../../../run/proof-ports.ts";
import { faultFacts } from "./fault.ts";
import { outputFinding } from "./output.ts";

export const nodeContractsGate: Gate = {
  outcomes: plainOutcomes,
  async check(request): Promise<GateResult> {
    const { context, command } = request;
    const node = requireNode(context, command);
    const suites = await suitesOf(context, node);
    const { guilty, ...proof } = await proveContracts(request, node, suites);
    const { verdict, drafts } = proof;
    const facts = faultFacts(proof, command.key);
    const items = suites.children.filter(({ id }) => guilty.includes(id)).map(({ item }) => item);
    return { verdict, drafts, facts, ...(verdict.verdict === "fail" ? { items } : {}) };
  },
};

interface Suites {
  readonly own: string;
  readonly children: readonly { readonly id: string; readonly path: string; readonly item: Item }[];
}

async function suitesOf(context: RunContext, { entry }: Node): Promise<Suites> {
  const suiteOf = async (id: string) => {
    const work = await requireAccepted(context, {
      entry: entryOf(context, id),
      exit: "InitWork",
      type: InitWork,
    });
    return cleanPath(work.contractSuite);
  };
  const children = entry.merged.map(async ({ child }) => ({
    id: child,
    path: await suiteOf(child),
    // The kernel knows it by the id of its spec.
    item: { id: child.slice(entry.node.length + 2), hash: entryOf(context, child).item },
  }));
  return { own: await suiteOf(entry.node), children: await Promise.all(children) };
}

async function proveContracts(
  { context, signal }: GateRequest,
  node: Node,
  suites: Suites,
): Promise<GateProof & { readonly guilty: readonly string[] }> {
  const { ports } = proofCommon(context, signal);
  const { head: commit, node: id } = node.entry;
  const head = await projectAt(ports.repository, commit);
  let guilty: readonly string[] = [];
  const revisions = ["--node", id, "--head", commit];
  const proof = await prove({ purpose: "contracts", revisions, head, ports }, async (made) => {
    const { setting, hashes } = await settingFor(context, { signal, node, head });
    const tree = { files: [...head.files.values()] };
    return inCheckout(setting, tree, async (checkout) => {
      const run = (purpose: string, files: readonly string[]) =>
        runTests(setting, { checkout, files, purpose, of: head, hashes }, made);
      const files = suites.children.map(({ path }) => path);
      const { suite, runs } = await run("contracts.tests", files);
      await run("contracts.own", [suites.own]);
      const owners = Object.fromEntries(suites.children.map((child) => [child.path, child.id]));
      const judged = judgeContracts({ suite, owners });
      ({ guilty } = judged);
      const output = judged.check.verdict === "pass" ? "" : runs.map((one) => one.output).join("\n");
      const children = suites.children.map((child) => child.id).join(", ");
      return {
        verdict: conclude({ checks: [judged.check], findings: outputFinding(output) }),
        record: {
          required: suite.report.tests.map((test) => test.id),
          controls: { node: id, exit: "InitWork", children },
          hashes: hashes.gate,
        },
        drafts: made,
      };
    });
  });
  return { ...proof, guilty };
}

interface Setting {
  readonly signal: AbortSignal;
  readonly node: Node;
  readonly head: Project;
}

async function settingFor(context: RunContext, { signal, node, head }: Setting) {
  const { ports, cache, settings } = proofCommon(context, signal);
  const rules = await graphRules(context);
  const base = await projectAt(ports.repository, node.entry.base);
  const setting = await settingAt({ ports, cache, settings: { ...settings, paths: rules }, base, at: head });
  return { setting, hashes: await runHashes(setting, head, null) };
}
