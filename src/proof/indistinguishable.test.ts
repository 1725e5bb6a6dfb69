/** RED and GREEN run the same tests in environments that a test cannot distinguish (fault P4). */
import { beforeAll, expect, test } from "vitest";
import { proofProject, type ProofProject } from "../../test/proof-project.ts";
import type { RecordDraft } from "./draft.ts";

let project: ProofProject;

/** Everything that a test can observe of its environment from inside. */
const seen = `const seen = () => JSON.stringify({
  url: import.meta.url,
  cwd: process.cwd(),
  argv: process.argv,
  execArgv: process.execArgv,
  env: process.env,
  tree: readdirSync(process.cwd()),
  around: readdirSync(process.cwd() + "/.."),
  scratch: readdirSync(process.env.TMPDIR + "/../..").length,
  place: readdirSync(process.env.TMPDIR + "/.."),
});`;
const text = `import test from "node:test";
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { add } from "../src/add.js";
${seen}
test("FR1 adds", () => { add(1, 1); assert.fail("SEEN " + seen()); });
`;

beforeAll(async () => {
  project = await proofProject({
    "package.json": '{ "type": "module" }\n',
    "src/add.js": "export const add = () => undefined;\n",
    "tests/old.test.js": text,
  });
});

/** A test's observations without the random parts of each run, whose length and position stay. */
function told(drafts: readonly RecordDraft[], purpose: string): string {
  const message = drafts.find((draft) => draft.purpose === purpose)?.tests[0]?.message ?? "";
  return message.replace(/(?<=proof\.\d+\.)[a-z0-9]{6}\b|\b[a-z0-9]{12}\b|\b\d+-\d{9,}\b/g, "*");
}

test("a test observes the same in the runs of the base, of RED and of GREEN (fault P4)", async () => {
  const settings = { runner: "node:test", paths: { tests: ["tests/"], source: ["src/"] } };
  const head = await project.commitOn(project.base, {
    "tests/old.test.js": text.replace("FR1", "FR2"),
  });
  const red = await project.red(head, { settings });
  const impl = await project.commitOn(head, { "src/add.js": "export const add = () => 0;\n" });
  const green = await project.green({ red: head, head: impl, required: red.required, settings });
  const first = told(red.drafts, "red.tests");
  expect(first).toMatch(/^SEEN \{.*"cwd":".*proof\.\d+\.\*\/tree/);
  expect(first).not.toMatch(/red\b/);
  expect(told(red.drafts, "baseline")).toBe(first);
  expect(told(green.drafts, "green.tests")).toBe(first);
});
