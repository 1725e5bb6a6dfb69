import { expect, test } from "vitest";
import { modes } from "../notation/modes.ts";
import { refereeTools } from "./referee-tools.ts";

test("what a model is told of the tools names the modes in signs that Claude Code hands on as they are", () => {
  const descriptions = JSON.stringify(refereeTools(() => Promise.reject(new Error("not called"))).tools());
  expect(descriptions).not.toMatch(/[₀-₉]|\p{Lm}/u);
  for (const { ascii } of modes) expect(descriptions).toContain(ascii);
});
