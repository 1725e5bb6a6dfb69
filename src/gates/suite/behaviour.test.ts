import { beforeAll, expect, test } from "vitest";
import { loadParser, type Parse } from "../../source/syntax.ts";
import { changesOfBehaviour } from "./behaviour.ts";

let parse: Parse;
beforeAll(async () => void (parse = await loadParser()));
const rules = { tests: ["test/"], source: ["src/"] };
const changes = (path: string, before: string | null, after: string | null) =>
  changesOfBehaviour([{ path, before, after }], { rules, parse }).length > 0;

test("documentation, settings of services and the format of a script change no behaviour", () => {
  for (const path of ["README.md", "docs/a.rst", "LICENSE", ".github/workflows/ci.yml", ".gitignore"])
    expect([path, changes(path, "a", "b")]).toEqual([path, false]);
  expect(changes("src/a.ts", "export const a: number = 1;", "// one\nexport const a: number =\n  1\n")).toBe(
    false,
  );
  expect(
    changes(
      "package.json",
      '{ "version": "1.0.0", "type": "module" }',
      '{ "version": "1.0.1", "type": "module" }',
    ),
  ).toBe(false);
});

test("files that a program reads, runs or is built from change its behaviour", () => {
  expect(changes("src/a.ts", "export const a = 1;", "export const a = 2;")).toBe(true);
  expect(changes("src/a.ts", "export const a = (1 + 2) * 3;", "export const a = 1 + 2 * 3;")).toBe(true);
  expect(changes("src/a.py", "a = 1\n", "a  =  1\n")).toBe(true);
  expect(changes("src/prompt.md", "a", "b")).toBe(true);
  expect(changes("test/data.txt", "a", "b")).toBe(true);
  expect(changes("requirements.txt", "a==1", "a==2")).toBe(true);
  expect(changes("package.json", '{ "version": "1.0.0" }', '{ "version": "1.0.0", "type": "module" }')).toBe(
    true,
  );
  expect(changes("src/a.ts", "export const a = 1;", null)).toBe(true);
});
