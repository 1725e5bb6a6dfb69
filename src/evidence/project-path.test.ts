import { expect, test } from "vitest";
import { projectFrames, projectPath } from "./project-path.ts";

test.each([
  ["/p/src/a.js", "src/a.js"],
  ["src/a.js", "src/a.js"],
  ["file:///p/src/a%20b.js", "src/a b.js"],
  ["/p/..x/a.js", "..x/a.js"],
  ["/p", null],
  ["/q/a.js", null],
  ["/p2/a.js", null],
  ["/p/node_modules/x/a.js", null],
  ["node:internal/test", null],
])("the project's path of %s is %s", (file, expected) => {
  expect(projectPath(file.startsWith("node:") ? `/${file}` : file, "/p")).toBe(expected);
});

test("only frames of the project's own files are kept, innermost first", () => {
  const stack = [
    "Error: at /p/src/fake.js:1:1",
    "    at stub (file:///p/src/a.js:6:9)",
    "    at Object.<anonymous> (/p/tests/a (copy).test.js:3:4)",
    "    at async Promise.all (index 0)",
    "    at async /p/tests/b.test.js:9:1",
    "    at new Thing (/p/node_modules/x/index.js:1:1)",
    "    at Test.run (node:internal/test_runner/test:796:25)",
    "    at file:///elsewhere/c.js:1:1",
  ].join("\n");
  expect(projectFrames(stack, "/p")).toEqual([
    "src/a.js:6:9",
    "tests/a (copy).test.js:3:4",
    "tests/b.test.js:9:1",
  ]);
});
