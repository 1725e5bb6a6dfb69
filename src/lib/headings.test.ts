import { expect, test } from "vitest";
import { headingsOf, linesOf, sectionsOf } from "./headings.ts";
import { inCi } from "../../test/verifies.ts";

const titles = (text: string) =>
  headingsOf(linesOf(text)).map(({ level, title }) => `${"#".repeat(level)} ${title}`);

test.each([
  [
    "marks, with those at the end left out",
    "# One\n  ##   Two ##\n### Three #4\n#",
    ["# One", "## Two", "### Three #4", "# "],
  ],
  ["an underline, also of several lines", "One\n===\n\nTwo\n  lines\n---", ["# One", "## Two lines"]],
  ["the end of lines, and a mark of the byte order", "\uFEFF# One\r\nTwo\r\n---\r\n", ["# One", "## Two"]],
  ["no word with a mark, no code, no rule", "#one\n    # two\n\n    three\n---\n\n---\n***\n---", []],
  [
    "nothing in fences, also in one that is never closed",
    "~~~\n# one\n```\n~~~\n# Two\n```\n# three",
    ["# Two"],
  ],
  ["nothing in comments and front matter", "---\na: 1\n---\n<!--\n# one\n```\n-->\n# Two", ["# Two"]],
  [
    "nothing in quotes and lists, nor what goes on from them",
    "> # one\n- two\n  ---\n- three\n---\n> four\nfive\n---",
    [],
  ],
  ["no table", "| a |\n---", []],
] as const)("headings: %s", (_, text, expected) => {
  expect(titles(text)).toEqual(expected);
});

test("a section reaches to the next heading of its level, with what is below it", () => {
  expect(sectionsOf("lead\n# A\none\n## B\r\ntwo\n# C\n")).toEqual([
    { level: 1, title: "A", body: "one\n## B\ntwo" },
    { level: 2, title: "B", body: "two" },
    { level: 1, title: "C", body: "" },
  ]);
});

inCi("a front matter without an end is no front matter, and takes a moment", () => {
  const long = `---\n${"a\n\n".repeat(300_000)}`;
  expect(linesOf(long)[1]).toMatchObject({ text: "a", opaque: false });
});
