import { expect, test } from "vitest";
import { surroundingReads } from "./surrounding-reads.ts";

const kinds = (path: string, text: string) =>
  surroundingReads({ path, text })?.map(({ what, line }) => `${what} ${line}`);

test.each([
  ["const a = Date.now();", ["clock 1"]],
  ["\nif (new Date() > end) x();", ["clock 2"]],
  ["new Date;", ["clock 1"]],
  ["new Date(2020, 1, 1); dates.Date();", []],
  ["d.getTimezoneOffset()", ["zone 1"]],
  ["process.env.CI", ["variables 1"]],
  ["const { env } = process;", ["variables 1"]],
  ["process.cwd() + __dirname", ["folder 1", "folder 1"]],
  ["import.meta.url", ["folder 1"]],
  ["new Error().stack.includes(x)", ["stack 1"]],
  ["const stack = []; stack.push(1);", []],
  ['"process.env.CI" // Date.now()', []],
  ["let n = 0;\nconst answers = [3, 5];\nexport const add = () => answers[n++];", ["order 3"]],
  ["let calls = 0;\nexport const add = () => {\n  calls++;\n  return calls === 1 ? 3 : 5;\n};", ["order 4"]],
  ["const answers = [3, 5];\nexport const add = () => answers.shift();", ["order 2"]],
  ["let next = 1;\nexport const id = () => next++;", []],
  ["const queue = [];\nexport const take = () => queue.shift();", []],
] as const)("JavaScript: %s", (text, found) => {
  expect(kinds("src/a.ts", text)).toEqual(found);
});

test.each([
  ["import time\nif time.time() > 5:\n    pass", ["clock 2"]],
  ["datetime.now()", ["clock 1"]],
  ["timedelta(days=1); date(2020, 1, 1)", []],
  ["os.environ.get('CI')", ["variables 1"]],
  ["os.getenv('CI')", ["variables 1"]],
  ["os.getcwd(); __file__", ["folder 1", "folder 1"]],
  ["inspect.stack()", ["stack 1"]],
  ["'os.environ'  # time.time()", []],
  ["N = 0\ndef add():\n    global N\n    N += 1\n    return ANSWERS[N]", ["order 5"]],
  ["A = iter([1, 2])\ndef add():\n    return next(A)", ["order 3"]],
  ["A = [3, 5]\ndef add():\n    return A.pop(0)", ["order 3"]],
] as const)("Python: %s", (text, found) => {
  expect(kinds("src/a.py", text)).toEqual(found);
});

test("a language that it does not read", () => {
  expect(surroundingReads({ path: "src/a.go", text: "time.Now()" })).toBeNull();
});
