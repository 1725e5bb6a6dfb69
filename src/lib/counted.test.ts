import { expect, test } from "vitest";
import { counted } from "./counted.ts";

test("the number of a noun is right (fault L4)", () => {
  expect([0, 1, 2].map((count) => counted(count, "file"))).toEqual(["0 files", "1 file", "2 files"]);
  expect(counted(1, "reply", "replies") + counted(3, "reply", "replies")).toBe("1 reply3 replies");
});
