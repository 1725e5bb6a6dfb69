import assert from "node:assert/strict";
import { test } from "node:test";
import { words } from "../src/words.js";

test("splits at everything that is no letter and no digit", () => {
  assert.deepEqual(words("Hello, big  world!"), ["Hello", "big", "world"]);
});

test("finds no words in an empty text", () => {
  assert.deepEqual(words(""), []);
});
