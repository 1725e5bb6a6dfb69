import { expect, test } from "vitest";
import { modes } from "../notation/modes.ts";
import { refereeTools } from "./referee-tools.ts";

test("what a model is told of the tools names the modes in signs that Claude Code hands on as they are", () => {
  const told = JSON.stringify(refereeTools(() => Promise.reject(new Error("not called"))).tools());
  expect(told).not.toMatch(/[₀-₉]|\p{Lm}/u);
  for (const { ascii } of modes) expect(told).toContain(ascii);
});
