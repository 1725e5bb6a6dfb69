import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";
import { shapeOf } from "../graph-types/shape.ts";
import { TDDMode } from "../graph-types/tdd.ts";
import { checkJinja } from "./check.ts";
import { parseJinja } from "./parse.ts";
import { renderJinja } from "./render.ts";
import { JinjaFault } from "./tree.ts";
import type { Value } from "./value.ts";

const Golden = z.object({
  values: z.record(z.string(), z.json()),
  cases: z.array(z.object({ template: z.string(), output: z.string() })),
});
const golden = Golden.parse(
  JSON.parse(readFileSync(new URL("fixtures/jinja2.json", import.meta.url), "utf8")),
);

const fill = (template: string, values: Readonly<Record<string, Value>>): string =>
  renderJinja(parseJinja(template), values);

/** `line: message` of what is thrown. */
function fault(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof JinjaFault) return `${error.line}: ${error.message}`;
    throw error;
  }
  return "no fault";
}

test.each(golden.cases)("as in Jinja2: $template", ({ template, output }) => {
  expect(fill(template, golden.values)).toBe(output);
});

test("a variant without fields is true, where Jinja2 takes an empty mapping for false", () => {
  const template = "{% if mode.WriteTests %}w{% elif mode.ReviewImpl %}r{% endif %}";
  expect(fill(template, { mode: { WriteTests: {} } })).toBe("w");
  expect(fill(template, { mode: { ReviewImpl: { diff: "" } } })).toBe("r");
});

test("values are neither escaped nor rendered again", () => {
  const text = 'a < b & "c" {{ x }} {% y %} {# z #} $& \\n';
  expect(fill("[{{ text }}]", { text })).toBe(`[${text}]`);
});

test("a fence around a value is longer than any fence in it, and else stays as it is written", () => {
  const template = "Diff:\n```diff\n{{ diff }}\n```\nend";
  expect(fill(template, { diff: "+a" })).toBe("Diff:\n```diff\n+a\n```\nend");
  expect(fill(template, { diff: "+```\n+x\n+```" })).toBe("Diff:\n````diff\n+```\n+x\n+```\n````\nend");
  expect(fill(template, { diff: "`````" })).toBe("Diff:\n``````diff\n`````\n``````\nend");
  const two = "```\n{{ a }}\n```\n```\n{{ b }}\n```";
  expect(fill(two, { a: "```", b: "x" })).toBe("````\n```\n````\n```\nx\n```");
  // A value beside other text is no block of its own.
  expect(fill("```\ngit log {{ a }}\n```", { a: "```" })).toBe("```\ngit log ```\n```");
});

test.each([
  ["a\n{{ x", "2: this tag is never closed: }} is missing"],
  ["{% if x %}\n", "1: this block is never closed: {% endif %} is missing"],
  ["\n{% for x in y %}\n{% endif %}", "3: {% endif %} does not close the block of line 2"],
  ["{% endfor %}", "1: {% endfor %} is outside of its block"],
  ["{% macro a() %}", "1: {% macro %} is not known here: there are if, elif, else and for"],
  ["{{ x() }}", '1: the end of the tag is expected here, not "("'],
  ["{{ x.y.z() }}", '1: the end of the tag is expected here, not "("'],
  ["{{ x ! }}", '1: "!" means nothing here'],
  ["{{ }}", "1: a value is missing here"],
  ["{{ x %}", "1: this tag ends with %}, where }} is expected"],
  ["{# x", "1: this comment is never closed: #} is missing"],
  ["{{ x[y] }}", "1: a number or a text is expected between [ and ]"],
  ["{{ x | join(y) }}", '1: = is expected here, not ")"'],
])("a template that cannot be read is refused: %s", (template, message) => {
  expect(fault(() => parseJinja(template))).toBe(message);
});

