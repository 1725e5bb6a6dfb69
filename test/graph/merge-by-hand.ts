/**
 * Nodes whose work the test commits and journals as facts, so that merges and rebases run on real commits without the
 * earlier steps. The gates are the real ones.
 */
import type { Verdict } from "../../src/gates/verdict.ts";
import { hashFiles } from "../../src/git/objects/contents.ts";
import { changedPaths } from "../../src/git/objects/tree.ts";
import type { Cause, DispatchCommand } from "../../src/kernel/command.ts";
import type { RunEvent } from "../../src/log/run-event.ts";
import { canonicalJson } from "../../src/lib/hash.ts";
import type { Spec } from "../../src/protocol/graph-types/shared.ts";
import type { Gate, GateCommand, GateResult } from "../../src/family/gate.ts";
import { nodeBranch, nodeOf } from "../../src/families/graph/node.ts";
import { nodeWork } from "../../src/families/graph/work.ts";
import { byHand, type ByHand, type Files } from "./by-hand.ts";

export interface GateAnswer extends GateResult {
  readonly outcome: string;
  /** `name: reason` of each check that did not pass. */
  readonly failures: readonly string[];
  /** The payload for the next dispatch. */
  readonly nextPayload: unknown;
}

export interface MergeByHand extends ByHand {
  /** Commits on a parent without changing the checkout. */
  commitOn(parent: string, files: Files, message?: string): Promise<string>;
  /** Adds a scaffold, tests and an implementation to a node's base, one commit each. */
  addWork(id: string, work: NodeFiles): Promise<Readonly<Record<"scaffold" | "tests" | "head", string>>>;
  /** Moves the node's branch like a gate. */
  move(id: string, by: "impl" | "child" | "tests", commit: string): Promise<void>;
  /** Runs a gate of this node. Its answer is not journaled. */
  ask(gate: Gate, id: string, causes?: readonly Cause[], repairs?: number): Promise<GateAnswer>;
  /** The work of a Rebaser that writes these files. */
  repair(id: string, files: Files, causes?: readonly Cause[]): Promise<RebaserWork>;
  /** Journals an answer like the session: its facts and its sealed records. */
  take(id: string, asked: GateAnswer): Promise<void>;
  /** The cause for an agent's decision, with its payload stored. */
  decision(outcome: string, payload: unknown): Promise<Cause>;
  branch(id: string): Promise<string>;
}

export interface RebaserWork {
  readonly commit: string;
  /** The files that the Rebaser found. */
  found(path: string): Promise<string | null>;
}

export interface NodeFiles {
  readonly scaffold: Files;
  readonly contract: string;
  readonly tests: Files;
  readonly impl: Files;
  readonly required: readonly string[];
}

