/**
 * After the last child is merged, the contract suites of all children run together on the node's head; a failure reopens
 * the child that owns it. The node's own suite, which nobody has implemented yet, is run and only recorded (V3-28).
 */
import { conclude } from "../../../gates/check.ts";
import { judgeContracts } from "../../../gates/node-contracts.ts";
import { cleanPath } from "../../../gates/node-paths.ts";
import type { Item } from "../../../kernel/event.ts";
import { InitWork } from "../../../protocol/graph-types/scaffold.ts";
import type { RunContext } from "../../context.ts";
import { graphRules, nodeHere } from "../../nodes/facts.ts";
import { entryOf, type Node } from "../../nodes/node.ts";
import { requireAccepted } from "../../nodes/payloads.ts";
import { packagesOf } from "../../proof/packages.ts";
import { prove } from "../../proof/proof.ts";
import { projectAt } from "../../proof/project.ts";
import { inCheckout, proofSetting, runHashes, runTests } from "../../proof/setting.ts";
import { plainOutcomes, type Checking, type Gate, type Judged } from "../check.ts";
import { proofCommon } from "../cycle/shared.ts";
import { faultFacts } from "./fault.ts";
import { outputFinding } from "./output.ts";

export const nodeContractsGate: Gate = {
  outcomes: plainOutcomes,
  async check(checking): Promise<Judged> {
    const { context, command } = checking;
    const node = nodeHere(context, command);
    const suites = await suitesOf(context, node);
    let items: readonly Item[] = [];
    const proof = await proveContracts(checking, { node, suites }, (guilty) => {
      items = suites.children.filter(({ id }) => guilty.includes(id)).map(({ item }) => item);
    });
    const { verdict, drafts } = proof;
    const facts = faultFacts(proof, command.key);
    return { verdict, drafts, facts, ...(verdict.verdict === "fail" ? { items: [...items] } : {}) };
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
    // As the kernel knows it: by the id of its spec.
    item: { id: child.slice(entry.node.length + 2), hash: entryOf(context, child).item },
  }));
  return { own: await suiteOf(entry.node), children: await Promise.all(children) };
}

function proveContracts(
  { context, signal }: Checking,
  { node, suites }: { readonly node: Node; readonly suites: Suites },
  tell: (guilty: readonly string[]) => void,
) {
  const { ports, cache, settings } = proofCommon(context, signal);
  const { head: commit, base, node: id } = node.entry;
  return projectAt(ports.repository, commit).then((head) =>
    prove(
      { purpose: "contracts", revisions: ["--node", id, "--head", commit], head, ports },
      async (made) => {
        const rules = await graphRules(context);
        const packages = await packagesOf(ports.repository, head, { ...settings, paths: rules });
        const setting = await proofSetting({
          ports,
          cache,
          rules,
          base: await projectAt(ports.repository, base),
          packages,
        });
        const hashes = await runHashes(setting, head, null);
        const tree = { key: `contracts-${commit.slice(0, 12)}`, files: [...head.files.values()] };
        return inCheckout(setting, tree, async (checkout) => {
          const run = (purpose: string, files: readonly string[]) =>
            runTests(setting, { checkout, files, purpose, of: head, hashes }, made);
          const { suite, runs } = await run(
            "contracts.tests",
            suites.children.map(({ path }) => path),
          );
          await run("contracts.own", [suites.own]);
          const owners = Object.fromEntries(suites.children.map((child) => [child.path, child.id]));
          const { check, guilty } = judgeContracts({ suite, owners });
          tell(guilty);
          const output = check.verdict === "pass" ? "" : runs.map((one) => one.output).join("\n");
          return {
            verdict: conclude({ checks: [check], findings: outputFinding(output) }),
            record: {
              required: suite.report.tests.map((test) => test.id),
              controls: {
                node: id,
                exit: "InitWork",
                children: suites.children.map((child) => child.id).join(", "),
              },
              hashes: hashes.gate,
            },
            drafts: made,
          };
        });
      },
    ),
  );
}
