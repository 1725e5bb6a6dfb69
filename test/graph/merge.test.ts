/** A squash, proved before publication, and its publication by compare-and-swap, with real git and test runs. */
import { beforeAll, expect, test } from "vitest";
import { parseRecord, type EvidenceRecord } from "../../src/evidence/record.ts";
import { publishGate } from "../../src/families/graph/gates/publish.ts";
import { squashGate } from "../../src/families/graph/gates/squash.ts";
import type { State } from "../../src/protocol/machine.ts";
import { resultOf } from "../../src/log/run-view.ts";
import type { MergeRejected } from "../../src/protocol/graph-types/merger.ts";
import { inCi, verifies } from "../verifies.ts";
import { tests, type Files } from "./by-hand.ts";
import { mergeByHand, type GateAnswer, type NodeFiles, type MergeByHand } from "./merge-by-hand.ts";

const files: Files = {
  "package.json": '{ "type": "module", "scripts": { "build": "! grep -n UNBUILDABLE src/*/*.js" } }\n',
  "src/money.js": "export const cents = (n) => Math.round(n * 100);\nexport const old = (n) => n;\n",
  "test/money.test.js": tests({ "../src/money.js": "{ cents }" }, [
    "cents",
    "assert.equal(cents(1.5), 150);",
  ]),
};

const child = (id: string) => ({
  id,
  description: id,
  acceptanceCriteria: [{ id: id === "cart" ? "AC-1" : "AC-2", text: `${id} works` }],
  targetPath: `src/${id}`,
  testPath: `test/${id}`,
});

const spec = {
  id: "shop",
  description: "A shop",
  acceptanceCriteria: [
    { id: "AC-1", text: "cart works" },
    { id: "AC-2", text: "price works" },
  ],
  targetPath: "src/shop",
  testPath: "test/shop",
};

const shop: Files = {
  "src/shop/index.js": 'export { total } from "./total.js";\n',
  "src/shop/total.js": 'export function total() {\n  throw new Error("not implemented: total");\n}\n',
  "test/shop/contract.test.js": tests({ "../../src/shop/index.js": "{ total }" }, [
    "contract: a total",
    "assert.equal(total([]), 0);",
  ]),
};

const initWork = {
  scaffoldCommit: "mine",
  interfaceFile: "src/shop/index.js",
  contractSuite: "test/shop/contract.test.js",
  testPlan: [
    { criterionId: "AC-1", plannedTestName: "AC-1: cart", approach: "call it" },
    { criterionId: "AC-2", plannedTestName: "AC-2: price", approach: "call it" },
  ],
  childSpecs: [child("cart"), child("price")],
  interfaces: [{ path: "src/shop/index.js", exports: ["total"] }],
};

/** A child with one function of one parameter. */
function childFiles(id: string, more: Files = {}): NodeFiles {
  const from = { [`../../src/${id}/index.js`]: `{ ${id} }` };
  return {
    scaffold: {
      [`src/${id}/index.js`]: `export function ${id}(n) {\n  throw new Error("not implemented");\n}\n`,
      [`test/${id}/contract.test.js`]: tests(from, [
        `contract: ${id} is a number`,
        `assert.equal(typeof ${id}(1), "number");`,
      ]),
    },
    contract: `test/${id}/contract.test.js`,
    tests: { [`test/${id}/own.test.js`]: tests(from, [`AC: ${id} doubles`, `assert.equal(${id}(2), 4);`]) },
    impl: { [`src/${id}/index.js`]: `export function ${id}(n) {\n  return n * 2;\n}\n`, ...more },
    required: [
      `test/${id}/contract.test.js::contract: ${id} is a number`,
      `test/${id}/own.test.js::AC: ${id} doubles`,
    ],
  };
}

let hand: MergeByHand;
beforeAll(async () => void (hand = await mergeByHand({ files, spec, scaffold: shop, work: initWork })));

const cart = "shop--cart";
const price = "shop--price";
const trivial = { mergeCommit: "0123456", author: cart, impactLevel: "Trivial", changes: [] };

async function complete() {
  return [await hand.decision("MergeComplete", trivial)];
}

/** The target of an outcome of a state. */
function leads(state: State | undefined, outcome: string): string | null {
  const to = state !== undefined && "on" in state ? state.on[outcome]?.to : undefined;
  return to?.type === "state" ? to.state : null;
}

let work: Awaited<ReturnType<MergeByHand["addWork"]>>;
const broken: Record<string, GateAnswer> = {};

