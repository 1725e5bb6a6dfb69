/** Input of Impl: tests, merged and failed children, attempt count and critiques (V3-16, 17). */
import type { DispatchCommand } from "../../../kernel/command.ts";
import { nodeIdOf, parentIdOf } from "../../../log/node-id.ts";
import { MergeFailed } from "../../../protocol/graph-types/feedback.ts";
import type { NodeInput } from "../../../protocol/graph-types/nodes.ts";
import { InitWork } from "../../../protocol/graph-types/scaffold.ts";
import { MergeComplete, TestsReadyPayload, type Critique } from "../../../protocol/graph-types/shared.ts";
import { MoreTests } from "../../../protocol/graph-types/tdd.ts";
import type { RunContext } from "../../../run/context.ts";
import { specOf } from "../facts.ts";
import { resultsOf, sinceRole } from "../history.ts";
import type { Node } from "../node.ts";
import { acceptedOf, decisionPayload, readStored, requireAccepted } from "../payloads.ts";
import { workPayload } from "./work-payload.ts";

export async function implInput(
  context: RunContext,
  command: DispatchCommand,
  node: Node,
): Promise<NodeInput<"impl">> {
  const { id, entry } = node;
  const childMerges = await Promise.all(
    entry.merged.map(({ event }) => readStored(context, event, MergeComplete)),
  );
  return {
    spec: await specOf(context, entry),
    scaffold: await workPayload(context, node),
    testsReady: await requireAccepted(context, { entry, exit: "TestsReady", type: TestsReadyPayload }),
    childMerges,
    attemptCount: command.counters["attempt"]?.value ?? 1,
    critiqueList: await critiques(context, command),
    childFailures: await failedChildren(context, id, entry),
  };
}

/** Critiques of every MoreTests since Impl's last dispatch; they wait while TDD writes tests. */
async function critiques(context: RunContext, command: DispatchCommand): Promise<Critique[]> {
  const since = sinceRole(resultsOf(context, command.frame), command.role);
  const found = since.filter(({ outcome, payload }) => /^MoreTests\b/u.test(outcome) && payload !== null);
  const lists = await Promise.all(
    found.map(async ({ payload }) => MoreTests.safeParse(await decisionPayload(context, payload ?? ""))),
  );
  return lists.flatMap(({ data }) => data?.critiques ?? []);
}

/** Failed children that the newest scaffold dropped: this node now implements their criteria itself (V3-25). */
async function failedChildren(context: RunContext, id: string, entry: Node["entry"]): Promise<MergeFailed[]> {
  const work = await requireAccepted(context, { entry, exit: "InitWork", type: InitWork });
  const kept = new Set((work.childSpecs ?? []).map((child) => nodeIdOf([id, child.id])));
  const dropped = Object.values(context.session.view.nodes).filter(
    ({ node }) => parentIdOf(node) === id && !kept.has(node),
  );
  const failures = await Promise.all(
    dropped.map((child) => acceptedOf(context, { entry: child, exit: "MergeFailed", type: MergeFailed })),
  );
  return failures.filter((failure) => failure !== null);
}
