/** Rebases onto the parent's new head: by git alone, adapted by the Rebaser, or aborted where logic would change. */
import { beforeAll, describe, expect, test } from "vitest";
import { ontoParentGate } from "../../src/families/graph/gates/onto-parent.ts";
import { publishGate } from "../../src/families/graph/gates/publish.ts";
import { nodeRebasedGate } from "../../src/families/graph/gates/rebased.ts";
import { squashGate } from "../../src/families/graph/gates/squash.ts";
import type { Cause } from "../../src/kernel/command.ts";
import type { RebaseConflict } from "../../src/protocol/graph-types/rebaser.ts";
import { inCi, verifies, verifiesInCi } from "../verifies.ts";
import { tests, type Files } from "./by-hand.ts";
import { mergeByHand, type GateAnswer, type NodeFiles, type MergeByHand } from "./merge-by-hand.ts";

const wire = 'import { load } from "./money.js";\n\nexport const one = load(1);\n';
const files: Files = {
  "package.json": '{ "type": "module" }\n',
  "src/money.js": "export function load(n) {\n  return n * 100;\n}\nexport const cents = (n) => n;\n",
  "src/wire.js": wire,
  "test/money.test.js": tests({ "../src/money.js": "{ cents }" }, ["cents", "assert.equal(cents(1), 1);"]),
};

const child = (id: string, criterion: string) => ({
  id,
  description: id,
  acceptanceCriteria: [{ id: criterion, text: `${id} works` }],
  targetPath: `src/${id}`,
  testPath: `test/${id}`,
});
const criteria = ["AC-1", "AC-2", "AC-3"].map((id) => ({ id, text: `${id} holds` }));
const spec = {
  id: "shop",
  description: "A shop",
  acceptanceCriteria: criteria,
  targetPath: "src/shop",
  testPath: "test/shop",
};
const scaffold: Files = {
  "src/shop/index.js": 'export { total } from "./total.js";\n',
  "src/shop/total.js": 'export function total() {\n  throw new Error("not implemented: total");\n}\n',
  "test/shop/contract.test.js": tests({ "../../src/shop/index.js": "{ total }" }, [
    "contract: a total",
    "assert.equal(total([]), 0);",
  ]),
};
const work = {
  scaffoldCommit: "mine",
  interfaceFile: "src/shop/index.js",
  contractSuite: "test/shop/contract.test.js",
  testPlan: criteria.map(({ id }) => ({
    criterionId: id,
    plannedTestName: `${id}: works`,
    approach: "call it",
  })),
  childSpecs: [child("cart", "AC-1"), child("price", "AC-2"), child("tax", "AC-3")],
  interfaces: [{ path: "src/shop/index.js", exports: ["total"] }],
};

/**
 * A child with one function, which may use the shared `load`. Its contract is its only test: each file is a process.
 */
function childFiles(id: string, body: string, more: Files = {}): NodeFiles {
  const own = `AC: ${id} of 2`;
  const file = `test/${id}/own.test.js`;
  return {
    scaffold: {
      [`src/${id}/index.js`]: `export function ${id}() {\n  throw new Error("not implemented");\n}\n`,
    },
    contract: file,
    tests: {
      [file]: tests({ [`../../src/${id}/index.js`]: `{ ${id} }` }, [own, `assert.equal(${id}(2), 200);`]),
    },
    impl: { [`src/${id}/index.js`]: body, ...more },
    required: [`${file}::${own}`],
  };
}

const [cart, price, tax] = ["shop--cart", "shop--price", "shop--tax"] as const;
const usesLoad = (id: string) =>
  `import { load } from "../money.js";\n\nexport function ${id}(n) {\n  return load(n);\n}\n`;

let hand: MergeByHand;
let git: (...args: readonly string[]) => Promise<string>;
beforeAll(async () => {
  hand = await mergeByHand({ files, spec, scaffold, work });
  git = hand.world.repository.git;
  await hand.addWork(cart, childFiles("cart", "export function cart(n) {\n  return n * 100;\n}\n"));
});