verifies(
  "V3-38",
  "a failing build, contract suite or other test is rejected by fact, nothing moves, and no Merger is dispatched before a pass",
  async () => {
    work = await hand.addWork(cart, childFiles("cart"));
    const parent = await hand.branch("shop");
    const attempts: Readonly<Record<string, Files>> = {
      build: { "src/cart/index.js": "export function cart(n) {\n  return UNBUILDABLE;\n}\n" },
      contract: { "src/cart/index.js": "export function cart(n) {\n  return `${n * 2}`;\n}\n" },
      integration: { "src/money.js": "export const cents = (n) => n;\n" },
      locked: {
        "test/cart/own.test.js": tests({ "../../src/cart/index.js": "{ cart }" }, [
          "AC: cart doubles",
          "assert.ok(cart);",
        ]),
      },
    };
    for (const [name, change] of Object.entries(attempts)) {
      await hand.move(cart, "impl", await hand.commitOn(work.head, change));
      broken[name] = await hand.ask(squashGate, cart);
      expect([name, broken[name].outcome, await hand.branch("shop")]).toEqual([name, "rejected", parent]);
      expect(broken[name].facts?.map(({ type }) => type)).toEqual(["node.accepted"]);
    }
    const given = (name: string) => broken[name]?.nextPayload as MergeRejected;
    expect([given("build").reason, given("build").failingTests]).toEqual(["BuildFailure", []]);
    expect(given("build").details).toContain("src/cart/index.js:2");
    expect([given("contract").reason, given("contract").failingTests]).toEqual([
      "ContractViolation",
      ["test/cart/contract.test.js::contract: cart is a number"],
    ]);
    expect([given("integration").reason, given("integration").failingTests]).toEqual([
      "IntegrationFailure",
      ["test/money.test.js::cents"],
    ]);
    expect(given("integration").details).toContain("150");
    expect([given("locked").reason, given("locked").failingTests]).toEqual(["IntegrationFailure", []]);
    expect(given("locked").details).toContain("test/cart/own.test.js");
    const { node } = hand.context.protocol.machines;
    const { candidate, judge, merger } = node?.states ?? {};
    expect([leads(candidate, "ready"), leads(candidate, "rejected")]).toEqual(["judge", "impl"]);
    expect([leads(judge, "Approved"), leads(merger, "MergeComplete")]).toEqual(["merger", "publish"]);
    expect(leads(merger, "MergeRejected")).toBe("impl");
  },
);

verifies(
  "V3-60",
  "a child arrives as one commit with one parent, its subject and trailers, and keeps its own commits",
  async () => {
    const removes = await hand.commitOn(work.head, {
      "src/money.js": "export const cents = (n) => Math.round(n * 100);\n",
    });
    await hand.move(cart, "impl", removes);
    const { git } = hand.world.repository;
    const onto = await hand.branch("shop");
    const asked = await hand.ask(squashGate, cart);
    expect([asked.outcome, asked.failures]).toEqual(["ready", []]);
    await hand.take(cart, asked);
    const { candidate } = hand.node(cart);
    expect(candidate).toMatchObject({ onto });
    expect(await hand.branch("shop")).toBe(onto);
    const format =
      "--format=%s%n%P%n%(trailers:key=Mettle-Run,valueonly)%(trailers:key=Mettle-Node,valueonly)%(trailers:key=Mettle-Key,valueonly)";
    const key = hand.context.session.state.open.find(({ path }) => path.includes("cart"))?.key;
    const commit = [`feat(${cart}): implement`, onto, hand.run, cart, key].join("\n");
    expect((await git("log", "-1", format, candidate?.commit ?? "")).trim()).toBe(commit);
    expect(await hand.ask(squashGate, cart)).toMatchObject({ facts: asked.facts ?? [] });

    const published = await hand.ask(publishGate, cart, await complete());
    expect(published.outcome).toBe("done");
    expect(
      await git("log", "-1", "--format=%s%n%P", hand.run.length > 0 ? `mettle/${hand.run}/shop` : ""),
    ).toBe(`feat(${cart}): implement\n${onto}`);
    expect(await git("rev-list", "--count", `${hand.node(cart).base}..mettle/${hand.run}/${cart}`)).toBe("4");
    broken["published"] = published;
  },
);

async function recordsOf(): Promise<readonly EvidenceRecord[]> {
  const { session, payloads } = hand.context;
  const texts = session.view.records.map(({ ref }) => payloads.text(ref));
  return (await Promise.all(texts)).map((text) => parseRecord(JSON.parse(text)));
}

