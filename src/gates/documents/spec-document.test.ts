import { expect, test } from "vitest";
import { judgeSpec, parseSpec } from "./spec-document.ts";

const spec = `# Slugs

## Overview
Make slugs.

## Functional Requirements
- FR1: Lower case
- **FR2**: Words are joined by a hyphen,
  never by two.

## Inputs
A string.

## Outputs
A string.

## Edge Cases
- EC1: The empty string gives the empty string

## Error Handling
- ERR1: A number throws a TypeError

## Constraints
none

## Success Criteria
- FR1 and EC1 hold

## Out of Scope
None.
`;

const without = (section: string): string => spec.replace(new RegExp(`## ${section}\n[^#]*`), "");

test("a complete spec gives its criteria, each on one line", () => {
  expect(parseSpec(spec)).toEqual({
    criteria: [
      { id: "FR1", text: "Lower case" },
      { id: "FR2", text: "Words are joined by a hyphen, never by two." },
      { id: "EC1", text: "The empty string gives the empty string" },
      { id: "ERR1", text: "A number throws a TypeError" },
    ],
    faults: [],
  });
  expect(judgeSpec(spec).outcome).toBe("pass");
});

test.each([
  "Overview",
  "Functional Requirements",
  "Inputs",
  "Outputs",
  "Edge Cases",
  "Error Handling",
  "Constraints",
  "Success Criteria",
  "Out of Scope",
])("a missing section is named: %s", (section) => {
  expect(parseSpec(without(section)).faults).toEqual([`missing section: ${section}`]);
});

test("a document title with the name of a section is no section", () => {
  expect(parseSpec(spec.replace("# Slugs", "# Error Handling")).faults).toEqual([]);
});

test("an empty section without the word none is reported", () => {
  expect(parseSpec(spec.replace("## Constraints\nnone", "## Constraints\n<!-- later -->")).faults).toEqual([
    "empty section without the word none: Constraints",
  ]);
});

test("sections follow Markdown: underlined headings count, headings in a comment do not", () => {
  expect(parseSpec(spec.replace("## Inputs\n", "Inputs\n------\n")).faults).toEqual([]);
  expect(
    parseSpec(spec.replace("## Inputs\nA string.\n", "<!--\n## Inputs\nA string.\n-->\n")).faults,
  ).toEqual(["missing section: Inputs"]);
});

test("a duplicate id is reported, and keeps the first text", () => {
  const twice = parseSpec(spec.replace("**FR2**", "FR1"));
  expect(twice.faults).toEqual(["duplicate id: FR1"]);
  expect(twice.criteria[0]).toEqual({ id: "FR1", text: "Lower case" });
});

test("an id that another section only mentions is no duplicate", () => {
  const mentioned = spec.replace("- ERR1: A", "- EC1 of another kind\n- ERR1: A");
  expect(parseSpec(mentioned).faults).toEqual([]);
});

test("a section of requirements without an id is reported, unless it says none", () => {
  expect(parseSpec(spec.replace("- EC1: The empty", "- The empty")).faults).toEqual([
    "no id in section Edge Cases: write - EC1: … or none",
  ]);
  expect(parseSpec(spec.replace(/- EC1.*/, "None")).faults).toEqual([]);
});

test("an id without text is reported", () => {
  expect(parseSpec(spec.replace("ERR1: A number throws a TypeError", "ERR1:")).faults).toEqual([
    "ERR1 has no text",
  ]);
});

test("other forms of the same document are read: numbers, other levels, tables, CRLF", () => {
  const other = spec
    .replaceAll("## ", "### ")
    .replace("### Inputs", "### 3. Inputs (from the caller):")
    .replace(
      "- EC1: The empty string gives the empty string",
      "| id | what |\n|---|---|\n| EC-01 | Nothing in |",
    )
    .replaceAll("\n", "\r\n");
  expect(parseSpec(other)).toEqual({
    criteria: [
      { id: "FR1", text: "Lower case" },
      { id: "FR2", text: "Words are joined by a hyphen, never by two." },
      { id: "EC1", text: "Nothing in" },
      { id: "ERR1", text: "A number throws a TypeError" },
    ],
    faults: [],
  });
});

test("requirements as headings keep the text below them", () => {
  const headings = spec.replace(
    "- FR1: Lower case",
    "### FR1 - Lower case\n\nAlways.\n\n### FR3\n\nNo digits.\n\nMore.",
  );
  expect(parseSpec(headings).criteria.slice(0, 2)).toEqual([
    { id: "FR1", text: "Lower case" },
    { id: "FR3", text: "No digits." },
  ]);
});

test("headings inside a code fence are no sections", () => {
  expect(parseSpec(without("Inputs").replace("Make slugs.", "```\n## Inputs\nx\n```")).faults).toEqual([
    "missing section: Inputs",
  ]);
});

test("a missing file fails by name and is never inconclusive", () => {
  expect(judgeSpec(null).checks).toEqual([
    { name: "spec.md", verdict: "fail", reason: "there is no .claude/temp/spec.md", tests: [] },
  ]);
});

test("inline backticks at the start of a line hide no section (fault P9)", () => {
  const said = spec.replace("Make slugs.", "```slugify(text)``` makes slugs.");
  expect(parseSpec(said).faults).toEqual([]);
});
