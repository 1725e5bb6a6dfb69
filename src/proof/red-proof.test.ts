import { beforeAll, expect, test } from "vitest";
import { proofProject, rules, type ProofProject } from "../../test/proof-project.ts";
import { verifies, verifiesInCi } from "../../test/verifies.ts";
import { parseArchitecture } from "../gates/documents/architecture-document.ts";
import type { Verdict } from "../gates/verdict.ts";
import type { RedRequest } from "./red-proof.ts";

const imports = 'import test from "node:test";\nimport assert from "node:assert/strict";\n';
let project: ProofProject;
/** A base without tests: each run of a test project starts one process less, and the base does not run. */
let bare: string;

beforeAll(async () => {
  project = await proofProject({
    "package.json": '{ "type": "module" }\n',
    "src/old.js": "export const old = () => 1;\n",
    "tests/helper.js": "export const one = 1;\n",
    "tests/old.test.js": `${imports}import { old } from "../src/old.js";\nimport { one } from "./helper.js";\ntest("old works", () => assert.equal(old(), one));\n`,
  });
  bare = await project.commitOn(project.base, { "tests/old.test.js": null, "tests/helper.js": null });
});

/** Commits test files on a base and proves them. */
async function red(files: Record<string, string | null>, options: Partial<RedRequest> = {}) {
  const { base = bare } = options;
  const settings = { runner: "node:test", paths: rules };
  return project.red(await project.commitOn(base, files), { settings, ...options, base });
}

function reason(verdict: Verdict, name: string): string | undefined {
  return verdict.checks.find((check) => check.name === name)?.reason;
}

function failedChecks(verdict: Verdict): readonly string[] {
  return verdict.checks
    .filter((check) => check.verdict !== "pass")
    .map((check) => `${check.verdict} ${check.name}`);
}

const honest = `${imports}import { old } from "../src/old.js";
test("FR1 doubles", () => assert.equal(old(2), 4));
test("EC1 doubles zero", () => assert.equal(old(0), 0));
`;
const criteria = { criteria: ["FR1", "EC1"] };

verifies(
  ["ORC-37", "ORC-91"],
  "of five REDs only the honest one passes: no runner, a syntax error, no test and a skip are refused",
  async () => {
    const passing = await red({ "tests/new.test.js": honest }, { ...criteria, base: project.base });
    expect(passing.verdict.checks.map((check) => `${check.verdict} ${check.name} ${check.reason}`)).toEqual([
      "pass paths ",
      "pass links ",
      "pass not_empty ",
      "pass load ",
      "pass fails ",
      "pass right_reason ",
      "pass tautology ",
      "pass no_skip ",
      "pass asserts ",
      "pass mocks ",
      "pass can_fail ",
      "pass criteria ",
      "pass unique ",
      "pass old_tests ",
      "pass stable ",
    ]);
    expect(passing.verdict.outcome).toBe("pass");
    expect(passing.required).toEqual([
      "tests/new.test.js::FR1 doubles",
      "tests/new.test.js::EC1 doubles zero",
    ]);
    const gate = passing.drafts.at(-1);
    expect([gate?.title, gate?.exitCode, gate?.innerDrafts]).toEqual([
      `mettle gate red --base ${project.base} --head ${gate?.commit}`,
      0,
      [0, 1, 2],
    ]);
    expect(passing.drafts.map((draft) => `${draft.purpose} ${draft.exitCode}`)).toEqual([
      "baseline 0",
      "red.tests 1",
      "red.repeat 1",
      "red 0",
    ]);

    const missing = await red(
      { "tests/new.test.js": honest },
      { ...criteria, settings: { runner: "vitest", paths: rules } },
    );
    expect([missing.verdict.verdict, missing.drafts.at(-1)?.exitCode]).toEqual(["inconclusive", 5]);
    expect(reason(missing.verdict, "environment")).toMatch(
      /^runner_not_found: vitest is the project's runner, but it is not installed \(install the project's dependencies in the main checkout: `npm install`\)$/,
    );

    const syntax = await red({ "tests/new.test.js": `${honest}test("FR1 broken", () => {` }, criteria);
    expect([syntax.verdict.verdict, syntax.drafts.at(-1)?.exitCode]).toEqual(["fail", 1]);
    expect(reason(syntax.verdict, "load")).toMatch(/^tests\/new\.test\.js does not load: SyntaxError/);

    const none = await red({ "tests/new.test.js": "// nothing yet\n" }, criteria);
    expect(none.verdict.verdict).toBe("fail");
    expect(reason(none.verdict, "not_empty")).toBe("no new test was found; add failing tests");

    const skip = await red({ "tests/new.test.js": honest.replace('test("EC1', 'test.skip("EC1') }, criteria);
    expect(failedChecks(skip.verdict)).toEqual(["fail no_skip"]);
    expect(reason(skip.verdict, "no_skip")).toBe(
      "no test may be hidden: tests/new.test.js:5: test.skip; tests/new.test.js::EC1 doubles zero is skipped",
    );
  },
);

