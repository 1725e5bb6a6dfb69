import { expect, test } from "vitest";
import { fitSources, inlineFiles } from "../../dispatch/workspace/inline-files.ts";

const a = { path: "src/a.js", text: "export const a = 1;\n" };
const b = { path: "src/b.js", text: "// no newline, {{spec}} and ``` stay as they are" };

test("files stand in path order under their path, byte for byte", () => {
  expect(inlineFiles([b, a])).toBe(
    "--- src/a.js ---\nexport const a = 1;\n\n--- src/b.js ---\n// no newline, {{spec}} and ``` stay as they are\n",
  );
});

test("everything is shown as long as it fits", () => {
  const whole = inlineFiles([a, b]);
  expect(fitSources({ files: [a, b], changed: [], maxBytes: Buffer.byteLength(whole) })).toEqual({
    text: whole,
    omitted: [],
    omittedChanged: [],
  });
});

test("one byte too much leaves the changed files and names the others", () => {
  const maxBytes = Buffer.byteLength(inlineFiles([a, b])) - 1;
  expect(fitSources({ files: [a, b], changed: ["src/b.js"], maxBytes })).toEqual({
    text: inlineFiles([b]),
    omitted: ["src/a.js"],
    omittedChanged: [],
  });
});

test("a changed file that does not fit by itself is named as changed", () => {
  const huge = { path: "src/huge.js", text: "ü".repeat(500) };
  expect(fitSources({ files: [huge, a, b], changed: ["src/a.js", "src/huge.js"], maxBytes: 900 })).toEqual({
    text: inlineFiles([a]),
    omitted: ["src/b.js", "src/huge.js"],
    omittedChanged: ["src/huge.js"],
  });
});
