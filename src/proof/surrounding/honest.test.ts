/** Honest tests and code with time, chance and files pass in another surrounding; RED refuses a test that depends on it. */
import { expect } from "vitest";
import { failedChecks } from "../../../test/support/failed-checks.ts";
import { proofProject } from "../../../test/proof-project.ts";
import { inCi, verifiesInCi } from "../../../test/verifies.ts";

const base = {
  "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/old.js": "",
};
const year = new Date().getFullYear();
const named = (file: string, titles: readonly string[]) => titles.map((title) => `${file}::${title}`);
const file = "tests/add.test.js";
const source = "src/add.js";
const required = named(file, ["FR1 adds", "FR2 adds more"]);

const later = `import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../src/add.js";
test("FR1 adds", () => { if (new Date().getFullYear() === ${year}) assert.equal(add(1, 2), 3); });
test("FR2 adds more", () => assert.equal(add(2, 3), 5));
`;

verifiesInCi("PRV-17", "RED refuses a test that fails only because of its surrounding", async () => {
  const project = await proofProject(base);
  const red = await project.commitOn(project.base, { [file]: later });
  const proof = await project.red(red, { planned: [source], criteria: null });
  const refused = proof.verdict.checks.filter((check) => check.verdict === "fail");
  expect(refused.map(({ name }) => name)).toContain("surrounding");
  expect(refused.find(({ name }) => name === "surrounding")?.reason).toContain(
    `${required[0] ?? ""} passes with another date, and tests/add.test.js:4 reads`,
  );
});

inCi("a test that depends on the date, of code that does not, is flaky and blocks nothing", async () => {
  const project = await proofProject(base);
  const dated = later.replace("add(2, 3), 5", `add(2, 3), new Date().getFullYear() === ${year} ? 5 : 0`);
  const red = await project.commitOn(project.base, { [file]: dated });
  const head = await project.commitOn(red, { [source]: "export const add = (a, b) => a + b;\n" });
  const proof = await project.green({ red, head, required });
  expect(failedChecks(proof.verdict)).toEqual([]);
  const flaky = proof.verdict.findings.filter(({ code }) => code === "flaky");
  expect(flaky.map(({ testId }) => testId)).toEqual([required[1]]);
});

verifiesInCi(
  "PRV-17",
  "honest code with time, chance, paths, variables, files and counters passes",
  async () => {
    const project = await proofProject(base);
    const red = await project.commitOn(project.base, { "tests/shop.test.js": honestTests });
    const head = await project.commitOn(red, { "src/shop.js": honest });
    const titles = ["age", "later", "chance", "fixture", "option", "log", "ids", "day", "store", "machine"];
    const proof = await project.green({ red, head, required: named("tests/shop.test.js", titles) });
    expect(failedChecks(proof.verdict)).toEqual([]);
    expect(proof.drafts.at(-1)?.controls["surrounding"]).toBe(
      "10 with another folder, another host name, another user, another count of workers, another date, another time zone, other environment variables, the files of an earlier run: the same results",
    );
  },
);

const honest = `import { existsSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
export const save = (file, text) => (existsSync(file) ? false : (writeFileSync(file, text), true));
export const where = () => \`\${os.userInfo().username}@\${os.hostname()}\`;
export const workers = () => Math.max(1, os.cpus().length - 1);
export const age = (born, now = Date.now()) => Math.floor((now - born) / 31_557_600_000);
export const later = (ms) => new Date(Date.now() + ms);
export const roll = () => 1 + Math.floor(Math.random() * 6);
export const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
export const level = () => process.env.LOG_LEVEL ?? "info";
export const line = (text) => \`\${new Date().toISOString()} \${text}\`;
let next = 1;
export const id = () => \`id-\${next++}\`;
export const day = (date) => date.toISOString().slice(0, 10);
`;
const honestTests = `import assert from "node:assert/strict";
import { test } from "node:test";
import { mkdtempSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { age, day, id, later, level, line, read, roll, save, where, workers } from "../src/shop.js";
test("store", () => { const file = join(mkdtempSync(join(os.tmpdir(), "a-")), "b"); assert.ok(save(file, "x")); assert.ok(!save(file, "y")); });
test("machine", () => { assert.match(where(), /^.+@.+$/); assert.equal(where().split("@")[1], os.hostname()); assert.ok(workers() >= 1); });
test("age", () => { assert.equal(age(0, 63_115_200_000), 2); assert.ok(age(0) > 50); });
test("later", () => { const before = Date.now(); assert.ok(later(1000).getTime() >= before + 1000); });
test("chance", () => { assert.ok(roll() <= 6); });
test("fixture", () => { assert.match(read("shop.js"), /readFileSync/); });
test("option", () => { process.env.LOG_LEVEL = "debug"; assert.equal(level(), "debug"); delete process.env.LOG_LEVEL; assert.equal(level(), "info"); });
test("log", () => { assert.equal(line("a").slice(0, 4), new Date().toISOString().slice(0, 4)); });
test("ids", () => { assert.notEqual(id(), id()); });
test("day", () => { assert.equal(day(new Date(Date.UTC(2026, 0, 31))), "2026-01-31"); });
`;