verifiesInCi(
  "PRV-22",
  "a new passing test is refused, or a finding with its author's reason; the only test of a criterion is refused (fault E11)",
  async () => {
    const note = "// passes already: zero was never treated apart\n";
    const passing = `${honest}${note}test("FR1 true", () => assert.equal(old(), 1));\ntest("FR1 too", () => {\n  // passes already: nor was one\n  assert.equal(old(), 1);\n});\n`;
    const { verdict, required } = await red({ "tests/new.test.js": passing }, criteria);
    expect(failedChecks(verdict)).toEqual([]);
    expect(required).toContain("tests/new.test.js::FR1 true");
    const onIdentity = {
      code: "null_stub",
      severity: "finding",
      message: "passes on a unit that returns its first argument: tests/new.test.js::EC1 doubles zero",
      testId: "tests/new.test.js::EC1 doubles zero",
    };
    const finding = (title: string, why: string) => ({
      code: "passes_already",
      severity: "finding",
      message: `passes before implementation, so it does not test it: tests/new.test.js::${title}: ${why}`,
      testId: `tests/new.test.js::${title}`,
    });
    expect(verdict.findings).toEqual([
      finding("FR1 true", "zero was never treated apart"),
      finding("FR1 too", "nor was one"),
      onIdentity,
    ]);

    const fails = async (text: string, ids: readonly string[]) => {
      const judged = await red({ "tests/new.test.js": text }, { criteria: ids });
      const check = judged.verdict.checks.find(({ name }) => name === "fails");
      return [
        check?.verdict,
        check?.tests.map((id) => id.split("::")[1]),
        /needs a comment with the reason/.test(check?.reason ?? ""),
      ];
    };
    expect(await fails(passing.replace(note, ""), ["FR1", "EC1"])).toEqual(["fail", ["FR1 true"], true]);
    expect(await fails(passing.replaceAll("FR1 t", "ERR1 t"), ["FR1", "ERR1"])).toEqual([
      "fail",
      ["ERR1 true", "ERR1 too"],
      false,
    ]);
    const lone = passing.replaceAll("FR1 t", "ERR1 t");
    const ids = ["tests/new.test.js::ERR1 true", "tests/new.test.js::ERR1 too"];
    const person = await red({ "tests/new.test.js": lone }, { criteria: ["FR1", "ERR1"], accepted: ids });
    expect(failedChecks(person.verdict)).toEqual([]);
    expect(person.verdict.findings).toEqual([
      finding("ERR1 true", "a person accepted it"),
      finding("ERR1 too", "a person accepted it"),
      onIdentity,
    ]);
    expect(person.drafts.at(-1)?.controls["accepted_passing"]).toBe(ids.join(", "));
    const none = passing.replace(honest, `${imports}import { old } from "../src/old.js";\n`);
    expect(await fails(none, ["FR1"])).toEqual(["fail", ["FR1 true", "FR1 too"], false]);
  },
);

const planned = { planned: ["src/later.js", "src/old.js"] };

