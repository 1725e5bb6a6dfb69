/**
 * A node whose rebase is aborted keeps its merged children; a child that cannot be replayed restarts.
 * @module-tag ci
 */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { abortRebase } from "../../src/families/graph/rebase/abort-rebase.ts";
import { nodeOf } from "../../src/families/graph/node.ts";
import { byHand, calc, calcFiles, initWork, stub, tests, wrong, type ByHand, type Files } from "./by-hand.ts";

const [mid, sister] = ["calc--mid", "calc--sister"] as const;
const stubbed = "src/calc/mid/stubbed.js";
const index = "src/calc/mid/index.js";
const names = ["stubbed", "clash", "file", "plain"] as const;
type Name = (typeof names)[number];

function childSpec(id: string, criterion: string, folder = "src/calc") {
  return {
    id,
    description: `The ${id}`,
    acceptanceCriteria: [{ id: criterion, text: "a part of it" }],
    targetPath: `${folder}/${id}.js`,
    testPath: `test/calc/${id}`,
  };
}

const middle = { ...childSpec("mid", "AC-1"), targetPath: "src/calc/mid" };
const children = names.map((id) => childSpec(id, `AC-1.${id}`, "src/calc/mid"));

const contractOf = (path: string, name: string, folder: string): Files => ({
  [`test/calc/${folder}contract.test.js`]: tests({ [path]: `{ ${name} }` }, [
    "contract: a number",
    `assert.equal(typeof ${name}(), "number");`,
  ]),
});
const rootFiles: Files = {
  "src/calc/index.js": 'export { add } from "./add.js";\n',
  "src/calc/add.js": stub("add"),
  ...contractOf("../../src/calc/index.js", "add", ""),
};
const midFiles: Files = {
  [index]: 'export { mid } from "./mid.js";\nexport { stubbed } from "./stubbed.js";\n',
  "src/calc/mid/mid.js": stub("mid"),
  ...contractOf("../../../src/calc/mid/index.js", "mid", "mid/"),
};
const midWork = initWork({
  interfaceFile: index,
  contractSuite: "test/calc/mid/contract.test.js",
  testPlan: [{ criterionId: "AC-1", plannedTestName: "AC-1: works", approach: "call it" }],
  interfaces: [{ path: index, exports: ["mid", "stubbed"] }],
  childSpecs: children,
});

/** Each child's files on its parent's branch. */
const brought: Readonly<Record<Name, Files>> = {
  stubbed: { [stubbed]: "export function stubbed() {\n  return 1;\n}\n" },
  clash: { "src/calc/mid/clash.js": "export const clash = 1;\n", "src/shared.js": "export const by = 2;\n" },
  file: { "src/ways.js": "export const way = 1;\n" },
  plain: { "src/calc/mid/plain.js": "export const plain = 1;\n" },
};

const conflict = {
  conflictFile: "src/shared.js",
  ourChange: "by is 2",
  theirChange: "by is 1",
  whyUnresolvable: "it is either of them",
};

let hand: ByHand;
let git: (...args: readonly string[]) => Promise<string>;
let before: string;
/** The node's feedback, and its open commands after its scaffold was accepted again. */
let prompt: string;
let open: readonly string[];

/** A sibling that was merged before is rebased in between. */
async function settle(id: string, outcome: string): Promise<void> {
  while (hand.open().includes(`${id} rebase`)) await hand.rebase(id);
  await hand.say(id, outcome);
}

/** A node with one commit of its own on its parent's branch, without its gates. */
async function addNode(id: string, files: Files): Promise<void> {
  for (const outcome of ["InitWork", "pass", "TestsReady", "pass", "TestsPassed"]) await settle(id, outcome);
  const { head, base } = hand.node(id);
  await git("checkout", "--quiet", "--detach", head);
  await hand.world.repository.write(files);
  const commit = await hand.world.repository.commit(`Work of ${id}`);
  await git("checkout", "--quiet", "--force", "main");
  await git("update-ref", `refs/heads/mettle/${hand.run}/${id}`, commit);
  await hand.say(id, "pass", [{ type: "node.moved", node: id, by: "impl", commit, base }]);
  await hand.merge(id);
}

const isSpawned = (item: string) =>
  Object.values(hand.context.session.view.commands).filter(
    ({ command }) => command.type === "spawn" && command.item === item,
  ).length;

beforeAll(async () => {
  hand = await byHand({ files: { ...calcFiles, "src/shared.js": "export const by = 0;\n" }, spec: calc });
  ({ git } = hand.world.repository);
  const interfaces = [{ path: "src/calc/index.js", exports: ["add"] }];
  const root = initWork({ childSpecs: [middle, childSpec("sister", "AC-2")], interfaces });
  expect(wrong(await hand.judge("calc", "InitWork", { files: rootFiles, payload: root }))).toEqual([]);
  const first = { ...midFiles, [stubbed]: stub("stubbed") };
  expect(wrong(await hand.judge(mid, "InitWork", { files: first, payload: midWork }))).toEqual([]);
  for (const name of names) await addNode(`${mid}--${name}`, brought[name]);
  before = hand.node(mid).head;
  await addNode(sister, {
    "src/calc/sister.js": "export const sister = 1;\n",
    "src/shared.js": "export const by = 1;\n",
    "src/ways.js/first.js": "export const first = 1;\n",
  });
  for (const outcome of ["TestsReady", "pass", "repair"]) await hand.say(mid, outcome);
  await hand.work(mid, "RebaseConflict", { payload: conflict });
  prompt = await hand.prompt(mid);
  expect(wrong(await hand.judge(mid, "InitWork", { files: midFiles, payload: midWork }))).toEqual([]);
  open = hand.open();
});

