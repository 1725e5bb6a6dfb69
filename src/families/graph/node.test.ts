import { expect, test } from "vitest";
import { nodeBranch } from "./node.ts";

test("a node's branch has its id, cut to what git's files can be called where it is very long", () => {
  expect(nodeBranch("ab12cd", "shop--cart")).toBe("refs/heads/mettle/ab12cd/shop--cart");
  const deep = Array.from({ length: 8 }, (_, level) => `${"part".repeat(9)}${level}`).join("--");
  const [one, other] = [nodeBranch("ab12cd", `${deep}--a`), nodeBranch("ab12cd", `${deep}--b`)];
  expect(one.slice("refs/heads/mettle/ab12cd/".length).length).toBeLessThanOrEqual(200);
  expect(one).toMatch(/-[0-9a-f]{12}$/u);
  expect(other).not.toBe(one);
});

test("a root that is called as a branch that every run has gets another", () => {
  expect(["work", "Result", "working"].map((root) => nodeBranch("ab12cd", root))).toEqual([
    "refs/heads/mettle/ab12cd/work-node",
    "refs/heads/mettle/ab12cd/Result-node",
    "refs/heads/mettle/ab12cd/working",
  ]);
});
