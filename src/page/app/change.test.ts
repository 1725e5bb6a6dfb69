import { expect, test } from "vitest";
import { changed, changeOf } from "./change.ts";

/** As it arrives in a browser. */
function sent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const before = sent({
  seq: 1,
  steps: [{ key: "a", end: null }, { key: "b" }],
  agents: { planner: "claude" },
  asks: [{ key: "plan" }],
  branch: null,
});

test.each([
  ["nothing", before],
  ["a number", { seq: 2 }],
  ["an item in the middle, and a new one", { steps: [{ key: "a", end: 3 }, { key: "b" }, { key: "c" }] }],
  ["no item", { asks: [] }],
  ["a list of lists", { steps: [[1], [2, [3]]] }],
  ["a text for null, and an object for a list", { branch: "main", steps: { a: 1 } }],
  [
    "a name that objects have by themselves",
    { agents: JSON.parse('{"__proto__": {"x": 1}, "toString": "a"}') },
  ],
])("a page that is sent what changed has the new value: %s", (_, fields) => {
  const after = { ...(before as object), ...(fields as object) };
  const change = changeOf(before, after);
  expect(change === null ? before : changed(before, sent(change) as never)).toEqual(after);
});

test("a key that is gone is gone, and equal values have no change", () => {
  expect(changed({ a: 1, b: 2 }, sent(changeOf({ a: 1, b: 2 }, { b: 3 })) as never)).toEqual({ b: 3 });
  expect(changeOf(before, sent(before))).toBeNull();
});

test("only what changed is sent, and everything else stays the same object", () => {
  const after = sent(before) as { steps: object[] };
  after.steps.push({ key: "c" });
  const change = changeOf(before, after);
  expect(change).toEqual({ parts: { steps: { parts: { 2: { value: { key: "c" } } }, length: 3 } } });
  const now = changed(before, change as never) as Record<string, unknown[]>;
  const was = before as typeof now;
  expect(now["agents"]).toBe(was["agents"]);
  expect(now["steps"]?.[0]).toBe(was["steps"]?.[0]);
});
