import { expect, test } from "vitest";
import { modes } from "../notation/modes.ts";
import { refereeTools } from "./referee-tools.ts";

test("tool descriptions name the modes in characters that Claude Code does not normalise", () => {
  const descriptions = JSON.stringify(refereeTools(() => Promise.reject(new Error("not called"))).tools());
  expect(descriptions).not.toMatch(/[₀-₉]|\p{Lm}/u);
  for (const { ascii } of modes) expect(descriptions).toContain(ascii);
});
