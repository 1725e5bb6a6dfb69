import fc from "fast-check";
import { expect, test } from "vitest";
import { partsNamed, partsOf } from "./document.ts";
import { appendField, replacePart } from "./edit.ts";

const text = `\uFEFF# Brief

## [R1] Log in

A visitor can log in.

### Details

- [R2] with a name
  and a password

  for ever
- **[R₃]** and out
- [ ] [R4] later
- [R9](https://example.org) is a link
not R4 but lazy

\`\`\`
## [R5] in code
\`\`\`

<!--
- [R6] in a comment
-->

Tech Stack
=============

TypeScript

**module_specifications**: one
and two

- \`limits\`: three
    four

plan_rounds: 5
Note: prose
`;

test("sections are headings and list items with a mark, fields are headings and labels", () => {
  expect(partsOf(text).map(({ kind, name, line }) => `${line} ${kind} ${name}`)).toEqual([
    "1 field brief",
    "3 section R1",
    "3 field log_in",
    "7 field details",
    "9 section R2",
    "13 section R3",
    "14 section R4",
    "26 field tech_stack",
    "31 field module_specifications",
    "34 field limits",
    "37 field plan_rounds",
  ]);
});

test("a part is shown whole: a section with its heading, a list item with its continuation lines, a field without its name", () => {
  const shown = (target: string) => partsNamed(text, target).map((part) => part.text);
  expect(shown("R1")[0]).toMatch(/^## \[R1\] Log in\n\nA visitor[\s\S]*-->$/u);
  expect(shown("R2")).toEqual(["- [R2] with a name\n  and a password\n\n  for ever"]);
  expect(shown("R₃")).toEqual(["- **[R₃]** and out"]);
  expect(shown("R4")).toEqual(["- [ ] [R4] later"]);
  expect(shown("Module Specifications")).toEqual(["one\nand two"]);
  expect(shown("limits")).toEqual(["three\n    four"]);
  expect(shown("plan_rounds")).toEqual(["5\nNote: prose"]);
  expect(["R5", "R6", "R9", "note", ""].map((target) => shown(target))).toEqual([[], [], [], [], []]);
});

test("both definitions of a duplicate name are found", () => {
  const twice = "- [R2] a\n\n## B [R₂]\n\n## Tech Stack\n\n## C\n\n**tech_stack**: x\n";
  expect(partsNamed(twice, "R2").map(({ line }) => line)).toEqual([1, 3]);
  expect(partsNamed(twice, "tech_stack").map(({ line }) => line)).toEqual([5, 9]);
});

test("a field inside of a field with the same name belongs to it", () => {
  const nested = "## Tech Stack\n\n### Tech-Stack\n\n- tech_stack: x\n";
  expect(partsNamed(nested, "tech_stack").map(({ line }) => line)).toEqual([1]);
});

test("headings in a value become deeper than the field's, and an open fence is closed", () => {
  const file = "# F\n\n## Tech Stack\n\nold\n\n## Next\n\nstays\n";
  const [part] = partsNamed(file, "tech_stack");
  if (!part) throw new Error("no part");
  expect(replacePart(file, part, "\n# A\n\nB\n-\n\n### C\n\n```\n# no heading\n")).toBe(
    "# F\n\n## Tech Stack\n\n### A\n\n#### B\n\n##### C\n\n```\n# no heading\n```\n\n## Next\n\nstays\n",
  );
  expect(replacePart(file, part, "")).toBe("# F\n\n## Tech Stack\n\n## Next\n\nstays\n");
});

test("a labelled paragraph with a longer value becomes a list item, so that its end is clear", () => {
  const file = "**tech_stack**: x\r\n\r\nother\r\n";
  const [part] = partsNamed(file, "tech_stack");
  if (!part) throw new Error("no part");
  expect(replacePart(file, part, "y")).toBe("**tech_stack**: y\r\n\r\nother\r\n");
  const longer = replacePart(file, part, "a\n\nb");
  expect(longer).toBe("- **tech_stack**: a\r\n\r\n    b\r\n\r\nother\r\n");
  expect(partsNamed(longer, "tech_stack").map((found) => found.text.replaceAll("\r", ""))).toEqual([
    "a\n\n    b",
  ]);
});

const blocks = fc.constantFrom(
  "## Tech Stack",
  "## Architecture Design",
  "### Deeper",
  "# Top",
  "Text\n----",
  "- [R1] item\n  more",
  "- [R2] item\n\n  after a blank line",
  "**module_specifications**: words\nmore words",
  "- `limits`: 3",
  "some_key: value",
  "```\n## code\n```",
  "<!-- ## comment\n- [R3] no\n-->",
  "A paragraph: with a colon.",
  "1. one\n2. two",
  "",
);
const documents = fc
  .tuple(fc.array(blocks, { maxLength: 12 }), fc.boolean(), fc.boolean())
  .map(([list, crlf, end]) => {
    const joined = list.join("\n\n") + (end ? "\n" : "");
    return crlf ? joined.replaceAll("\n", "\r\n") : joined;
  });
const values = fc.array(blocks, { minLength: 1, maxLength: 4 }).map((list) => list.join("\n\n"));

test("replacing a field changes nothing before its name and nothing after its value", () => {
  fc.assert(
    fc.property(
      documents,
      fc.constantFrom("new words", "two\n\nparagraphs\n\n- a\n- b"),
      fc.nat(),
      (file, value, pick) => {
        const fields = partsOf(file).filter(({ kind }) => kind === "field");
        const part = fields[pick % Math.max(1, fields.length)];
        fc.pre(part !== undefined);
        const after = replacePart(file, part, value);
        const head = part.form.type === "paragraph" ? part.form.label.from : part.body.from;
        expect(after.startsWith(file.slice(0, head))).toBe(true);
        expect(after.endsWith(file.slice(part.body.to))).toBe(true);
        const found = partsOf(after).find(
          ({ kind, name, line }) => kind === "field" && name === part.name && line === part.line,
        );
        const words = (text = "") => text.split(/\s+/u).join(" ").trim();
        expect(words(found?.text)).toBe(words(value));
      },
    ),
    { numRuns: 200 },
  );
});

test("every text that is written under a heading stays under it", () => {
  fc.assert(
    fc.property(documents, values, fc.nat(), (file, value, pick) => {
      const headings = partsOf(file).filter(({ kind, form }) => kind === "field" && form.type === "heading");
      const part = headings[pick % Math.max(1, headings.length)];
      fc.pre(part !== undefined);
      const after = replacePart(file, part, value);
      const tail = file.slice(part.body.to);
      const again = partsOf(after).find(
        ({ line, form, kind }) => kind === "field" && form.type === "heading" && line === part.line,
      );
      expect(again?.name).toBe(part.name);
      expect(after.slice(again?.body.to)).toBe(tail);
      const outside = (source: string, to: number) => {
        const next = to === source.length ? Infinity : source.slice(0, to).split("\n").length;
        return partsOf(source)
          .filter(({ line }) => line <= part.line || line >= next)
          .map(({ kind, name }) => `${kind} ${name}`);
      };
      expect(outside(after, again?.body.to ?? 0)).toEqual(outside(file, part.body.to));
    }),
    { numRuns: 200 },
  );
});

test("a new field is added at the end", () => {
  expect(appendField("# F", "tech_stack", "x")).toBe("# F\n\n## Tech Stack\n\nx\n");
  expect(
    partsNamed(appendField("# F\n", "tech_stack", "# x"), "tech_stack").map((part) => part.text),
  ).toEqual(["### x"]);
});
