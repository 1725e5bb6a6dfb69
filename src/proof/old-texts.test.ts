/** Weakened old tests are detected, and what they proved must still hold (fault R9). */
import { beforeAll, expect } from "vitest";
import { proofProject, type ProofProject } from "../../test/proof-project.ts";
import type { GateProof } from "./proof.ts";
import { inCi } from "../../test/verifies.ts";

const imports = 'import test from "node:test";\nimport assert from "node:assert/strict";\n';
const old = `${imports}import { check } from "./helper.js";
import { parse } from "../src/parse.js";
test("parses", () => assert.equal(parse("1"), 1));
test("refuses what is no number", () => {
  assert.throws(() => parse("x"));
});
test("checks", () => check(parse));
`;
const weak = old.replace('assert.throws(() => parse("x"));', 'assert.ok(parse("1"));');
const fresh = `${imports}import { double } from "../src/double.js";\ntest("doubles", () => assert.equal(double("2"), 4));\n`;
const id = (title: string) => `tests/parse.test.js::${title}`;
const required = ["tests/double.test.js::doubles"];

let project: ProofProject;
beforeAll(async () => {
  project = await proofProject({
    "package.json": '{ "type": "module" }\n',
    "src/parse.js":
      'export function parse(text) {\n  if (!/^\\d+$/.test(text)) throw new Error("no number");\n  return Number(text);\n}\n',
    "tests/helper.js":
      'import assert from "node:assert/strict";\nexport const check = (parse) => assert.equal(parse("7"), 7);\n',
    "tests/parse.test.js": old,
  });
});

const reasons = ({ verdict }: GateProof) =>
  verdict.checks.filter((check) => check.verdict !== "pass").map(({ name, reason }) => `${name}: ${reason}`);
const redOf = (files: Record<string, string>) =>
  project.commitOn(project.base, { "tests/double.test.js": fresh, ...files });
const planned = ["src/double.js"];

inCi(
  "a weakened old test is a finding of RED; its old text must pass on the implementation, unless a person accepts the change",
  async () => {
    const red = await redOf({ "tests/parse.test.js": weak });
    const proof = await project.red(red, { planned });
    expect([proof.verdict.verdict, reasons(proof)]).toEqual(["pass", []]);
    expect(proof.verdict.findings.filter(({ code }) => code === "weakened_test")).toEqual([
      {
        code: "weakened_test",
        severity: "finding",
        path: "tests/parse.test.js",
        message:
          'the old test "refuses what is no number" was changed; removed assertion: assert.throws(() => parse("x")); now: assert.ok(parse("1"))',
      },
    ]);

    const honest = {
      "src/double.js":
        'import { parse } from "./parse.js";\nexport const double = (text) => parse(text) * 2;\n',
    };
    const careful = await project.green({ red, head: await project.commitOn(red, honest), required });
    expect([careful.verdict.verdict, reasons(careful)]).toEqual(["pass", []]);

    const head = await project.commitOn(red, {
      ...honest,
      "src/parse.js": "export const parse = (text) => Number(text);\n",
    });
    const careless = await project.green({ red, head, required });
    expect([careless.verdict.verdict, reasons(careless)]).toEqual([
      "fail",
      [
        `old_text: passed on the base commit and fail now with their old text: ${id("refuses what is no number")}; keep the behaviour that they prove, or let a person accept the change: mettle resume RUN --accept-test ID`,
      ],
    ]);
    const accepted = await project.green({
      red,
      head,
      required,
      accepted: [id("refuses what is no number")],
    });
    expect([accepted.verdict.verdict, reasons(accepted)]).toEqual(["pass", []]);
    expect(accepted.verdict.findings.map(({ code, testId }) => [code, testId])).toContainEqual([
      "old_text",
      id("refuses what is no number"),
    ]);
  },
);

inCi("with a changed helper an old test's old text must still pass on RED", async () => {
  const red = await redOf({
    "tests/helper.js": "export const verify = () => undefined;\n",
    "tests/parse.test.js": old.replaceAll("check }", "verify }").replace("check(parse)", "verify(parse)"),
  });
  const proof = await project.red(red, { planned });
  expect(proof.verdict.verdict).toBe("fail");
  expect(reasons(proof)).toEqual([
    expect.stringMatching(/^old_text: passed on the base commit and fail now with their old text/),
  ]);
});

inCi(
  "an old test whose new text fails on the base is refused in RED, unless a person accepts it",
  async () => {
    const red = await redOf({ "tests/parse.test.js": old.replace('parse("1"), 1)', 'parse("1"), 10)') });
    const refused = await project.red(red, { planned });
    expect(reasons(refused)).toEqual([expect.stringContaining(`${id("parses")} (failed)`)]);
    const taken = await project.red(red, { planned, accepted: [id("parses")] });
    expect(reasons(taken)).toEqual([]);
  },
);
