/** A driver that dies after it moved a node's branch and before journaling it: the next starts from the journal. */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect } from "vitest";
import { runCheck } from "../../src/engine/checks/run-check.ts";
import { prepareRun } from "../../src/engine/lifecycle.ts";
import { abortRebase } from "../../src/families/graph/rebase/abort-rebase.ts";
import { nodeOf, type Node } from "../../src/families/graph/node.ts";
import { parentHead } from "../../src/families/graph/rebase/parent-branch.ts";
import {
  byHand,
  calc,
  calcFiles,
  initWork,
  scaffoldFiles,
  wrong,
  type ByHand,
  calcChildren,
} from "./by-hand.ts";
import { inCi } from "../verifies.ts";

const [one, two] = ["calc--one", "calc--two"] as const;
const frame = "work/children/children/two";
const childSpecs = calcChildren("one", "two");

let hand: ByHand;
let git: (...args: readonly string[]) => Promise<string>;
const branch = (id: string) => `refs/heads/mettle/${hand.run}/${id}`;

async function commitOn(parent: string, path: string): Promise<string> {
  await git("checkout", "--quiet", "--detach", parent);
  await hand.world.repository.write({ [path]: "export {};\n" });
  const commit = await hand.world.repository.commit(`Add ${path}`);
  await git("checkout", "--quiet", "--force", "main");
  return commit;
}

/** Work of the parent that is accepted meanwhile: its tests. */
async function parentMoves(path: string): Promise<string> {
  const { head, base } = hand.node("calc");
  const commit = await commitOn(head, path);
  await git("update-ref", branch("calc"), commit);
  await hand.context.session.record([{ type: "node.moved", node: "calc", by: "tests", commit, base }]);
  return commit;
}

function nodeTwo(): Node {
  const node = nodeOf(hand.context, { frame });
  if (!node) throw new Error("there is no node two");
  return node;
}

function rebaseOfTwo() {
  const command = hand.context.session.state.open.find((open) => open.frame === frame);
  if (command?.type !== "rebase") throw new Error("two is not being rebased");
  return command;
}

beforeAll(async () => {
  hand = await byHand({ files: calcFiles, spec: calc });
  ({ git } = hand.world.repository);
  const laid = await hand.judge("calc", "InitWork", {
    files: scaffoldFiles,
    payload: initWork({ childSpecs }),
  });
  expect(wrong(laid)).toEqual([]);
  for (const outcome of ["InitWork", "pass", "TestsReady", "pass", "TestsPassed", "pass"])
    await hand.say(one, outcome);
  await hand.merge(one, { "src/calc/one.js": "export const one = 1;\n" });
  const { head, base } = hand.node(two);
  const commit = await commitOn(head, "src/calc/two.js");
  await git("update-ref", branch(two), commit);
  await hand.context.session.record([{ type: "node.moved", node: two, by: "impl", commit, base }]);
  await hand.say(two, "InitWork");
});

inCi("a rebase onto a head that has moved is repeated", async () => {
  const { context } = hand;
  const { signal } = new AbortController();
  const { head } = hand.node(two);
  const first = await runCheck(context, rebaseOfTwo(), signal);
  expect(first?.outcome).toBe("RebaseClean");
  const lost = await git("rev-parse", branch(two));
  expect(lost).not.toBe(head);

  const onto = await parentMoves("test/calc/first.test.js");
  await prepareRun(context);
  expect(await git("rev-parse", branch(two))).toBe(head);
  const command = rebaseOfTwo();
  const again = await runCheck(context, command, signal);
  expect(again?.outcome).toBe("RebaseClean");
  if (again) await context.session.settle(command.key, again);
  expect(hand.node(two)).toMatchObject({ base: onto, head: await git("rev-parse", branch(two)) });
});

inCi("an aborted rebase is aborted again, and a person's commit stays", async () => {
  const { context } = hand;
  const conflict = { conflictFile: "a", ourChange: "b", theirChange: "c", whyUnresolvable: "d" };
  const [open] = context.session.state.open.filter((command) => command.frame === frame);
  const { head } = hand.node(two);
  await parentMoves("test/calc/second.test.js");
  const first = await abortRebase(context, nodeTwo(), { conflict, key: open?.key ?? "" });
  const reset = await git("rev-parse", branch(two));
  expect([first.type, reset === head]).toEqual(["aborted", false]);
  await parentMoves("test/calc/third.test.js");
  await prepareRun(context);
  expect(await git("rev-parse", branch(two))).toBe(head);

  const theirs = await commitOn(hand.node("calc").base, "src/theirs.js");
  await git("update-ref", branch(two), theirs);
  await prepareRun(context);
  expect(await git("rev-parse", branch(two))).toBe(theirs);
  await git("update-ref", branch(two), head);
});

inCi("a child waits for its parent's branch until the branch's move is journaled", async () => {
  const { base } = hand.node("calc");
  const other = await commitOn(base, "src/other.js");
  await git("update-ref", branch("calc"), other);
  const looking = parentHead(hand.context, nodeTwo());
  await sleep(200);
  await hand.context.session.record([
    { type: "node.moved", node: "calc", by: "rebase", commit: other, base },
  ]);
  expect(await looking).toEqual({ type: "head", commit: other, ref: other });
});
