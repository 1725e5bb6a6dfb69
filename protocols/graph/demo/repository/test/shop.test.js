import assert from "node:assert/strict";
import { test } from "node:test";
import { heading } from "../src/shop.js";

test("the shop has a heading", () => {
  assert.equal(heading, "Corner shop");
});
