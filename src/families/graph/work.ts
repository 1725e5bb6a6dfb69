/** The start commit of a node's agent, and the kind of its commit. */
import { kindOf } from "../../source/paths.ts";
import { commitTree } from "../../git/objects/commit.ts";
import { mergeOnBase } from "../../git/replay.ts";
import { composeTree } from "../../git/objects/tree.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { EventOf } from "../../log/run-event.ts";
import type { RunView } from "../../log/run-view.ts";
import { invariant } from "../../lib/assert-never.ts";
import type { RunContext } from "../../run/context.ts";
import { workFrom, type Work } from "../../family/work.ts";
import { graphRules } from "./facts.ts";
import { resultsOf } from "./history.ts";
import { nodeOf, type Node } from "./node.ts";
import { rebaseStart } from "./rebase/rebase-start.ts";

export interface NodeWork extends Work {
  readonly node: Node;
}

export function isNodeWork(work: Work): work is NodeWork {
  return "node" in work;
}

/** @param writes what the role may write */
export async function nodeWork(
  context: RunContext,
  command: DispatchCommand,
  writes: string,
): Promise<NodeWork> {
  const node = nodeOf(context, command);
  invariant(node, `${command.path} belongs to no node`);
  const { from, ...own } = await startOfWork(context, { command, node, writes });
  const isInPlace = ({ nodes }: RunView): boolean => isStillThere(nodes, { node, ...own });
  return { ...workFrom(from, { ...own, isInPlace, of: { node: node.id } }), node };
}

interface WorkStart extends Pick<Work, "from" | "parent" | "kind"> {
  readonly node: Node;
}

async function startOfWork(
  context: RunContext,
  {
    command,
    node,
    writes,
  }: { readonly command: DispatchCommand; readonly node: Node; readonly writes: string },
): Promise<Omit<WorkStart, "node">> {
  const { head, candidate } = node.entry;
  switch (writes) {
    case "scaffold":
      return {
        kind: "scaffold",
        parent: head,
        from: refusedWork(context, command, node, "scaffold") ?? head,
      };
    case "tests": {
      // On the scaffold alone, so that a child's merge does not affect the tests (V3-32).
      const parent = testsBase(node.entry);
      return { kind: "red", parent, from: refusedWork(context, command, node, "red") ?? parent };
    }
    case "source": {
      const own = refusedWork(context, command, node, "green");
      const from = own === null ? head : await sourceOver(context, { node, own, key: command.key });
      return { kind: "green", parent: head, from };
    }
    case "mechanical":
      return { kind: "rebased", ...(await rebaseStart(context, command, node)) };
    default:
      return { kind: null, parent: head, from: candidate?.commit ?? head };
  }
}

/** Whether the node is still where this work began; if not, its gate places the work on the current head. */
function isStillThere(nodes: RunView["nodes"], { node, kind, parent }: Omit<WorkStart, "from">): boolean {
  const entry = nodes[node.id];
  if (entry === undefined || kind === "rebased") return true;
  return parent === (kind === "red" ? testsBase(entry) : entry.head);
}

/** The commit that a node's tests are written on. */
export function testsBase({ head, tests, scaffold }: Node["entry"]): string {
  return tests ?? scaffold ?? head;
}

/** The node's newest commit of this kind, if the conversation continues from it and no gate accepted it. */
function refusedWork(
  context: RunContext,
  { thread }: DispatchCommand,
  { id, entry }: Node,
  kind: EventOf<"commit.made">["kind"],
): string | null {
  if (thread.type !== "continue") return null;
  const own = context.session.view.commits.findLast((commit) => commit.node === id && commit.kind === kind);
  return own === undefined || wasAccepted(context, own) || !isOnCurrentHead(own, entry) ? null : own.commit;
}

/** An accepted commit is already below the node's head, perhaps on another base. */
function wasAccepted(context: RunContext, { key }: EventOf<"commit.made">): boolean {
  const frame = context.session.view.commands[key]?.command.frame ?? "";
  const results = resultsOf(context, frame);
  const made = results.findIndex((result) => result.key === key);
  const judged = results.slice(made + 1).find(({ command }) => command.type === "check");
  return made !== -1 && judged?.outcome === "pass";
}

/** Continuing a commit on an older head would undo what was merged since. */
function isOnCurrentHead({ kind, parent }: EventOf<"commit.made">, entry: Node["entry"]): boolean {
  if (kind === "green") return true;
  return parent === (kind === "red" ? testsBase(entry) : entry.head);
}

/** The last attempt's source combined with later merges; locked files that it changed are restored (V3-34). */
async function sourceOver(
  context: RunContext,
  { node, own, key }: { readonly node: Node; readonly own: string; readonly key: string },
): Promise<string> {
  const { repository, session, run } = context;
  const { head, locked } = node.entry;
  const made = session.view.commits.findLast(({ commit }) => commit === own);
  const touched = new Set(made?.paths ?? []);
  const rules = await graphRules(context);
  const base = made?.parent ?? head;
  const source = await composeTree(repository, {
    base,
    overlay: own,
    take: (path) => touched.has(path) && kindOf(path, rules) === "source" && !(path in (locked?.files ?? {})),
  });
  // Where both sides changed the same lines, the file contains conflict markers.
  const { tree } = await mergeOnBase(repository, { base, ours: head, theirs: source });
  return commitTree(repository, {
    tree,
    parents: [head],
    subject: "Apply the last attempt to the newest head",
    trailers: { "Mettle-Run": run, "Mettle-Key": key },
    dateMs: Date.parse(session.view.commands[key]?.at ?? ""),
  });
}