test("children that can be replayed on the new base stay merged, even one whose stub came with the node's scaffold", async () => {
  const { head, base, merged } = hand.node(mid);
  expect(base).toBe(hand.node("calc").head);
  expect(merged.map(({ child }) => child)).toEqual([`${mid}--stubbed`, `${mid}--plain`]);
  for (const name of ["stubbed", "plain"] as const)
    for (const [path, text] of Object.entries(brought[name]))
      expect(await hand.textAt(head, path)).toBe(text);
  expect((await git("log", "--format=%s", `${base}..${head}`)).split("\n")).toEqual([
    "scaffold by hand",
    `Keep the locked tests of ${mid} for its next scaffold`,
    `squash ${mid}--plain`,
    `squash ${mid}--stubbed`,
  ]);
  expect([isSpawned("stubbed"), isSpawned("plain")]).toEqual([1, 1]);
});

test("a child that changed the sibling's line, or has a file for the sibling's folder, is named to Scaffold and restarts, and Impl waits for it", async () => {
  const { head } = hand.node(mid);
  expect(await hand.textAt(head, "src/shared.js")).toBe("export const by = 1;\n");
  expect(await hand.textAt(head, "src/calc/mid/clash.js")).toBeNull();
  expect(await hand.textAt(head, "src/ways.js/first.js")).toBe("export const first = 1;\n");
  expect(prompt).toContain(`${mid}--clash`);
  expect(open).toEqual(
    [`${mid} write_tests`, `${mid}--clash scaffold`, `${mid}--file scaffold`, "calc write_tests"].toSorted(),
  );
  expect(isSpawned("clash")).toBe(2);
  expect(hand.node(`${mid}--clash`)).toMatchObject({ base: head, head, merged: [], publication: null });
  await hand.say(mid, "TestsReady");
  await hand.say(mid, "pass");
  expect(hand.open()).not.toContain(`${mid} impl`);
});

test("nothing is lost: the node's work and the child's own are under rescue refs", async () => {
  const kept = hand.context.session.view.rescued.map(({ commit }) => commit);
  expect(kept).toContain(before);
  const refs = await git("for-each-ref", "--format=%(refname)", `refs/mettle/rescue/${hand.run}`);
  expect(refs).toContain("calc-mid-clash/");
});

test("a child that is being merged is kept too", async () => {
  const { context, run } = hand;
  const { head, base } = hand.node(mid);
  const late = await git(
    "commit-tree",
    `${head}^{tree}`,
    "-p",
    head,
    "-m",
    "A child that the journal has yet to hear of",
  );
  await git("update-ref", `refs/heads/mettle/${run}/${mid}`, late);
  const node = nodeOf(context, { frame: "work/children/children/mid" });
  if (!node) throw new Error("there is no node");
  const giving = abortRebase(context, node, { conflict, key: context.session.view.order.at(-1) ?? "" });
  await sleep(200);
  await context.session.record([{ type: "node.moved", node: mid, by: "child", commit: late, base }]);
  const given = await giving;
  expect(given).toMatchObject({
    type: "aborted",
    facts: [{ type: "work.rescued", commit: late }, { by: "reset" }, {}, {}],
  });
});

test("a node with an aborted rebase may still fail, and a failed node may have its rebase aborted (fault D1)", async () => {
  const { session } = hand.context;
  const interfaces = [{ path: "src/calc/index.js", exports: ["add"] }];
  const kept = () =>
    session.view.rescued.map(({ ref }) => ref.slice(`refs/mettle/rescue/${hand.run}/`.length));
  for (const round of [1, 2]) {
    const lost = hand.node(mid).head;
    const frame =
      Object.values(session.state.frames).findLast(({ parent }) => parent?.item === "mid")?.id ?? "";
    await session.abortNode({ node: mid, frame, reason: "not needed" });
    const anew = { ...middle, description: `The mid, written for the time ${round}` };
    const childSpecs = [anew, childSpec("sister", "AC-2")];
    const judged = await hand.judge("calc", "InitWork", { payload: initWork({ childSpecs, interfaces }) });
    expect(wrong(judged)).toEqual([]);
    expect(hand.open()).toContain(`${mid} scaffold`);
    const parents = await git("for-each-ref", "--format=%(parent)", `refs/mettle/rescue/${hand.run}/`);
    expect(parents.split("\n")).toContain(lost);
    if (round === 2) break;
    expect(
      wrong(
        await hand.judge(mid, "InitWork", {
          files: { ...midFiles, [stubbed]: stub("stubbed") },
          payload: midWork,
        }),
      ),
    ).toEqual([]);
    const node = nodeOf(hand.context, {
      frame: Object.values(session.state.frames).findLast(({ parent }) => parent?.item === "mid")?.id ?? "",
    });
    if (!node) throw new Error("there is no node");
    const given = await abortRebase(hand.context, node, { conflict, key: session.view.order.at(-1) ?? "" });
    if (given.type !== "aborted") throw new Error("astray");
    await session.record(given.facts);
  }
  const ofMid = kept().filter((ref) => ref.startsWith("calc-mid/"));
  expect([ofMid.length, new Set(ofMid).size]).toEqual([4, 4]);
});