/** Merges the cart's current work and returns the cause that its siblings get. */
async function mergeCart(impactLevel: string): Promise<readonly Cause[]> {
  const squashed = await hand.ask(squashGate, cart);
  expect([squashed.outcome, squashed.failures]).toEqual(["ready", []]);
  await hand.take(cart, squashed);
  const said = await hand.decision("MergeComplete", { impactLevel, changes: [] });
  const done = await hand.ask(publishGate, cart, [said]);
  expect(done.outcome).toBe("done");
  await hand.take(cart, done);
  return [{ key: "publish#1", path: "publish", outcome: "done", payload: done.payload ?? "" }];
}

/** The target of an outcome of the rebase. */
function leads(outcome: string): string | null {
  const handler = hand.context.protocol.machines["node"]?.events["sibling_merged"];
  const state = handler?.type === "region" ? handler.region.states["rebase"] : undefined;
  const to = state?.on[outcome]?.to;
  return to?.type === "state" ? to.state : (to?.type ?? null);
}

/** As after a gate that aborted and whose answer was not applied. */
async function resetBranch(id: string): Promise<void> {
  await git("update-ref", `refs/heads/mettle/${hand.run}/${id}`, hand.node(id).head);
}

describe("a sibling that only added", () => {
  let events: readonly Cause[];
  let before: Awaited<ReturnType<MergeByHand["addWork"]>>;
  let asked: GateAnswer;
  beforeAll(async () => {
    before = await hand.addWork(price, childFiles("price", usesLoad("price")));
    await hand.addWork(tax, childFiles("tax", usesLoad("tax")));
    events = await mergeCart("Trivial");
    await git("update-ref", "refs/remotes/origin/main", before.head);
    asked = await hand.ask(ontoParentGate, price, events);
  });

  verifies("V3-63", "is below the node's own commits, without an agent or a remote", async () => {
    const head = await hand.branch("shop");
    expect(leads("RebaseClean")).toBe("resume");
    expect(leads("repair")).toBe("rebaser");
    expect([asked.outcome, asked.failures, asked.nextPayload]).toEqual([
      "RebaseClean",
      [],
      { newBase: head },
    ]);
    expect(await git("log", "--format=%s", `${head}..mettle/${hand.run}/${price}`)).toBe(
      "Implement\nTests\nScaffold",
    );
    expect(await git("for-each-ref", "--format=%(objectname)", "refs/remotes")).toBe(before.head);
    expect(await git("worktree", "list")).not.toContain("\n");
  });

  test("leaves the node's scaffold, tests and locks on the new base, and a record of the rebased commit", async () => {
    const head = await hand.branch("shop");
    const [lockedBefore, rebased] = [hand.node(price).locked, await hand.branch(price)];
    await hand.take(price, asked);
    const entry = hand.node(price);
    expect(entry).toMatchObject({ head: rebased, base: head, candidate: null });
    expect(await git("log", "-1", "--format=%s %P", entry.scaffold ?? "")).toBe(`Scaffold ${head}`);
    expect(await git("log", "-1", "--format=%s %P", entry.tests ?? "")).toBe(`Tests ${entry.scaffold}`);
    expect(entry.locked).toEqual({
      ...lockedBefore,
      commit: rebased,
      seq: expect.anything(),
      at: expect.anything(),
    });
    const record = hand.context.session.view.records.findLast(({ purpose }) => purpose === "rebase");
    expect(record).toMatchObject({ verdict: "pass", commit: rebased });
  });

  test("changes nothing when it is received again", async () => {
    const rebased = await hand.branch(price);
    const again = await hand.ask(ontoParentGate, price, events);
    expect([again.outcome, again.facts ?? [], await hand.branch(price)]).toEqual([
      "RebaseClean",
      [],
      rebased,
    ]);
  });
});