verifies(
  "CORE-22",
  "of eight fixtures an assertion and the unit's marker are RED, six are refused by name",
  async () => {
    const { verdict, tests } = await red(
      {
        "tests/honest.test.js": `${imports}import { later } from "../src/later.js";
test("asserts", () => assert.equal(1, 2));
test("not implemented", () => { later(); assert.ok(true); });
`,
        "tests/thrown.test.js": `${imports}test("throws", () => { assert.ok(true); throw new Error("boom"); });\n`,
        "tests/slow.test.js": `${imports}test("is slow", { timeout: 50 }, async () => { await new Promise((go) => setTimeout(go, 300)); assert.ok(true); });\n`,
        "tests/fixture.test.js": `${imports}test("fixture", async (t) => {
  t.beforeEach(() => { throw new Error("no database"); });
  await t.test("inside", () => assert.equal(1, 2));
});
`,
        "tests/syntax.test.js": `${imports}test("a", () => assert.equal(1, 2);\n`,
        "tests/empty.test.js": "export {};\n",
      },
      planned,
    );
    const honest = tests.filter(({ id }) => id.startsWith("tests/honest"));
    expect(honest.map(({ id, kind }) => [id, kind])).toEqual([
      ["tests/honest.test.js::asserts", "assertion"],
      ["tests/honest.test.js::not implemented", "not-implemented"],
    ]);
    expect([verdict.verdict, ...failedChecks(verdict)]).toEqual(["fail", "fail load", "fail right_reason"]);
    expect(`${reason(verdict, "right_reason")}; ${reason(verdict, "load")}`.split("; ")).toEqual([
      "tests/fixture.test.js::fixture::inside: fails in a hook, before or after the test: no database",
      "tests/fixture.test.js::fixture: fails in a hook, before or after the test: 1 subtest failed: no database",
      "tests/slow.test.js::is slow: times out",
      "tests/thrown.test.js::throws: throws in the test itself at tests/thrown.test.js:3:47: boom",
      'RED is a failed assertion, "not implemented" thrown by src/later.js, src/old.js, or any error or timeout of a test that calls it first',
      "tests/syntax.test.js does not load: SyntaxError: missing ) after argument list",
      "tests/empty.test.js holds no test, or ends its process before them",
      "a module that does not exist yet is stubbed when the File Structure of the architecture names it",
    ]);

    const script = await red({ "tests/x.test.js": "" }, { settings: { runner: "npm test", paths: rules } });
    expect(reason(script.verdict, "environment")).toMatch(
      /^runner_not_found: the runner npm test is not supported yet/,
    );
  },
);

verifies(
  "CORE-23",
  "a missing planned module or symbol is stubbed in the checkout only, and RED passes",
  async () => {
    const files = {
      "tests/stub.test.js": `${imports}import total, { Cart, MAX } from "../src/cart.js";
import * as more from "../src/deep/more.js";
import { old, fresh } from "../src/old.js";
test("total", () => assert.equal(total([1]), 1));
test("class", () => assert.equal(new Cart().size, 0));
test("constant", () => assert.equal(MAX, 5));
test("namespace", () => assert.equal(more.twice(2), 4));
test("symbol of an existing module", () => assert.equal(fresh(old()), 2));
`,
    };
    const unplanned = await red(files);
    expect(unplanned.verdict.verdict).toBe("fail");
    expect(reason(unplanned.verdict, "load")).toMatch(/^tests\/stub.test.js does not load: /);

    const { verdict, tests, drafts } = await red(files, {
      planned: ["src/cart.js", "src/deep/more.js", "./src/old.js"],
    });
    expect(verdict.checks.filter((check) => check.verdict !== "pass")).toEqual([]);
    expect(
      tests.map(({ id, kind, message }) => `${id.split("::")[1]}: ${kind}: ${message.split("\n")[0]}`),
    ).toEqual([
      "total: not-implemented: not implemented: default",
      "class: not-implemented: not implemented: Cart",
      "constant: assertion: Expected values to be strictly equal:",
      "namespace: not-implemented: not implemented: twice",
      "symbol of an existing module: not-implemented: not implemented: fresh",
    ]);
    expect(verdict.findings.filter(({ code }) => code === "stubbed").map(({ message }) => message)).toEqual([
      "src/cart.js is planned; stubbed for this check: default, Cart, MAX",
      "src/deep/more.js is planned; stubbed for this check: twice",
      "src/old.js is planned; stubbed for this check: fresh",
    ]);
    expect(
      await project.repo.git("ls-tree", "-r", "--name-only", drafts.at(-1)?.commit ?? "", "--", "src"),
    ).toBe("src/old.js");
  },
);