test("its record has node, exit and criteria, and includes the build, the contract suite and all tests of its tree", async () => {
  const all = await recordsOf();
  const squash = all.findLast(({ purpose }) => purpose === "squash");
  const tree = await hand.world.repository.git("rev-parse", `${hand.node(cart).candidate?.commit}^{tree}`);
  expect(squash?.tree).toBe(tree);
  expect(squash?.controls).toEqual({ node: cart, exit: "candidate", criteria: "AC-1" });
  const inner = all
    .filter(({ id }) => squash?.inner.includes(id))
    .map(({ purpose, verdict }) => `${purpose} ${verdict}`);
  // The runs of the parent commit are known from the previous gate.
  expect(inner).toEqual(["squash.build pass", "squash.contract pass", "squash.tests fail"]);
});

verifies(
  "V3-40",
  "a level that is too low is raised by the exports, missing changes are added, and the agent's report stays in the journal",
  async () => {
    const [accepted, moved, merged] = (broken["published"]?.facts ?? []).filter(({ type }) =>
      type.startsWith("node."),
    );
    expect(broken["published"]?.nextPayload).toEqual({
      mergeCommit: hand.node(cart).candidate?.commit,
      author: cart,
      impactLevel: "Breaking",
      changes: [
        { symbol: "cart", changeType: "NewExport", reason: "src/cart/index.js has cart(n)" },
        { symbol: "old", changeType: "RemovedExport", reason: "src/money.js no longer has old(n)" },
      ],
    });
    const claims = (broken["published"]?.facts ?? []).filter(({ type }) => type === "claim.unverified");
    expect(claims.map((claim) => "excerpt" in claim && claim.excerpt)).toEqual([
      "impactLevel: Trivial",
      "mergeCommit: 0123456",
    ]);
    expect(accepted).toMatchObject({ node: cart, exit: "MergeComplete" });
    expect(moved).toMatchObject({ node: "shop", by: "child", commit: hand.node(cart).candidate?.commit });
    expect(merged).toMatchObject({
      node: "shop",
      child: cart,
      required: [...childFiles("cart").required],
      files: {
        "test/cart/own.test.js": expect.any(String),
        "test/cart/contract.test.js": expect.any(String),
      },
    });
  },
);

test("a publication whose process died before it was journaled is made once", async () => {
  const before = await hand.branch("shop");
  const again = await hand.ask(publishGate, cart, await complete());
  expect([again.outcome, again.nextPayload, await hand.branch("shop")]).toEqual([
    "done",
    broken["published"]?.nextPayload,
    before,
  ]);
  await hand.take(cart, again);
  expect(hand.node("shop")).toMatchObject({ head: before, merged: [{ child: cart }] });
  expect(hand.node(cart)).toMatchObject({ candidate: null, published: hand.node(cart).head });
});

test("a conflict in one line is rejected with the file, and no side is dropped", async () => {
  const conflicting = childFiles("price", {
    "src/money.js": "export const cents = (n) => Math.round(n * 100);\nexport const older = (n) => n;\n",
  });
  await hand.addWork(price, conflicting);
  const asked = await hand.ask(squashGate, price);
  expect([asked.outcome, (asked.nextPayload as MergeRejected).reason]).toEqual([
    "rejected",
    "IntegrationFailure",
  ]);
  expect((asked.nextPayload as MergeRejected).details).toContain("src/money.js");
  expect(asked.drafts?.map(({ purpose, verdict }) => `${purpose} ${verdict}`)).toEqual(["squash fail"]);
});

