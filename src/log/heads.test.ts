import { expect, test } from "vitest";
import { moveHead, type Head } from "./heads.ts";

const accepted: Head = { red: "red", green: "green", lastGreen: "green", branch: "refactored" };

const reset = (head: Head, commit: string) => moveHead(head, { type: "head.moved", kind: "reset", commit });

test("a reset to the accepted implementation, or to what was made of it, takes no acceptance back", () => {
  expect(reset(accepted, "refactored")).toEqual(accepted);
  expect(reset(accepted, "green")).toEqual({ ...accepted, branch: "green" });
});

test("a reset to a commit before it takes the implementation away, also the one to start again from", () => {
  const before: Head = { red: "red", green: null, lastGreen: null, branch: "red" };
  expect(reset(accepted, "red")).toEqual(before);
  expect(reset({ ...before, lastGreen: "older" }, "red")).toEqual(before);
  expect(reset(accepted, "base")).toEqual({ ...before, branch: "base" });
});