export async function mergeByHand(setting: {
  readonly files: Files;
  readonly spec: Spec;
  readonly scaffold: Files;
  readonly work: object;
}): Promise<MergeByHand> {
  const hand = await byHand({ files: setting.files, spec: setting.spec });
  const { context, run, world } = hand;
  const { session, payloads, repository } = context;
  const { git, write } = world.repository;
  const root = setting.spec.id;
  const judged = await hand.judge(root, "InitWork", { files: setting.scaffold, payload: setting.work });
  if (judged.verdict.verdict !== "pass")
    throw new Error(`the scaffold is refused: ${JSON.stringify(judged.verdict.checks)}`);

  const commandIn = (id: string): GateCommand => {
    const open = session.state.open.find(
      (command) => command.type !== "spawn" && nodeOf(context, command)?.id === id,
    );
    if (open === undefined) throw new Error(`nothing is open in ${id}`);
    const { key, frame, path, state, counters, round } = open;
    return { type: "merge", gate: "squash", key, frame, path, state, counters, round, causes: [] };
  };
  const merge: MergeByHand = {
    ...hand,
    commitOn: async (parent, files, message = "By hand") => {
      await git("checkout", "--quiet", "--detach", parent);
      await write(files);
      const id = await world.repository.commit(message);
      await git("checkout", "--quiet", "--force", "main");
      return id;
    },
    addWork: async (id, { scaffold, contract, tests, impl, required }) => {
      const { base } = hand.node(id);
      const first = await merge.commitOn(base, scaffold, "Scaffold");
      const second = await merge.commitOn(first, tests, "Tests");
      const head = await merge.commitOn(second, impl, "Implement");
      const paths = [contract, ...Object.keys(tests)];
      const files = await hashFiles(repository, { commit: second, paths });
      const ref = await payloads.put(
        canonicalJson({
          scaffoldCommit: first,
          interfaceFile: Object.keys(scaffold)[0],
          contractSuite: contract,
          testPlan: [],
        }),
      );
      await session.record([
        { type: "node.moved", node: id, by: "scaffold", commit: first, base },
        { type: "node.accepted", node: id, exit: "InitWork", ref },
        { type: "node.tested", node: id, commit: second },
        { type: "node.moved", node: id, by: "tests", commit: second, base },
        { type: "node.locked", node: id, commit: second, files, required: [...required] },
      ]);
      await merge.move(id, "impl", head);
      return { scaffold: first, tests: second, head };
    },
    move: async (id, by, commit) => {
      const { base } = hand.node(id);
      await git("update-ref", nodeBranch(run, id), commit);
      await session.record([{ type: "node.moved", node: id, by, commit, base }]);
    },
    ask: async (gate, id, causes = [], repairs = 0) => {
      const counters = { repairs: { value: repairs, limit: 1 } };
      const command = { ...commandIn(id), causes, counters };
      const answer = await gate.check({ context, command, signal: new AbortController().signal });
      const { verdict, payload } = answer;
      return {
        ...answer,
        outcome: verdict.outcome,
        failures: wrongIn(verdict),
        nextPayload: payload === undefined ? null : JSON.parse(await payloads.text(payload)),
      };
    },
    repair: async (id, changes, causes = []) => {
      const { key, frame, path, state, counters, round } = commandIn(id);
      const command: DispatchCommand = {
        type: "dispatch",
        role: "rebaser",
        reports: [],
        sees: [],
        thread: { type: "fresh" },
        params: [],
        key,
        frame,
        path,
        state,
        counters,
        round,
        causes,
      };
      const work = await nodeWork(context, command, "mechanical");
      if (work?.kind !== "rebased") throw new Error("a Rebaser has nothing to write");
      await git("checkout", "--quiet", "--detach", work.from);
      await write(changes);
      await git("add", "--all");
      const tree = await git("write-tree");
      const commit = await git("commit-tree", tree, "-p", work.parent, "-m", "Adapt by hand");
      await git("checkout", "--quiet", "--force", "main");
      const paths = (await changedPaths(repository, { from: work.parent, to: commit })).map(
        (one) => one.path,
      );
      const { parent, from, kind } = work;
      const ref = `refs/mettle/runs/${run}/${key}`;
      await session.record([
        { type: "commit.made", key, kind, node: id, commit, tree, parent, from, paths, ref },
      ]);
      return { commit, found: (one) => hand.textAt(work.from, one) };
    },
    take: async (id, { facts = [], drafts = [] }) => {
      await session.prove(commandIn(id).key, drafts, facts as readonly RunEvent[]);
    },
    decision: async (outcome, payload) => ({
      key: "merger#1",
      path: "merger",
      outcome,
      payload: await payloads.put(canonicalJson({ status: outcome, message: "by hand", payload })),
    }),
    branch: (id) => git("rev-parse", nodeBranch(run, id)),
  };
  return merge;
}

function wrongIn({ checks }: Verdict): readonly string[] {
  return checks.filter(({ verdict }) => verdict !== "pass").map(({ name, reason }) => `${name}: ${reason}`);
}