test("planned files may have any names of frameworks and other languages (fault E5)", async () => {
  const names = ["users.$id", "a b", "größe", "#tag", "a=b", "x,y", "it's", "[id]", "(group)", "+page"];
  const from = (name: string) => JSON.stringify(`../src/${name.replace("#", "%23")}.js`);
  const text = [
    imports,
    ...names.map((name, at) => `import { load as load${at} } from ${from(name)};`),
    ...names.map((name, at) => `test("${name}", () => assert.equal(load${at}(1), 2));`),
  ].join("\n");
  const list = `# Architecture\n\n## File Structure\n${names.map((name) => `- \`src/${name}.js\`: a route`).join("\n")}\n`;
  const proof = await red({ "tests/new.test.js": text }, { planned: parseArchitecture(list, []).files });
  expect(failedChecks(proof.verdict)).toEqual([]);
  expect(new Set(proof.tests.map(({ kind }) => kind))).toEqual(new Set(["not-implemented"]));
  expect(proof.required.length).toBe(names.length);
});

test("a test without a stored snapshot is refused with advice, a stored one is not (fault E7)", async () => {
  const text = `${imports}import { old } from "../src/old.js";
test("FR1 renders", (t) => { assert.equal(old(), 2); t.expect(old()).toMatchSnapshot(); });
test("EC1 renders", (t) => { assert.equal(old(), 2); t.expect(old()).toMatchInlineSnapshot(); });
test("EC2 renders", (t) => { assert.equal(old(), 2); t.expect(old()).toMatchInlineSnapshot("2"); });
`;
  const bare_ = await red({ "tests/new.test.js": text });
  expect(failedChecks(bare_.verdict)).toEqual(["fail snapshots"]);
  expect(reason(bare_.verdict, "snapshots")).toMatch(
    /compared: tests\/new\.test\.js:4: FR1 renders; tests\/new\.test\.js:5: EC1 renders; write the expected value into/,
  );
  const stored = await red({
    "tests/new.test.js": text.replace("toMatchInlineSnapshot()", 'toMatchInlineSnapshot("2")'),
    "tests/__snapshots__/new.test.js.snap": "exports[`FR1 renders 1`] = `2`;\n",
  });
  expect(failedChecks(stored.verdict)).toEqual([]);
});

test("a file that calls the planned unit while it loads still has tests that fail", async () => {
  const text = `${imports}import { make } from "../src/made.js";
const made = make(2);
test("FR1 doubles", () => assert.equal(made(), 4));
`;
  const proof = await red({ "tests/new.test.js": text }, { planned: ["src/made.js"], criteria: ["FR1"] });
  expect(failedChecks(proof.verdict)).toEqual([]);
  expect(proof.tests.find(({ id }) => id.endsWith("FR1 doubles"))).toMatchObject({
    status: "failed",
    kind: "not-implemented",
    message: expect.stringContaining("not implemented: make"),
  });
});

verifies(
  "CORE-25",
  "a helper that breaks an old test and a test that depends on a counter are refused by id",
  async () => {
    const helper = await red(
      { "tests/helper.js": "export const one = 2;\n", "tests/new.test.js": honest },
      { base: project.base },
    );
    expect(failedChecks(helper.verdict)).toEqual(["fail old_tests"]);
    expect(helper.verdict.checks.find(({ name }) => name === "old_tests")).toEqual({
      name: "old_tests",
      verdict: "fail",
      acceptable: true,
      reason:
        "passed on the base commit and must still pass: tests/old.test.js::old works (failed); add new tests beside them, or let a person accept the change: mettle resume RUN --accept-test ID",
      tests: ["tests/old.test.js::old works"],
    });
    const counter = await red({
      "tests/flaky.test.js": `${imports}import { existsSync, writeFileSync } from "node:fs";
