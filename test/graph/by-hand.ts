/** A graph run played by hand, without agents: the test commits, and calls each real gate through the run's session. */
import { expect } from "vitest";
import type * as z from "zod";
import type { Verdict } from "../../src/gates/verdict.ts";
import { replay } from "../../src/git/replay.ts";
import { changedPaths, treeOf } from "../../src/git/objects/tree.ts";
import type { Command, DispatchCommand } from "../../src/kernel/command.ts";
import type { NodeExit } from "../../src/log/node-events.ts";
import type { EventOf, RunEvent } from "../../src/log/run-event.ts";
import { canonicalJson } from "../../src/lib/hash.ts";
import type { InitWork } from "../../src/protocol/graph-types/scaffold.ts";
import type { Spec } from "../../src/protocol/graph-types/shared.ts";
import { runCheck } from "../../src/engine/checks/run-check.ts";
import type { FamilyRun } from "../../src/family/family.ts";
import { renderPrompt } from "../../src/dispatch/prompt/prompt.ts";
import { writesOf } from "../../src/dispatch/workspace/workspace.ts";
import { nodeOf } from "../../src/families/graph/node.ts";
import { settleNode } from "../../src/families/graph/decision/settle-node.ts";
import { nodeWork } from "../../src/families/graph/work.ts";
import { openRun } from "../../src/families/open-run.ts";
import type { Settlement } from "../../src/run/settlement.ts";
import type { NodeEntry } from "../../src/log/nodes.ts";
import { createWorld, golden, type World } from "../orchestrate/world.ts";

/** Text, or null to delete the file. */
export type Files = Readonly<Record<string, string | null>>;

export interface Judgement {
  readonly verdict: Verdict;
  readonly settlement: Settlement;
}

export interface ByHand {
  readonly world: World;
  readonly run: string;
  readonly context: FamilyRun;
  /** States of all open commands as `node state`, sorted. */
  open(): readonly string[];
  node(id: string): NodeEntry;
  /** Ends a dispatch that wrote these files, as the runtime does. */
  work(
    node: string,
    status: string,
    given: { readonly files?: Files; readonly payload?: unknown },
  ): Promise<void>;
  /** Runs the open gate of a node and applies its answer. */
  gate(node: string): Promise<Judgement>;
  /** Work that a gate refuses or accepts. */
  judge(
    node: string,
    status: string,
    given: { readonly files?: Files; readonly payload?: unknown },
  ): Promise<Judgement>;
  /** The commit that the agent of the open dispatch would start from. */
  from(node: string): Promise<string>;
  /** Ends the open command of a node. */
  say(node: string, outcome: string, facts?: readonly RunEvent[]): Promise<void>;
  /** Plays a node by hand from its review to its squash on the parent's branch, with these files beside its own. */
  merge(node: string, files?: Files): Promise<string>;
  /** Rebases a node onto its parent's head, as its open rebase does. */
  rebase(node: string): Promise<void>;
  /** The whole prompt of the open dispatch in a node. */
  prompt(node: string): Promise<string>;
  /** Text of a file at a commit; null if it does not exist. */
  textAt(commit: string, path: string): Promise<string | null>;
}

