/** The option `--report` of `mettle gate` and `mettle prove` (PRV-12). */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { GateAnswer } from "../../src/change/answer.ts";
import {
  ctrfFaults,
  junitFaults,
  sarifFaults,
  sarifResults,
  TestResultStatement,
} from "../support/report-schemas.ts";
import { verifiesInCi } from "../verifies.ts";
import { changeWorld, type ChangeWorld } from "./change-world.ts";

let world: ChangeWorld;
beforeAll(async () => {
  world = await changeWorld(["honest", "skipped"]);
  const never = 'import test from "node:test";\ntest("never", () => { throw new Error("no"); });\n';
  await world.branch("broken", "main", { "test/broken.test.js": never });
  await world.branch("documented", "broken", { "README.md": "More.\n" });
});

verifiesInCi(
  "PRV-12",
  "gate and prove write five formats for each verdict, valid by their schemas, and inconclusive is never a pass",
  async () => {
    const calls = [
      {
        args: ["prove", "--base", "main", "--head", "honest"],
        verdict: "pass",
        attested: "PASSED",
      },
      {
        args: ["gate", "red", "--base", "main", "--head", "skipped"],
        verdict: "fail",
        attested: "FAILED",
      },
      {
        args: ["prove", "--base", "broken", "--head", "documented"],
        verdict: "inconclusive",
        attested: "FAILED",
      },
    ] as const;
    for (const { args, verdict, attested } of calls) {
      const file = (format: string) => join(world.home, "reports", verdict, format);
      const reports = ["json", "junit", "ctrf", "sarif", "in-toto"].map(
        (format) => `${format}=${file(format)}`,
      );
      const { code } = await world.read(...args, "--report", ...reports);
      const read = (format: string) => readFileSync(file(format), "utf8");
      expect([verdict, code]).toEqual([verdict, { pass: 0, fail: 1, inconclusive: 5 }[verdict]]);

      const { version, ...fields } = JSON.parse(read("json")) as Record<string, unknown>;
      const answer = GateAnswer.strict().parse(fields);
      expect([version, answer.verdict]).toEqual([1, verdict]);
      // The last test of a report is the verdict.
      const count = (wanted: string) =>
        [...answer.checks, answer].filter((one) => one.verdict === wanted).length;
      const [failures, errors] = [count("fail"), count("inconclusive")];
      expect(await junitFaults(read("junit"))).toEqual([]);
      expect(["failure", "error"].map((tag) => read("junit").split(`<${tag} `).length - 1)).toEqual([
        failures,
        errors,
      ]);
      expect(ctrfFaults(read("ctrf"))).toEqual([]);
      expect(read("ctrf").split('"status": "failed"').length - 1).toBe(failures + errors);
      expect(sarifFaults(read("sarif"))).toEqual([]);
      const { predicate, subject } = TestResultStatement.parse(JSON.parse(read("in-toto")));
      expect([predicate.result, subject[0]?.digest.gitCommit, subject[1]?.digest.gitTree]).toEqual([
        attested,
        answer.head,
        answer.tree,
      ]);
    }
    const [, results] = sarifResults(readFileSync(join(world.home, "reports", "fail", "sarif"), "utf8"));
    expect(results).toEqual(
      expect.arrayContaining(["no_skip error test/cart.test.js:5", "old_tests error test/cart.test.js:5"]),
    );
  },
);

test("a wrong --report is refused before a test runs, and a call that fails leaves no old report", async () => {
  const old = join(world.home, "old", "junit.xml");
  await mkdir(join(world.home, "old"));
  await writeFile(old, "<testsuites/>");
  const refused = async (...args: readonly string[]) => {
    const { code, answer } = await world.ask("prove", "--base", "nowhere", ...args);
    return [code, answer.error?.code, answer.error?.message];
  };
  expect(await refused("--report", "xml=a.xml")).toEqual([2, "usage", '"xml=a.xml" is not FORMAT=FILE']);
  expect(await refused("--report", "junit")).toEqual([2, "usage", '"junit" is not FORMAT=FILE']);
  expect(await refused("--report", `junit=${old}`, `ctrf=${old}`)).toEqual([
    2,
    "usage",
    `two reports go to ${old}`,
  ]);
  expect(await refused("--report", `junit=${world.home}`)).toEqual([
    2,
    "usage",
    `${world.home} cannot be written`,
  ]);
  expect(await refused("--report", "junit=-")).toEqual([
    2,
    "usage",
    "--json and a report for stdout exclude each other",
  ]);
  expect(existsSync(old)).toBe(true);
  expect((await refused("--report", `junit=${old}`)).slice(0, 2)).toEqual([2, "revision_unknown"]);
  expect(existsSync(old)).toBe(false);
});
