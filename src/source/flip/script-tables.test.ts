import { expect, test } from "vitest";
import { loadParser } from "../syntax.ts";
import { hasParts, scriptTables } from "./script-tables.ts";

const parse = await loadParser();
const tables = (text: string) => {
  const program = parse("a.test.ts", text);
  return program === null ? null : scriptTables(program);
};

test("a table is a test call with parts of its title given by a row", () => {
  expect(tables("for (const [a] of rows) test(`adds ${a} (once)`, () => {});")).toEqual([
    ["adds ", " (once)"],
  ]);
  expect(tables('it.each([[1, 2]])("gives %i for $b", () => {});')).toEqual([["gives ", " for ", ""]]);
  expect(tables('test.concurrent.for(rows)("%s is safe", () => {});')).toEqual([["", " is safe"]]);
});

test("a plain title, a suite, and a title without words of its own are none", () => {
  for (const text of [
    'test("adds 100%", () => {});',
    "describe(`of ${a}`, () => {});",
    "test(`${a}`, () => {});",
    "test(name, () => {});",
    'rows.forEach((row) => test("same", () => {}));',
  ])
    expect([text, tables(text)]).toEqual([text, []]);
});

test("a title has the parts of its table in their order", () => {
  const parts = ["gives ", " for ", "!"];
  for (const title of ["gives 1 for 2!", "gives  for !"])
    expect([title, hasParts(title, parts)]).toEqual([title, true]);
  for (const title of ["gives 1!", "it gives 1 for 2!", "gives 1 for 2", "gives  for"])
    expect([title, hasParts(title, parts)]).toEqual([title, false]);
  expect(hasParts("ab", ["ab", "b"])).toBe(false);
});
