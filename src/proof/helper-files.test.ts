import { beforeAll, expect, test } from "vitest";
import { proofProject, rules, type ProofProject } from "../../test/proof-project.ts";
import { inCi } from "../../test/verifies.ts";

const old =
  'import test from "node:test";\nimport assert from "node:assert/strict";\nimport { old } from "../src/old.js";\nimport { one } from "./helper.js";\ntest("old", () => assert.equal(old(), one));\n';
let project: ProofProject;
beforeAll(async () => {
  project = await proofProject({
    "package.json": '{ "type": "module", "scripts": { "test": "node --test tests/*.js" } }\n',
    "src/old.js": "export const old = () => 1;\n",
    "tests/helper.js": "export const one = 1;\n",
    "tests/old.check.js": old,
  });
});

test("a helper that the runner runs like any file is allowed, and an unusually named test counts (faults P2, E10)", async () => {
  const head = await project.commitOn(project.base, {
    "tests/more.js": "export const two = 2;\n",
    "tests/new.check.js": old
      .replaceAll("old", "later")
      .replace("./helper.js", "./more.js")
      .replace("one }", "two as one }"),
  });
  const settings = { runner: "node:test", paths: rules };
  const red = await project.red(head, { settings, planned: ["src/later.js"] });
  expect(red.verdict.checks.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
  expect(red.required).toEqual(["tests/new.check.js::later"]);
  const broken = await project.commitOn(head, {
    "src/later.js": "export const later = () => 2;\n",
    "src/old.js": "export const old = () => 3;\n",
  });
  const green = await project.green({ settings, red: head, head: broken, required: red.required });
  expect(
    green.verdict.checks.filter(({ verdict }) => verdict === "fail").map(({ name, tests }) => [name, tests]),
  ).toContainEqual(["regressions", ["tests/old.check.js::old"]]);
});

test("a new test that the runner does not list is reported, with the patterns of its script (fault P2)", async () => {
  const head = await project.commitOn(project.base, {
    "tests/deep/new.check.js": old.replace("./helper.js", "../helper.js").replace("../src", "../../src"),
  });
  const red = await project.red(head, { settings: { runner: "node:test", paths: rules } });
  expect(red.verdict.checks.find(({ name }) => name === "not_empty")).toMatchObject({
    verdict: "fail",
    reason: expect.stringMatching(
      /^the runner does not pick up tests\/deep\/new\.check\.js; its configuration names /,
    ),
  });
});

inCi("a test file that another loads by a computed name is accepted (js-yaml)", async () => {
  const loader = `import { readdirSync } from "node:fs";
for (const name of readdirSync(new URL("units/", import.meta.url))) await import(new URL("units/" + name, import.meta.url));
`;
  const base = await project.commitOn(project.base, {
    "package.json": '{ "type": "module", "scripts": { "test": "node --test tests/*.js" } }\n',
    "tests/units.js": loader,
    "tests/units/a.js": old.replace("../src", "../../src").replace("./helper", "../helper"),
  });
  const head = await project.commitOn(base, {
    "tests/units/a.js": `${old.replace("../src", "../../src").replace("./helper", "../helper")}import * as all from "../../src/old.js";\ntest("later", () => assert.equal(all.later(), 2));\n`,
  });
  const settings = { runner: "node:test", paths: rules };
  const red = await project.red(head, { base, settings, planned: ["src/old.js"] });
  expect(red.verdict.checks.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
  expect(red.required).toEqual(["tests/units/a.js::later"]);
  const unheard = await project.commitOn(base, {
    "tests/units/deep/b.js": old.replace("../src", "../../../src").replace("./helper", "../../helper"),
  });
  const check = (await project.red(unheard, { base, settings, planned: ["src/old.js"] })).verdict.checks.find(
    ({ name }) => name === "not_empty",
  );
  expect(check?.verdict).toBe("fail");
});
