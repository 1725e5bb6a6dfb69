/**
 * Accepts InitWork with a scaffold that builds and whose contract suite fails for the right reason (V3-29, 30). Its
 * children start with it; unchanged children continue (V3-04, 09).
 */
import { fileOfTest } from "../../../evidence/test-ids.ts";
import { canonicalJson } from "../../../lib/hash.ts";
import { invariant } from "../../../lib/assert-never.ts";
import { cleanPath } from "../../../gates/node/node-paths.ts";
import { interfacesOf } from "../../../gates/node/node-scaffold.ts";
import { hashFiles } from "../../../git/objects/contents.ts";
import type { RunEvent } from "../../../log/run-event.ts";
import { InitWork } from "../../../protocol/graph-types/scaffold.ts";
import { specOf } from "../facts.ts";
import { resultOf } from "../history.ts";
import type { Node } from "../node.ts";
import { decisionPayload } from "../payloads.ts";
import { ancestorInterfaces } from "../decision/refusal-rules.ts";
import type { RunContext } from "../../../run/context.ts";
import { plainOutcomes, type Gate } from "../../../family/gate.ts";
import { judgeWork, type WorkCheck } from "./judge-work.ts";
import { childFacts } from "./scaffold-children.ts";
import { proveScaffold, type ScaffoldProof } from "./scaffold-proof.ts";

export const nodeScaffoldGate: Gate = {
  outcomes: plainOutcomes,
  judgesCommit: true,
  check: (request) =>
    judgeWork(request, {
      kind: "scaffold",
      onto: ({ entry }) => entry.head,
      prove: async ({ context, node, work, signal }) => {
        const spec = await specOf(context, node.entry);
        const report = await readInitWork(context, work.key);
        return proveScaffold({ context, node, spec, report, work, signal });
      },
      accept,
    }),
};

async function readInitWork(context: RunContext, key: string): Promise<InitWork> {
  const ref = resultOf(context, key)?.payload ?? null;
  invariant(ref, `${key} left a scaffold and reported no InitWork`);
  return InitWork.parse(await decisionPayload(context, ref));
}

async function accept(
  { context, command, node, work: { commit, key } }: WorkCheck,
  { contract }: ScaffoldProof,
): Promise<readonly RunEvent[]> {
  const { payloads } = context;
  const { id, entry } = node;
  const work = { ...(await readInitWork(context, key)), scaffoldCommit: commit };
  return [
    { type: "node.moved", node: id, by: "scaffold", commit, base: entry.base },
    { type: "node.accepted", node: id, exit: "InitWork", ref: await payloads.put(canonicalJson(work)) },
    { type: "node.locked", node: id, commit, ...(await locks(context, { node, work, contract })) },
    ...(await childFacts({ context, command, node, work })),
  ];
}

interface LockRequest {
  readonly node: Node;
  readonly work: InitWork;
  /** Ids of the contract suite. */
  readonly contract: readonly string[];
}

/** Earlier locks stay, because a repeated scaffold may change no test (V3-09). */
async function locks(context: RunContext, { node, work, contract }: LockRequest) {
  const { locked } = node.entry;
  const { scaffoldCommit: commit } = work;
  const contractSuite = cleanPath(work.contractSuite);
  const tests = await testFilesBefore(context, node);
  const paths = [
    contractSuite,
    ...interfacesOf(work),
    ...(await ancestorInterfaces(context, node.parent)),
    ...tests,
  ];
  const before = (locked?.required ?? []).filter((id) => tests.includes(fileOfTest(id)));
  return {
    files: await hashFiles(context.repository, { commit, paths }),
    required: [...new Set([...contract, ...before])],
  };
}

/** The locked files with the node's own tests, without its contract suite and interfaces. */
async function testFilesBefore(context: RunContext, { entry }: Node): Promise<readonly string[]> {
  const ref = entry.accepted.InitWork;
  if (ref === undefined || entry.locked === null) return [];
  const last = InitWork.parse(JSON.parse(await context.payloads.text(ref)));
  const other = new Set([cleanPath(last.contractSuite), ...interfacesOf(last)]);
  return Object.keys(entry.locked.files).filter((path) => !other.has(path));
}