export async function byHand(setting: { readonly files: Files; readonly spec: Spec }): Promise<ByHand> {
  const world = await createWorld({
    ...(setting.files as Readonly<Record<string, string>>),
    ".gitignore": "node_modules\n",
  });
  const run = await world.start(await golden(), {
    protocol: "graph",
    task: setting.spec.description,
    limits: { scaffold: 50, batch: 50, attempt: 50 },
    spec: { spec: setting.spec, file: null },
  });
  const context = await openRun(world.host, { run });
  const { session, payloads } = context;

  const openIn = (node: string): Command => {
    const found = session.state.open.filter((command) => idOf(context, command) === node);
    const [command] = found.filter(({ type }) => type !== "spawn");
    if (!command) throw new Error(`nothing is open in ${node}`);
    return command;
  };
  const hand: ByHand = {
    world,
    run,
    context,
    open: () =>
      session.state.open
        .filter(({ type }) => type !== "spawn")
        .map((command) => `${idOf(context, command)} ${command.state}`)
        .toSorted(),
    node: (id) => {
      const entry = session.view.nodes[id];
      if (!entry) throw new Error(`there is no node ${id}`);
      return entry;
    },
    work: async (id, status, { files = {}, payload = null }) => {
      const command = openIn(id);
      if (command.type !== "dispatch") throw new Error(`${command.state} is no dispatch`);
      const commit = await commitOf(hand, command, files);
      const node = nodeOf(context, command);
      if (!node) throw new Error("no node");
      const told = await settleNode({ context, command, node, status, payload, commit });
      const { payload: meant, facts, ...rest } = told;
      const stored = { status, message: "done by hand", payload: meant };
      await settle(hand, command.key, {
        ...rest,
        payload: await payloads.put(canonicalJson(stored)),
        text: "done by hand",
        facts: [startedBy(command), ...(commit === null ? [] : [commit]), ...facts],
      });
    },
    gate: async (id) => {
      const command = openIn(id);
      if (command.type !== "check") throw new Error(`${command.state} is no check`);
      const settlement = await runCheck(context, command, new AbortController().signal);
      if (settlement === null) throw new Error("the check was stopped");
      await settle(hand, command.key, settlement);
      const judged = session.view.judged.findLast(({ key }) => key === command.key);
      const verdict = JSON.parse(await payloads.text(judged?.ref ?? "")) as Verdict;
      return { verdict, settlement };
    },
    judge: async (id, status, given) => {
      await hand.work(id, status, given);
      return hand.gate(id);
    },
    from: async (id) => {
      const command = openIn(id);
      if (command.type !== "dispatch") throw new Error(`${id} is not at work`);
      return (await nodeWork(context, command, writesOf(context, command)))?.from ?? "";
    },
    say: async (id, outcome, facts = []) => {
      await settle(hand, openIn(id).key, { outcome, facts });
    },
    rebase: (id) => rebaseOf(hand, id),
    merge: (id, files = {}) => mergeOf(hand, id, files),
    prompt: async (id) => {
      const command = openIn(id);
      if (command.type !== "dispatch") throw new Error(`${id} is not at work`);
      return (await renderPrompt(context, command, { asks: false })).text;
    },
    textAt: async (commit, path) => {
      const list = await world.repository.git("ls-tree", "--name-only", commit, "--", path);
      return list === "" ? null : `${await world.repository.git("show", `${commit}:${path}`)}\n`;
    },
  };
  return hand;
}

function idOf(context: FamilyRun, command: Command): string {
  return nodeOf(context, command)?.id ?? "";
}

/** Each role of a node has one conversation. */
export function startedBy({ key, frame, role }: DispatchCommand): EventOf<"dispatch.started"> {
  return {
    type: "dispatch.started",
    key,
    role,
    agent: "hand",
    vendor: "hand",
    conversation: `${frame} ${role}`,
    resumed: false,
    workspace: "",
    isolation: "none",
    prompt: "",
  };
}

/** Commits like the runtime, from the role's start commit; null if the role writes nothing. */
async function commitOf(
  { world, context, run }: ByHand,
  command: DispatchCommand,
  files: Files,
): Promise<EventOf<"commit.made"> | null> {
  const start = await nodeWork(context, command, writesOf(context, command));
  if (!start || start.kind === null) return null;
  const { git, write } = world.repository;
  const { from, parent, kind, node } = start;
  await git("checkout", "--quiet", "--detach", from);
  await write(files);
  await git("add", "--all");
  const tree = await git("write-tree");
  const id = await git("commit-tree", tree, "-p", parent, "-m", `${kind} by hand`);
  await git("checkout", "--quiet", "--force", "main");
  const paths = (await changedPaths(context.repository, { from: parent, to: id })).map(({ path }) => path);
  const { key } = command;
  return {
    type: "commit.made",
    key,
    kind,
    node: node.id,
    commit: id,
    tree: await treeOf(context.repository, id),
    parent,
    from,
    paths,
    ref: `refs/mettle/runs/${run}/${key}`,
  };
}

async function mergeOf(hand: ByHand, id: string, files: Files): Promise<string> {
  const { git, write } = hand.world.repository;
  const parent = id.slice(0, id.lastIndexOf("--"));
  const [own, above] = [hand.node(id), hand.node(parent)];
  await git("checkout", "--quiet", "--detach", above.head);
  for (const { path } of await changedPaths(hand.context.repository, { from: own.base, to: own.head }))
    await write({ [path]: await hand.textAt(own.head, path) });
  await write(files);
  await git("add", "--all");
  const message = `squash ${id}\n\nMettle-Node: ${id}`;
  const commit = await git("commit-tree", await git("write-tree"), "-p", above.head, "-m", message);
  await git("checkout", "--quiet", "--force", "main");
  await git("update-ref", `refs/heads/mettle/${hand.run}/${parent}`, commit);
  const event = await hand.context.payloads.put(
    canonicalJson({ mergeCommit: commit, author: id, impactLevel: "Additive", changes: [] }),
  );
  for (const outcome of ["Approved", "ready", "Approved", "MergeComplete"]) await hand.say(id, outcome);
  const { files: hashes = {}, required = [] } = own.locked ?? {};
  await hand.say(id, "done", [
    { type: "node.merged", node: parent, child: id, commit, event, files: hashes, required },
    { type: "node.moved", node: parent, by: "child", commit, base: above.base },
  ]);
  return commit;
}