describe("a sibling that renamed what both import", () => {
  let events: readonly Cause[];
  const sibling = wire.replaceAll("load", "loadAll");
  const mine =
    'import { load, cents } from "./money.js";\n\nexport const one = load(1);\n\n\nexport const two = cents(2) + load(2);\n';
  const adapted =
    'import { loadAll, cents } from "./money.js";\n\nexport const one = loadAll(1);\n\n\nexport const two = cents(2) + loadAll(2);\n';
  const own = usesLoad("price").replaceAll("load", "loadAll");
  const both = { "src/wire.js": adapted, "src/price/index.js": own };

  beforeAll(async () => {
    await hand.move(price, "impl", await hand.commitOn(hand.node(price).head, { "src/wire.js": mine }));
    const { head } = hand.node(cart);
    const money = String(files["src/money.js"]).replace("load", "loadAll");
    await hand.move(
      cart,
      "impl",
      await hand.commitOn(head, { "src/money.js": money, "src/wire.js": sibling }),
    );
    events = await mergeCart("Trivial");
  });

  inCi("is for the Rebaser, which finds both sides marked and the branch unchanged", async () => {
    const asked = await hand.ask(ontoParentGate, price, events);
    expect([asked.outcome, await hand.branch(price)]).toEqual(["repair", hand.node(price).head]);
    expect(asked.nextPayload).toMatchObject({ newParentHead: await hand.branch("shop"), failingTests: [] });
    expect((asked.nextPayload as { details: string }).details).toContain("src/wire.js");
    const repaired = await hand.repair(price, both, events);
    const found = await repaired.found("src/wire.js");
    expect(found).toContain("<<<<<<< shop (canon)\n");
    expect(found).toContain(">>>>>>> shop--price (draft)\n");
    expect(await git("log", "-2", "--format=%s", repaired.commit)).toBe("Adapt by hand\nImplement");
  });

  inCi("does not allow a conflict to stay marked: that is given back once", async () => {
    await hand.repair(price, { "src/price/index.js": own }, events);
    const asked = await hand.ask(nodeRebasedGate, price, events);
    expect([asked.outcome, asked.failures]).toEqual([
      "fail",
      ["conflict: src/wire.js: a conflict is still marked in it"],
    ]);
  });

  const forbidden: Readonly<Record<string, readonly [Files, string]>> = {
    "to add an if": [
      { "src/price/index.js": own.replace("  return", "  if (n > 9) n = 9;\n  return") },
      "src/price/index.js:4: it ",
    ],
    "to return something else": [
      { "src/price/index.js": own.replace("loadAll(n)", "loadAll(n) * 1") },
      "src/price/index.js:4: it ",
    ],
    "to drop the sibling's line": [
      { "src/wire.js": adapted.replace("export const one = loadAll(1);\n", "") },
      "src/wire.js: the sibling's line `export const one = loadAll(1);` is gone",
    ],
    "to add a file": [{ "src/more.js": "export const more = 1;\n" }, "src/more.js:1: the file is added"],
  };
  for (const [at, [what, [change, expected]]] of Object.entries(forbidden).entries()) {
    const tags = at === 0 ? [] : ["ci"];
    verifies(
      ["V3-39", "V3-63"],
      `is no reason ${what}: RebaseConflict names the place`,
      { tags },
      async () => {
        await hand.repair(price, { ...both, "src/more.js": null, ...change }, events);
        const asked = await hand.ask(nodeRebasedGate, price, events);
        await resetBranch(price);
        expect(asked.outcome).toBe("fail.semantic");
        expect((asked.nextPayload as RebaseConflict).whyUnresolvable).toContain(expected);
        expect(expected).toContain((asked.nextPayload as RebaseConflict).conflictFile);
      },
    );
  }

  verifiesInCi(
    ["V3-39", "V3-63"],
    "is followed by renames at imports and call sites, which is RebaseAdapted with the agent's adaptations",
    async () => {
      await hand.repair(price, both, events);
      const adaptations = [{ symbol: "load", change: "loadAll", reason: "renamed by the cart" }];
      const said = await hand.decision("RebaseAdapted", { newBase: "0000000", adaptations });
      const asked = await hand.ask(nodeRebasedGate, price, [...events, said]);
      const head = await hand.branch("shop");
      expect([asked.outcome, asked.failures]).toEqual(["pass", []]);
      expect(asked.nextPayload).toEqual({ newBase: head, adaptations });
      await hand.take(price, asked);
      expect(hand.node(price)).toMatchObject({ base: head, head: await hand.branch(price) });
      expect(hand.node(price).accepted.RebaseAdapted).toBe(asked.payload);
      expect(await git("merge-base", "--is-ancestor", head, hand.node(price).head)).toBe("");
      expect(await hand.textAt(hand.node(price).head, "src/wire.js")).toBe(adapted);
      expect(await git("log", "-1", "--format=%P", hand.node(price).scaffold ?? "")).toBe(head);
    },
  );
});

