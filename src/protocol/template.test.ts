import { expect, test } from "vitest";
import { AppError } from "../lib/errors.ts";
import { expandPartials, parseTemplate, renderPrompt, renderTemplate, variablesOf } from "./template.ts";

function failure(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "no failure";
}

test("front matter gives role, tools, model and reply; the rest is the body", () => {
  expect(
    parseTemplate("---\nrole: claude\ntools: Read, Glob\nmodel: opus\nreply: plan-claude\n---\nHello\n"),
  ).toEqual({
    meta: { role: "claude", tools: ["Read", "Glob"], model: "opus", reply: "plan-claude" },
    body: "Hello\n",
  });
  expect(parseTemplate("---\r\nrole: gemini\r\ntools: []\r\n---\r\nHello\r\n")).toEqual({
    meta: { role: "gemini", tools: [] },
    body: "Hello\r\n",
  });
});

test.each([
  ["Hello", "template_invalid: the template has no front matter"],
  ["---\nrole: [\n---\nHello", "template_invalid: the front matter is no YAML"],
])("a template without proper front matter is refused: %j", (text, expected) => {
  expect(failure(() => parseTemplate(text))).toBe(expected);
});

test("an unknown or missing key of the front matter is named", () => {
  expect(failure(() => parseTemplate("---\nrole: x\ntools: []\nmodell: opus\n---\n"))).toContain('"modell"');
  expect(failure(() => parseTemplate("---\ntools: []\n---\n"))).toContain("role");
});

test("values go in byte for byte and are never read as template again", () => {
  const value = "{{task}} {{#task}} $& $1 \\n `x`\r\n\ttab";
  expect(renderTemplate("SPEC:\n{{spec}}\nTASK: {{ task }}!", { spec: value, task: "do" })).toBe(
    `SPEC:\n${value}\nTASK: do!`,
  );
});

test("a block is shown when its value is not empty, and takes its lines with it", () => {
  const body = "a\n{{#x}}\nX: {{x}}\n{{#y}}\nboth {{y}}\n{{/y}}\n{{/x}}\nb{{#y}} in line{{/y}}.\n";
  expect(renderTemplate(body, { x: "1", y: "2" })).toBe("a\nX: 1\nboth 2\nb in line.\n");
  expect(renderTemplate(body, { x: "1", y: "" })).toBe("a\nX: 1\nb.\n");
  expect(renderTemplate(body, { x: undefined, y: "2" })).toBe("a\nb in line.\n");
});

test.each([
  ["{{nope}}", "the template names an unknown variable {{nope}}"],
  ["{{#x}}{{nope}}{{/x}}", "the template names an unknown variable {{nope}}"],
  ["{{#nope}}{{/nope}}", "the template names an unknown variable {{nope}}"],
  ["{{x}}", "{{x}} has no value here"],
  ["{{#y}}open", "{{#y}} is never closed"],
  ["{{#y}}{{#z}}{{/y}}{{/z}}", "{{/y}} closes no block"],
  ["{{/y}}", "{{/y}} closes no block"],
  ["{{ Nonsense! }}", "this is no tag: {{ Nonsense! }}"],
  ["{{toString}}", "this is no tag: {{toString}}"],
])("a template that does not fit is refused: %s", (body, message) => {
  expect(failure(() => renderTemplate(body, { x: undefined, y: "1", z: "1" }))).toBe(
    `template_invalid: ${message}`,
  );
});

test("partials may hold partials and variables, and a circle is refused", () => {
  const templates = {
    a: "A {{> b}}!\n",
    b: "---\nrole: x\ntools: []\n---\n{{name}}\n",
    c: "{{> d}}",
    d: "{{> c}}",
  };
  expect(expandPartials("1 {{> a}}\n2", templates)).toBe("1 A {{name}}!\n2");
  expect(failure(() => expandPartials("{{> c}}", templates))).toBe(
    "template_invalid: partials include each other: c > d > c",
  );
  expect(failure(() => expandPartials("{{> e}}", templates))).toBe(
    "template_invalid: there is no template e",
  );
});

test("a prompt is rendered by name, with the partials of the same map", () => {
  const templates = {
    job: "---\nrole: coder\ntools: [Read]\n---\nDo {{task}}.\n{{> honesty}}\n",
    honesty: "Be true to {{task}}.\n",
  };
  expect(renderPrompt({ name: "job", templates, variables: { task: "{{> honesty}}" } })).toEqual({
    meta: { role: "coder", tools: ["Read"] },
    prompt: "Do {{> honesty}}.\nBe true to {{> honesty}}.\n",
  });
  expect(failure(() => renderPrompt({ name: "jobb", templates, variables: {} }))).toBe(
    "template_invalid: there is no template jobb",
  );
});

test("the names of a body are listed once, in order", () => {
  expect(variablesOf("{{b}} {{#a}}\n{{b}}\n{{/a}}\n{{ c }}")).toEqual(["b", "a", "c"]);
});