const again = existsSync("count");
writeFileSync("count", "");
test("steady", () => assert.equal(1, 2));
test("depends on a counter", () => assert.equal(again, true));
`,
    });
    expect(failedChecks(counter.verdict)).toEqual(["fail stable"]);
    expect(reason(counter.verdict, "stable")).toBe(
      "flaky: different result in a second, shuffled run: tests/flaky.test.js::depends on a counter; let it not depend on the order or the state that other tests leave",
    );
  },
);

test("faults in the diff, in titles and in the text are reported by path, criterion and line", async () => {
  const { verdict } = await red(
    {
      "src/old.js": "export const old = (n) => n * 2;\n",
      "package.json": '{ "type": "module", "scripts": {} }\n',
      "tests/new.test.js": `${honest}test("EC1 doubles zero", () => assert.equal(old(0), 5));\ntest("bare", () => { old(); throw 1; });\n`,
    },
    { criteria: ["FR1", "FR2", "EC1"], plan: { FR2: ["never written"] } },
  );
  expect(failedChecks(verdict)).toEqual([
    "fail paths",
    "fail right_reason",
    "fail asserts",
    "fail criteria",
    "fail unique",
  ]);
  expect(reason(verdict, "paths")).toBe(
    "only tests and fixtures (tests/) may change here; also changed: package.json, src/old.js",
  );
  expect(reason(verdict, "asserts")).toBe(
    'a test must assert something: tests/new.test.js:7: "bare" asserts nothing; `expect(() => …).not.toThrow()` or `assert.doesNotThrow(…)` asserts that nothing is thrown',
  );
  expect(reason(verdict, "criteria")).toBe("no new test for FR2; put the id into the title of its test");
  expect(reason(verdict, "unique")).toBe("duplicate test names: tests/new.test.js::EC1 doubles zero#2");
  // The commit's source did not run: with it these tests would have passed.
  expect(verdict.checks.find(({ name }) => name === "fails")?.verdict).toBe("pass");
});

test("CommonJS tests get CommonJS stubs, whole, destructured, or besides names that a module creates at run time", async () => {
  const base = await project.commitOn(project.base, {
    "package.json": "{}\n",
    "src/old.js": "const old = () => 1;\nmodule.exports = { ...{ old } };\n",
    "tests/old.test.js": null,
    "tests/helper.js": null,
  });
  const head = await project.commitOn(base, {
    "tests/stub.test.js": `const test = require("node:test");
const assert = require("node:assert");
const { add, sub: minus } = require("../src/add.js");
const whole = require("../src/whole.js");
const { old, more } = require("../src/old.js");
test("named", () => assert.equal(add(1), 2));
test("renamed", () => assert.equal(minus(1), 2));
test("member", () => assert.equal(whole.mul(1), 2));
test("whole", () => assert.equal(new whole(1), 2));
test("beside", () => assert.equal(more(old()), 2));
`,
    "tests/mixed.test.mjs": `${imports}import { add } from "../src/add.js";\ntest("imported", () => assert.equal(add(1), 2));\n`,
  });
  const { verdict, tests } = await project.red(head, {
    base,
    planned: ["src/add.js", "src/whole.js", "src/old.js"],
  });
  expect(verdict.checks.filter((check) => check.verdict !== "pass")).toEqual([]);
  expect(tests.map(({ message, frames }) => `${message} ${frames[0]?.split(":")[0]}`).toSorted()).toEqual([
    "not implemented: add src/add.js",
    "not implemented: add src/add.js",
    "not implemented: default src/whole.js",
    "not implemented: more src/old.js",
    "not implemented: mul src/whole.js",
    "not implemented: sub src/add.js",
  ]);
});