describe("a sibling whose change breaks a green test without a conflict", () => {
  let events: readonly Cause[];
  let old: string;
  const failing = ["test/tax/own.test.js::AC: tax of 2"];
  beforeAll(async () => {
    const slower =
      "export function loadAll(n) {\n  return n * 10;\n}\nexport const load = loadAll;\nexport const cents = (n) => n;\n";
    await hand.move(cart, "impl", await hand.commitOn(hand.node(cart).head, { "src/money.js": slower }));
    events = await mergeCart("Breaking");
    old = hand.node(tax).head;
  });

  verifies(
    "V3-41",
    "is no RebaseClean: the Rebaser gets the test once, a second failure is RebaseConflict, and each attempt has its record",
    async () => {
      const asked = await hand.ask(ontoParentGate, tax, events);
      expect([asked.outcome, asked.nextPayload]).toEqual([
        "repair",
        expect.objectContaining({ failingTests: failing }),
      ]);
      await hand.take(tax, asked);
      const { commit } = await hand.repair(tax, {}, events);
      const first = await hand.ask(nodeRebasedGate, tax, events, 0);
      expect([first.outcome, first.nextPayload]).toEqual([
        "fail",
        expect.objectContaining({ failingTests: failing }),
      ]);
      await hand.take(tax, first);
      const locked = tests({ "../../src/tax/index.js": "{ tax }" }, [
        "AC: tax of 2",
        "assert.equal(tax(2), 20);",
      ]);
      await hand.repair(tax, { "test/tax/own.test.js": locked }, events);
      const changed = await hand.ask(nodeRebasedGate, tax, events, 0);
      await resetBranch(tax);
      expect([changed.outcome, changed.failures[0]]).toEqual([
        "fail.semantic",
        expect.stringContaining("test/tax/own.test.js"),
      ]);
      const again = await hand.repair(tax, {}, events);
      const second = await hand.ask(nodeRebasedGate, tax, events, 1);
      expect([second.outcome, (second.nextPayload as RebaseConflict).whyUnresolvable]).toEqual([
        "fail.semantic",
        expect.stringContaining(failing[0] ?? ""),
      ]);
      await hand.take(tax, second);
      const { records } = hand.context.session.view;
      for (const tried of [commit, again.commit])
        expect(
          records.find((record) => record.purpose === "rebase" && record.commit === tried)?.verdict,
        ).toBe("fail");
    },
  );

  verifies(
    "V3-64",
    "is aborted without loss: the old head under a rescue ref, the branch on the new head with the locked tests",
    async () => {
      const head = await hand.branch("shop");
      const rescued = hand.context.session.view.rescued.at(-1);
      expect(rescued?.ref).toMatch(new RegExp(`^refs/mettle/rescue/${hand.run}/shop-+tax/`));
      expect(await git("rev-parse", rescued?.ref ?? "")).toBe(old);
      const entry = hand.node(tax);
      expect([entry.base, await git("rev-parse", `${entry.head}^`)]).toEqual([head, head]);
      expect(await git("show", "--format=", "--name-only", entry.head)).toBe("test/tax/own.test.js");
      expect(await hand.textAt(entry.head, "test/tax/own.test.js")).toBe(
        await hand.textAt(old, "test/tax/own.test.js"),
      );
      expect(await git("worktree", "list")).not.toContain("\n");
      expect(await hand.branch(tax)).toBe(entry.head);
    },
  );
});