verifies(
  "V3-61",
  "the next squash is based on the first; if the branch moved meanwhile, it is squashed and verified again, never overwritten",
  async () => {
    const { git } = hand.world.repository;
    const { base } = hand.node(price);
    const plain = childFiles("price");
    const tested = await hand.commitOn(base, { ...plain.scaffold, ...plain.tests });
    await hand.move(price, "impl", await hand.commitOn(tested, plain.impl));
    const cartMerge = await hand.branch("shop");
    const ready = await hand.ask(squashGate, price);
    expect([ready.outcome, ready.failures]).toEqual(["ready", []]);
    await hand.take(price, ready);
    const first = { onto: "", commit: "", ...hand.node(price).candidate };
    expect(first.onto).toBe(cartMerge);

    const person = await hand.commitOn(cartMerge, { "NOTES.md": "mine\n" });
    await git("update-ref", `refs/heads/mettle/${hand.run}/shop`, person);
    const moved = await hand.ask(publishGate, price, await complete());
    expect([moved.outcome, await hand.branch("shop")]).toEqual(["moved", person]);
    expect(moved.facts ?? []).toEqual([]);

    const anew = await hand.ask(squashGate, price);
    expect(anew.outcome).toBe("ready");
    await hand.take(price, anew);
    expect(hand.node(price).candidate?.onto).toBe(person);
    const done = await hand.ask(publishGate, price, await complete());
    await hand.take(price, done);
    const log = (
      await git(
        "log",
        "--first-parent",
        "--format=%H %T %s",
        `${hand.node(price).base}..mettle/${hand.run}/shop`,
      )
    ).split("\n");
    expect(log.map((line) => line.split(" ").slice(2).join(" "))).toEqual([
      `feat(${price}): implement`,
      "By hand",
      `feat(${cart}): implement`,
    ]);
    const squashes = (await recordsOf()).filter(
      ({ purpose, verdict }) => purpose === "squash" && verdict === "pass",
    );
    for (const line of log.filter((one) => one.includes("feat(")))
      expect(squashes.map(({ tree }) => tree)).toContain(line.split(" ")[1]);
    expect(await hand.textAt(await hand.branch("shop"), "NOTES.md")).toBe("mine\n");
    const titles = squashes.map(({ title }) => title);
    expect(titles).toContain(`mettle gate squash --base ${cartMerge} --head ${first.commit}`);
    const states = Object.entries(hand.context.protocol.machines["node"]?.states ?? {});
    const locked = states.filter(([, state]) => state.lock === "merging").map(([name]) => name);
    expect(locked).toEqual(["candidate", "judge", "merger", "publish"]);
    expect(leads(hand.context.protocol.machines["node"]?.states["publish"], "moved")).toBe("candidate");
  },
);

inCi("a parent branch without the merged commits is inconclusive", async () => {
  const { git } = hand.world.repository;
  const head = await hand.branch("shop");
  await git("update-ref", `refs/heads/mettle/${hand.run}/shop`, hand.node(price).base);
  const asked = await hand.ask(squashGate, price);
  expect([asked.outcome, asked.facts ?? []]).toEqual(["inconclusive", []]);
  expect(asked.failures[0]).toContain(`does not contain ${head}`);
  await git("update-ref", `refs/heads/mettle/${hand.run}/shop`, head);
});

inCi(
  "changes of a child after its merge become a second commit, without conflicts with the first",
  async () => {
    const { head } = hand.node(price);
    const more = "export function price(n) {\n  return n + n;\n}\n";
    await hand.move(price, "impl", await hand.commitOn(head, { "src/price/index.js": more }));
    const asked = await hand.ask(squashGate, price);
    expect([asked.outcome, asked.failures]).toEqual(["ready", []]);
    await hand.take(price, asked);
    const { commit = "" } = hand.node(price).candidate ?? {};
    expect(await hand.world.repository.git("show", "--format=", "--name-only", commit)).toBe(
      "src/price/index.js",
    );
    expect(await hand.textAt(commit, "src/price/index.js")).toBe(more);
  },
);

inCi("the root's squash is the run's result on its own branch, and the base branch stays", async () => {
  const { git } = hand.world.repository;
  const main = await git("rev-parse", "main");
  const impl = { "src/shop/total.js": "export function total() {\n  return 0;\n}\n" };
  await hand.move("shop", "impl", await hand.commitOn(await hand.branch("shop"), impl));
  const squashed = await hand.ask(squashGate, "shop");
  expect([squashed.outcome, squashed.failures]).toEqual(["ready", []]);
  await hand.take("shop", squashed);
  const published = await hand.ask(publishGate, "shop", await complete());
  expect(published.outcome).toBe("done");
  await hand.take("shop", published);
  const result = await git("rev-parse", `mettle/${hand.run}/result`);
  expect(await git("log", "--format=%s", `main..${result}`)).toBe("feat(shop): implement");
  expect([await git("rev-parse", "main"), await git("rev-parse", `${result}^`)]).toEqual([main, main]);
  expect(resultOf(hand.context.session.view)).toBe(result);
  expect(hand.node("shop").publication).toMatchObject({ node: "base", child: "shop" });
  expect(hand.node("shop").publication?.required).toEqual(
    expect.arrayContaining([...childFiles("cart").required, ...childFiles("price").required]),
  );
});
