import { expect, test } from "vitest";
import * as z from "zod";
import { AppError } from "../errors.ts";
import { parseYaml } from "./yaml-document.ts";

/** What is told of a text, without its file. */
function told(text: string): readonly string[] {
  try {
    parseYaml({ file: "x", text }, z.unknown(), "invalid_yaml");
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message
      .split("\n")
      .flatMap((line) => /^ *x:(.*)$/u.exec(line)?.[1] ?? [])
      .map(String);
  }
}

test("what is wrong with a YAML text is told in plain words, and never in the parser's (fault L4)", () => {
  expect(told("a: b: c")).toEqual([
    "1:4: a second key on this line, or one that is indented too far; quote a text that holds a colon",
  ]);
  expect(told("a: 1\nkey\nb: 2")).toEqual([
    "2:1: a key is expected here, with a colon behind it on the same line",
  ]);
  expect(told("a: [b\nc: d]")[0]).toMatch(/the list or mapping before this is not closed by \]$/u);
  expect(told('a: "x')).toEqual(["1:4: the quote that begins here is never closed"]);
  expect(told("\ta: 1")[0]).toMatch(/a tab indents this line; use spaces$/u);
  expect(told("a: @x")).toEqual(["1:4: a text cannot begin with @ unless it is quoted"]);
  expect(told('a: "\\q"')[0]).toMatch(/there is no escape sequence \\q between double quotes$/u);
  expect(told("{a: 1}}")[0]).toMatch(/"\}" is not expected here$/u);
  expect(told("a: !one 1")).toEqual(["1:4: the tag !one does not fit here"]);
  const broken = [
    "a: {",
    "a: &x &y 1",
    "a: !a !b x",
    "%FOO\n---\na",
    "a: |\n x\ny",
    "? [",
    "- a\n b: 1",
    "'",
  ];
  const all = broken.flatMap(told);
  expect(all.length).toBeGreaterThan(broken.length - 1);
  expect(
    all.filter((line) => /Flow|Implicit|Plain|node|Unresolved|Nested|must be|token/u.test(line)),
  ).toEqual([]);
});
