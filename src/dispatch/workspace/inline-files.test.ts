import { expect, test } from "vitest";
import { fitSources, inlineFiles } from "./inline-files.ts";

const a = { path: "src/a.js", text: "export const a = 1;\n" };
const b = { path: "src/b.js", text: "// no newline, {{spec}} and ``` stay as they are" };

test("files appear in path order under their path, byte for byte", () => {
  expect(inlineFiles([b, a])).toBe(
    "--- src/a.js ---\nexport const a = 1;\n\n--- src/b.js ---\n// no newline, {{spec}} and ``` stay as they are\n",
  );
});

test("shows all files that fit", () => {
  const whole = inlineFiles([a, b]);
  expect(fitSources({ files: [a, b], changed: [], maxBytes: Buffer.byteLength(whole) })).toEqual({
    text: whole,
    omitted: [],
    omittedChanged: [],
  });
});

test("shows only changed files and names the others when they exceed the limit by one byte", () => {
  const maxBytes = Buffer.byteLength(inlineFiles([a, b])) - 1;
  expect(fitSources({ files: [a, b], changed: ["src/b.js"], maxBytes })).toEqual({
    text: inlineFiles([b]),
    omitted: ["src/a.js"],
    omittedChanged: [],
  });
});

test("names a changed file that alone exceeds the limit as changed", () => {
  const huge = { path: "src/huge.js", text: "ü".repeat(500) };
  expect(fitSources({ files: [huge, a, b], changed: ["src/a.js", "src/huge.js"], maxBytes: 900 })).toEqual({
    text: inlineFiles([a]),
    omitted: ["src/b.js", "src/huge.js"],
    omittedChanged: ["src/huge.js"],
  });
});
