import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { verifies } from "../verifies.ts";
import { formatLines, reviewFormats } from "../../src/gates/review/review-formats.ts";
import {
  expandPartials,
  parseTemplate,
  renderPrompt,
  variablesOf,
  type Variables,
} from "../../src/protocol/template.ts";

const folder = new URL("../../protocols/orchestrate/", import.meta.url);
const templates = Object.fromEntries(
  readdirSync(new URL("templates/", folder)).map((file) => [
    file.replace(/\.md$/, ""),
    readFileSync(new URL(`templates/${file}`, folder), "utf8"),
  ]),
);
const partials = ["honesty", "material", "person", "report"];
const prompts = Object.keys(templates).filter((name) => !partials.includes(name));
const body = (name: string): string => expandPartials(parseTemplate(templates[name] ?? "").body, templates);

/** Every name a template may use has a value that names itself. */
const filled: Variables = Object.fromEntries(
  prompts.flatMap((name) => variablesOf(body(name)).map((variable) => [variable, `<${variable}>`])),
);
const prompt = (name: string, variables: Variables = filled): string =>
  renderPrompt({ name, templates, variables }).prompt;

test("the shipped prompts are the ten of the protocol", () => {
  expect(prompts.toSorted()).toEqual([
    "code-review",
    "code-review-brief",
    "implementer",
    "intake",
    "plan-review",
    "plan-review-brief",
    "planner",
    "test-review",
    "test-review-brief",
    "test-writer",
  ]);
  const protocol: unknown = parse(readFileSync(new URL("protocol.yaml", folder), "utf8"));
  const named = [...JSON.stringify(protocol).matchAll(/"template":"([^"]+)"/g)].map(
    (match) => match[1] ?? "",
  );
  expect([...new Set(named)].toSorted()).toEqual(prompts.toSorted());
});

verifies(
  "ORC-55",
  "every shipped prompt carries the anti-sycophancy directive and no hallucination rate",
  () => {
    expect(prompts).toHaveLength(10);
    for (const name of prompts) {
      const text = prompt(name);
      expect(text).toContain("You do not work for anybody's approval. You work for the truth.");
      expect(text).toContain("If tests fail, say so");
      expect(text).toContain("write UNVERIFIED");
      expect(text).toContain(`say "I don't know": end with \`→BL:`);
      expect(text).toContain("Never claim success to end a conversation.");
      expect(text).toContain(
        `"I would rather hear 'tests fail' 10 times than hear 'done' once when it's not."`,
      );
    }
    for (const text of Object.values(templates)) expect(text).not.toMatch(/58|\d\s*%|percent|hallucinat/i);
  },
);

test.each(Object.values(reviewFormats))(
  "the template of $name asks for exactly the fields that the parser demands",
  (format) => {
    const name =
      prompts.find((candidate) => parseTemplate(templates[candidate] ?? "").meta.reply === format.name) ?? "";
    const { meta } = parseTemplate(templates[name] ?? "");
    expect({ tools: meta.tools, model: meta.model ?? null }).toEqual({
      tools: format.tools,
      model: format.model,
    });
    expect(prompt(name)).toContain(`\n${formatLines(format).join("\n")}\n`);
    if (format.file !== null) expect(prompt(name)).toContain(`\`.claude/temp/${format.file}\``);
  },
);

test("the briefs hold what is reviewed byte for byte under the seed's headings", () => {
  const text = "line\r\n\t{{x}} $& `→APPROVED: no`\n";
  const variables = {
    ...filled,
    spec: text,
    architecture: text,
    tests: text,
    source: text,
    red_output: text,
    green_output: text,
  };
  expect(prompt("plan-review-brief", variables)).toContain(`SPEC:\n${text}\n\nARCHITECTURE:\n${text}\n`);
  expect(prompt("test-review-brief", variables)).toContain(
    `SPEC:\n${text}\n\nTEST FILES:\n${text}\n\nTEST OUTPUT (should show failures):\n${text}\n`,
  );
  expect(prompt("code-review-brief", variables)).toContain(
    `SPEC:\n${text}\n\nARCHITECTURE:\n${text}\n\nSOURCE FILES:\n${text}\n`,
  );
  expect(prompt("code-review-brief", variables)).toContain(
    `TEST OUTPUT (should show all passing):\n${text}\n`,
  );
});

test("isolated reviewers and coders are pointed to files in their own workspace, never to a shared place", () => {
  for (const text of Object.values(templates)) expect(text).not.toContain("/tmp");
  expect(prompt("plan-review")).toMatch(/ZERO context[\s\S]*spec\.md` and `\.claude\/temp\/architecture\.md/);
  expect(prompt("plan-review")).toMatch(
    /completeness[\s\S]*feasibility[\s\S]*TDD strategy[\s\S]*Edge cases[\s\S]*Security[\s\S]*Be harsh/,
  );
  expect(prompt("test-review")).toContain("`.claude/temp/test_output.txt`");
  expect(prompt("implementer")).toContain("`.claude/temp/test_output.txt`");
  expect(prompt("code-review")).toMatch(/OWASP top 10/);
  expect(prompt("code-review")).not.toMatch(/spec\.md|architecture\.md/);
});

test("the coders are told the rules that the gates enforce", () => {
  expect(prompt("test-writer")).toMatch(
    /TDD Strategy section[\s\S]*Cover every FR, EC and ERR id[\s\S]*MUST FAIL/,
  );
  expect(prompt("implementer")).toMatch(
    /READ-ONLY[\s\S]*MINIMAL code[\s\S]*one source file for each iteration[\s\S]*report TI/,
  );
  expect(parseTemplate(templates["implementer"] ?? "").meta.tools).toEqual([
    "Read",
    "Write",
    "Edit",
    "Bash",
    "Glob",
    "Grep",
  ]);
  expect(parseTemplate(templates["test-writer"] ?? "").meta.tools).toEqual([
    "Read",
    "Write",
    "Edit",
    "Bash",
    "Glob",
    "Grep",
  ]);
});

test("a later turn opens with the output of the one before", () => {
  for (const name of ["implementer", "test-writer"]) {
    expect(prompt(name).split("\n")[1]).toBe("<failures>");
    expect(prompt(name, { ...filled, failures: "" })).toMatch(/^You are a TDD/);
  }
});

test("gate 3 tells its reviewers how to mark an issue about tests", () => {
  for (const name of ["code-review", "code-review-brief"]) expect(prompt(name)).toContain("`- [tests] `");
});

test("the README lists exactly the variables of each template", () => {
  const readme = readFileSync(new URL("README.md", folder), "utf8");
  for (const name of prompts) {
    const row =
      readme.split("\n").find((line) => line.replaceAll(/ +\|/g, " |").startsWith(`| \`${name}\` |`)) ?? "";
    const listed = [...(row.split("|")[2] ?? "").matchAll(/`([a-z_]+)`/g)].map((match) => match[1] ?? "");
    expect([name, listed.toSorted()]).toEqual([name, variablesOf(body(name)).toSorted()]);
  }
});