async function rebaseOf(hand: ByHand, id: string): Promise<void> {
  const { base, head, scaffold, tests: red } = hand.node(id);
  const onto = hand.node(id.slice(0, id.lastIndexOf("--"))).head;
  const { tip, rewritten: became } = await replay(hand.context.repository, { from: base, to: head, onto });
  const now = (commit: string | null) => (commit === null ? undefined : became.get(commit));
  const [laid, batch] = [now(scaffold), now(red)];
  await hand.world.repository.git("update-ref", `refs/heads/mettle/${hand.run}/${id}`, tip);
  await hand.say(id, "RebaseClean", [
    {
      type: "node.moved",
      node: id,
      by: "rebase",
      commit: tip,
      base: onto,
      ...(laid === undefined ? {} : { scaffold: laid }),
      ...(batch === undefined ? {} : { tests: batch }),
    },
  ]);
}

async function settle({ context }: ByHand, key: string, settlement: Settlement): Promise<void> {
  const { ignored } = await context.session.settle(key, settlement);
  expect(ignored).toBeNull();
}

/** The checks that did not pass, as `fail name: reason`. */
export function wrong({ verdict }: Judgement): readonly string[] {
  return verdict.checks
    .filter((check) => check.verdict !== "pass")
    .map(({ verdict: word, name, reason }) => `${word} ${name}: ${reason}`);
}

/** The accepted payload of an exit, typed. */
export async function accepted<T>(
  hand: ByHand,
  entry: NodeEntry,
  exit: NodeExit,
  type: z.ZodType<T>,
): Promise<T> {
  return storedMemory(hand, entry.accepted[exit] ?? null, type);
}

export async function storedMemory<T>(
  { context }: ByHand,
  ref: string | null,
  type: z.ZodType<T>,
): Promise<T> {
  return type.parse(JSON.parse(await context.payloads.text(ref ?? "")));
}

/** A small project with two functions, and the files of its scaffold. */
export const calc: Spec = {
  id: "calc",
  description: "Add and subtract",
  acceptanceCriteria: [
    { id: "AC-1", text: "add(2, 3) gives 5" },
    { id: "AC-2", text: "sub(5, 3) gives 2" },
  ],
  targetPath: "src/calc",
  testPath: "test/calc",
};

/** Specs of two children of `calc`, with a criterion each. */
export const calcChildren = (...ids: readonly string[]) =>
  ids.map((id, at) => ({
    id,
    description: `The ${id}`,
    acceptanceCriteria: calc.acceptanceCriteria.slice(at, at + 1),
    targetPath: `src/calc/${id}.js`,
    testPath: `test/calc/${id}`,
  }));

export const calcFiles: Files = {
  "package.json":
    '{ "type": "module", "scripts": { "build": "node --check src/calc/add.js", "test": "node --test" } }\n',
};

export function stub(name: string): string {
  return `export function ${name}() {\n  throw new Error("not implemented: ${name}");\n}\n`;
}

/** A test file for node's own runner. */
export function tests(
  from: Readonly<Record<string, string>>,
  ...cases: readonly (readonly [string, string])[]
): string {
  const imports = Object.entries(from).map(([module, names]) => `import ${names} from "${module}";`);
  const bodies = cases.map(([title, body]) => `test("${title}", () => {\n  ${body}\n});`);
  return `${['import { test } from "node:test";', 'import assert from "node:assert";', ...imports, ...bodies].join("\n")}\n`;
}

export const contract = tests({ "../../src/calc/index.js": "{ add, sub }" }, [
  "contract: both give numbers",
  'assert.deepEqual([typeof add(1, 1), typeof sub(1, 1)], ["number", "number"]);',
]);

export const scaffoldFiles: Files = {
  "src/calc/index.js": 'export { add } from "./add.js";\nexport { sub } from "./sub.js";\n',
  "src/calc/add.js": stub("add"),
  "src/calc/sub.js": stub("sub"),
  "test/calc/contract.test.js": contract,
};

export function initWork(change: Partial<InitWork> = {}): InitWork {
  return {
    scaffoldCommit: "mine",
    interfaceFile: "src/calc/index.js",
    contractSuite: "test/calc/contract.test.js",
    testPlan: [
      { criterionId: "AC-1", plannedTestName: "adds two numbers", approach: "call it" },
      { criterionId: "AC-2", plannedTestName: "subtracts two numbers", approach: "call it" },
    ],
    interfaces: [{ path: "src/calc/index.js", exports: ["add", "sub"] }],
    ...change,
  };
}
