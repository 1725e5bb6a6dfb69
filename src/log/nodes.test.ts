import { expect, test } from "vitest";
import { foldNode, rootMerge, type NodeEvent, type Nodes } from "./nodes.ts";

const began = (node: string, base: string): NodeEvent => ({
  type: "node.began",
  node,
  item: "",
  spec: "sha256:spec",
  parentContext: null,
  base,
});
const fold = (...events: readonly NodeEvent[]): Nodes => events.reduce<Nodes>(foldNode, {});
const merged = (node: string, child: string, commit: string): NodeEvent => ({
  type: "node.merged",
  node,
  child,
  commit,
  event: "sha256:event",
  files: {},
  required: [],
});

test("a merge stands with both: with the parent as what is on its branch, with the child as what it has published", () => {
  const nodes = fold(
    began("shop", "B"),
    began("shop--cart", "B"),
    { type: "node.moved", node: "shop--cart", by: "impl", commit: "I", base: "B" },
    { type: "node.candidate", node: "shop--cart", commit: "C", onto: "B" },
    { type: "node.moved", node: "shop", by: "child", commit: "C", base: "B" },
    merged("shop", "shop--cart", "C"),
    { type: "node.moved", node: "shop--cart", by: "impl", commit: "I2", base: "B" },
  );
  expect(nodes["shop"]).toMatchObject({ head: "C", merged: [{ child: "shop--cart" }], published: null });
  expect(nodes["shop--cart"]).toMatchObject({
    head: "I2",
    candidate: null,
    published: "I",
    publication: { commit: "C" },
  });
  expect(rootMerge(nodes)).toBeNull();
});

test("the root's merge is told of base, which is no node", () => {
  const nodes = fold(began("shop", "B"), merged("base", "shop", "C"));
  expect(Object.keys(nodes)).toEqual(["shop"]);
  expect(nodes["shop"]).toMatchObject({ published: "B", merged: [] });
  expect(rootMerge(nodes)).toMatchObject({ node: "base", commit: "C" });
});

test("a rebase takes scaffold and tests along; what was published is then under it", () => {
  const before = fold(
    began("shop", "B"),
    { type: "node.moved", node: "shop", by: "scaffold", commit: "S", base: "B" },
    { type: "node.tested", node: "shop", commit: "T" },
    { type: "node.moved", node: "shop", by: "tests", commit: "H", base: "B" },
    merged("base", "shop", "C"),
  );
  const told = { type: "node.moved", node: "shop", by: "rebase", commit: "H2", base: "B2" } as const;
  expect(foldNode(before, { ...told, scaffold: "S2", tests: "T2" })["shop"]).toMatchObject({
    head: "H2",
    base: "B2",
    scaffold: "S2",
    tests: "T2",
    published: null,
  });
  expect(foldNode(before, told)["shop"]).toMatchObject({ scaffold: "S", tests: "T" });
});
