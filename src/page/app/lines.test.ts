import { expect, test } from "vitest";
import { linesOfDiff } from "./lines.ts";

const diff = (header: string) => `diff --git ${header}
index 1..2 100644
--- a
+++ b
@@ -3,2 +3,2 @@ function f() {
 kept
-old
+\u001b[31mnew\u202e
`;

test("each line of a diff has its place: of the file after the change, of a removed line before it", () => {
  const places = linesOfDiff(diff("a/src/a.js b/src/a.js")).flatMap(({ place, text }) =>
    place === null ? [] : [{ ...place, text }],
  );
  expect(places).toEqual([
    { file: "src/a.js", line: 3, side: "after", text: "kept" },
    { file: "src/a.js", line: 4, side: "before", text: "old" },
    { file: "src/a.js", line: 4, side: "after", text: "new·" },
  ]);
});

test.each([
  ["a/a b/c.js b/a b/c.js", "a b/c.js"],
  [String.raw`"a/src/\303\244 \"x\".js" "b/src/\303\244 \"x\".js"`, 'src/ä "x".js'],
  [String.raw`"a/a\tb.js" "b/a\tb.js"`, "a\tb.js"],
])("%s is about the file %s", (header, file) => {
  expect(linesOfDiff(diff(header)).at(-1)?.place?.file).toBe(file);
});
