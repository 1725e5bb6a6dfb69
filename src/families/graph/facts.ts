/** Facts for the gates of a node: its spec, the test and source paths of the whole tree, and the work to judge. */
import { fileOfTest } from "../../evidence/test-ids.ts";
import { invariant } from "../../lib/assert-never.ts";
import type { PathRules } from "../../source/paths.ts";
import { holds } from "../../gates/node/node-paths.ts";
import type { Command } from "../../kernel/command.ts";
import { union } from "../../lib/lists.ts";
import { InitWork } from "../../protocol/graph-types/scaffold.ts";
import { Spec, type PlannedTest } from "../../protocol/graph-types/shared.ts";
import { MoreTests } from "../../protocol/graph-types/tdd.ts";
import type { NodeEntry } from "../../log/nodes.ts";
import type { Candidate } from "../../engine/checks/work.ts";
import type { RunContext } from "../../run/context.ts";
import { resultsOf } from "./history.ts";
import { nodeOf, type Node } from "./node.ts";
import { acceptedOf, decisionPayload, readStored } from "./payloads.ts";

export function specOf(context: RunContext, entry: NodeEntry): Promise<Spec> {
  return readStored(context, entry.spec, Spec);
}

export function requireNode(context: RunContext, command: Pick<Command, "frame">): Node {
  const node = nodeOf(context, command);
  invariant(node, "a gate of a node runs in a run without nodes");
  return node;
}

/** The newest commit of this kind by an agent of the node. */
export function workOf({ session }: RunContext, { id }: Node, kind: Candidate["kind"]): Candidate {
  const found = session.view.commits.findLast((commit) => commit.node === id && commit.kind === kind);
  invariant(found, `a gate of ${id} runs only after a dispatch that was committed`);
  return found;
}

/** The paths of the settings and of all specs and scaffolds in the tree. */
export async function graphRules(
  context: RunContext,
  {
    tests = [],
    source = [],
  }: { readonly tests?: readonly string[]; readonly source?: readonly string[] } = {},
): Promise<PathRules> {
  const { settings, session } = context;
  const entries = Object.values(session.view.nodes);
  const specs = await Promise.all(entries.map((entry) => specOf(context, entry)));
  const works = await Promise.all(
    entries.map((entry) => acceptedOf(context, { entry, exit: "InitWork", type: InitWork })),
  );
  // A test folder that contains the target does not tell tests from source.
  const own = specs.filter(({ testPath, targetPath }) => !holds(testPath, targetPath));
  return {
    tests: union(
      settings.paths.tests,
      own.map(({ testPath }) => testPath),
      works.flatMap((work) => (work === null ? [] : [work.contractSuite])),
      tests,
    ),
    source: union(
      settings.paths.source,
      specs.map(({ targetPath }) => targetPath),
      source,
    ),
    rest: settings.paths.rest,
  };
}

/** The conversation of a dispatch. */
export function conversationOf({ session }: RunContext, key: string): string {
  return session.view.dispatches[key]?.conversation ?? "";
}

/** Every test planned for the node, oldest plan first. A later entry replaces an earlier one of the same name. */
export async function allPlannedTests(context: RunContext, { frame }: Node): Promise<readonly PlannedTest[]> {
  const planning = resultsOf(context, frame).flatMap(({ outcome, payload }) =>
    payload !== null && (outcome === "InitWork" || outcome === "MoreTests") ? [{ outcome, payload }] : [],
  );
  const lists = planning.map(async ({ outcome, payload }) => {
    const decision = await decisionPayload(context, payload);
    return outcome === "InitWork"
      ? InitWork.parse(decision).testPlan
      : MoreTests.parse(decision).additionalTests;
  });
  return (await Promise.all(lists)).flat();
}

/** Used to exclude the contract suite: its tests are locked but belong to no criterion. */
export function isInFile(id: string, path: string): boolean {
  return fileOfTest(id) === path;
}