test.each([
  ["{{ x }}", "1: x has no text here: put it into {% if … %} or {% for … %}"],
  ["\n{{ x.y.z }}", "2: x.y may be absent: put this into {% if x.y %}"],
  ["{{ list }}", "1: list has no text here: put it into {% if … %} or {% for … %}"],
  ["{{ ''.constructor }}", '1: "".constructor has no text here: put it into {% if … %} or {% for … %}'],
  ["{{ x.constructor }}", "1: x.constructor has no text here: put it into {% if … %} or {% for … %}"],
  ["{% if x < 1 %}{% endif %}", "1: x and 1 cannot be compared"],
])("what has no value is told, never printed: %s", (template, message) => {
  const x = template.includes("x.") ? { y: null } : null;
  expect(fault(() => fill(template, { x, list: [] }))).toBe(message);
});

const names = new Map(
  Object.entries({
    spec: z.strictObject({
      id: z.string(),
      description: z.string(),
      list: z.array(z.strictObject({ symbol: z.string() })),
      pairs: z.array(z.tuple([z.string(), z.string()])),
      maybe: z.strictObject({ time: z.string().nullish() }).nullish(),
    }),
    mode: TDDMode,
    count: z.int(),
  }).map(([name, type]) => [name, shapeOf(type)] as const),
);

test.each([
  ["{{ spec.id }}{{ count }}{{ spec.maybe.time }}{{ mode.ReviewImpl.implResult.iterations }}", []],
  [
    "{% for i in spec.list %}{{ i.symbol }}{{ loop.index }}{% endfor %}{{ spec.list | map(attribute='symbol') | join(', ') }}",
    [],
  ],
  [
    "{% for a, b in spec.pairs %}{{ a }}{{ b }}{% endfor %}{% for p in spec.pairs %}{{ p[0] }}{{ p[1] }}{% endfor %}",
    [],
  ],
  [
    "a\n\n{{ spec.desciption }}",
    [
      "3: spec has no field desciption, did you mean description? (known: id, description, list, pairs, maybe)",
    ],
  ],
  ["{{ spek.id }}", ["1: there is no spek here, did you mean spec? (known: spec, mode, count)"]],
  [
    "{% if mode.WriteTest %}{% endif %}",
    ["1: mode has no field WriteTest, did you mean WriteTests? (known: WriteTests, ReviewImpl)"],
  ],
  [
    "{% for i in spec.list %}{{ i.sybmol }}{% endfor %}{{ i }}",
    ["1: i has no field sybmol, did you mean symbol?", "1: there is no i here"],
  ],
  ["{{ spec }}", ["1: spec is a thing with fields and cannot be printed"]],
  ["{{ spec.list }}", ["1: spec.list is a list and cannot be printed"]],
  ["{{ spec.id.length }}", ["1: spec.id is a text and has no field length"]],
  ["{{ spec.constructor }}", ["1: spec has no field constructor"]],
  ["{% for i in spec.id %}{{ i.x }}{% endfor %}", ["1: spec.id is a text, not a list"]],
  ["{% for a, b in spec.list %}{% endfor %}", ["1: spec.list has no pairs that could be taken apart"]],
  ["{% for p in spec.pairs %}{{ p[2] }}{% endfor %}", ["1: p is a pair and has no [2]"]],
  ["{{ spec.list | map(attribute='symbl') | join }}", ["1: no field symbl: there are symbol"]],
  ["{{ spec.list | join }}", ["1: join takes a list of texts"]],
  ["{{ spec.id | uper }}", ["1: there is no filter uper, did you mean upper?"]],
  ["{{ a }}\n{{ b }}", ["1: there is no a here", "2: there is no b here"]],
])("names are compared with the types: %s", (template, messages) => {
  const faults = checkJinja(parseJinja(template), names).map(({ line, message }) => `${line}: ${message}`);
  expect(faults).toHaveLength(messages.length);
  for (const [at, message] of messages.entries()) expect(faults[at]).toContain(message);
});
