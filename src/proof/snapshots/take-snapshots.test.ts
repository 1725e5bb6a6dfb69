/** Snapshots that GREEN takes itself, where the settings allow it (PRV-22). */
import { beforeAll, describe, expect } from "vitest";
import { proofProject, rules, type ProofProject } from "../../../test/proof-project.ts";
import { failedChecks } from "../../../test/support/failed-checks.ts";
import { inCi, verifiesInCi } from "../../../test/verifies.ts";
import { sha256 } from "../../lib/hash.ts";

const runners = {
  vitest: {
    base: { "package.json": '{ "type": "module" }\n', "src/cart.js": "export const old = () => 1;\n" },
    head: 'import { expect, test } from "vitest";\nimport * as cart from "../src/cart.js";\n',
    source: (value: string) => `export const old = () => 1;\nexport const show = (list) => ${value};\n`,
  },
  jest: {
    base: { "package.json": "{}\n", "src/cart.js": "exports.old = () => 1;\n" },
    head: 'const cart = require("../src/cart.js");\n',
    source: (value: string) => `exports.old = () => 1;\nexports.show = (list) => ${value};\n`,
  },
} as const;
const path = "tests/cart.test.js";
const file = "tests/__snapshots__/cart.test.js.snap";
const right = "({ count: list.length })";
const tests = 'test("shows a cart", () => { expect(cart.show([1, 2])).toMatchSnapshot(); });\n';

describe.each(Object.entries(runners))("%s", (runner, { base, head, source }) => {
  let project: ProofProject;
  beforeAll(async () => {
    project = await proofProject(base, { modules: true });
  });
  const settings = { runner, paths: rules };
  const ports = (snapshots: "stored" | "taken_at_green" = "taken_at_green") => ({
    ...project.ports,
    controls: { ...project.ports.controls, snapshots },
  });
  const red = async (text: string, own = ports()) => {
    const commit = await project.commitOn(project.base, { [path]: `${head}${text}` });
    const proof = await project.red(commit, { settings, ports: own, planned: ["src/cart.js"] });
    return { commit, ...proof };
  };
  const green = async (at: string, files: Readonly<Record<string, string>>) => {
    const commit = await project.commitOn(at, files);
    const required = [`${path}::shows a cart`];
    return project.green({ settings, ports: ports(), red: at, head: commit, required });
  };

  verifiesInCi(
    "PRV-22",
    "a test that fails by the unit gets its snapshot at GREEN, which names it, and the commit may hold the same",
    async () => {
      const { commit, verdict } = await red(tests);
      expect(failedChecks(verdict)).toEqual([]);
      expect(verdict.findings).toContainEqual({
        code: "snapshot_at_green",
        severity: "finding",
        message: `no snapshot is stored; GREEN will take it: ${path}:${head.split("\n").length}: shows a cart`,
        path,
      });
      const taken = await green(commit, { "src/cart.js": source(right) });
      expect(failedChecks(taken.verdict)).toEqual([]);
      const finding = taken.verdict.findings.find(({ code }) => code === "snapshot_taken");
      const text = snapshotText(runner);
      expect(finding?.message).toBe(
        `snapshot \`shows a cart 1\`, taken at GREEN, which no test states: { "count": 2, } (${file} ${sha256(text)})`,
      );
      expect(taken.drafts.at(-1)?.controls["snapshots"]).toBe(`taken: ${file} ${sha256(text)}`);

      const held = await green(commit, { "src/cart.js": source(right), [file]: text });
      expect(failedChecks(held.verdict)).toEqual([]);
      const other = await green(commit, { "src/cart.js": source(right), [file]: text.replace("2", "3") });
      expect(failedChecks(other.verdict)).toContainEqual(expect.stringContaining(`added ${file}`));
    },
    180_000,
  );

  inCi(
    "it is refused where the setting is off, where the unit answers already, and where it would stand in the test",
    async () => {
      const off = await red(tests, ports("stored"));
      expect(failedChecks(off.verdict)).toEqual([
        expect.stringMatching(/^fail snapshots: no snapshot is stored, and GREEN writes none/u),
      ]);
      const answers = await red(tests.replace("show([1, 2])", "old()"));
      expect(failedChecks(answers.verdict)).toEqual([
        expect.stringMatching(/^fail snapshots: the unit answers already, .*: shows a cart; write the/u),
      ]);
      const inline = await red(tests.replace("toMatchSnapshot", "toMatchInlineSnapshot"));
      expect(failedChecks(inline.verdict)).toEqual([
        expect.stringMatching(/^fail snapshots: no snapshot is stored, and GREEN writes none/u),
      ]);
    },
    120_000,
  );

  inCi(
    "the judged run compares: an answer that changes from process to process is refused",
    async () => {
      const { commit } = await red(tests);
      const random = await green(commit, { "src/cart.js": source("list.length + Math.random()") });
      expect(failedChecks(random.verdict)).toContainEqual(
        expect.stringMatching(/^fail required: .*shows a cart/su),
      );
    },
    120_000,
  );
});

/** As the runner writes it. */
function snapshotText(runner: string): string {
  const head =
    runner === "vitest"
      ? "// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html"
      : "// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing";
  return `${head}\n\nexports[\`shows a cart 1\`] = \`\n{\n  "count": 2,\n}\n\`;\n`;
}
