import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { proofProject, type ProofProject } from "../../test/proof-project.ts";
import { inCi, verifies } from "../../test/verifies.ts";
import type { GreenRequest } from "./green-proof.ts";
import { failedChecks } from "../../test/support/failed-checks.ts";

const imports = 'import test from "node:test";\nimport assert from "node:assert/strict";\n';
const required = ["tests/add.test.js::FR1 adds", "tests/add.test.js::EC1 adds nothing"];
const honest = { "src/add.js": "export const add = (a, b = 0) => a + b;\n" };
let project: ProofProject;
let red: string;

beforeAll(async () => {
  project = await proofProject({
    "package.json":
      '{ "type": "module", "scripts": { "test": "node --test 2>&1 | tee out.txt | tail -5; true" } }\n',
    "package-lock.json": "{}\n",
    "src/old.js": "export const old = () => 1;\n",
    "tests/old.test.js": `${imports}import { old } from "../src/old.js";\ntest("old works", () => assert.equal(old(), 1));\n`,
  });
  red = await project.commitOn(project.base, {
    "tests/add.test.js": `${imports}import { add } from "../src/add.js";
test("FR1 adds", () => assert.equal(add(1, 2), 3));
test("EC1 adds nothing", () => assert.equal(add(1), 1));
`,
    "tests/fixtures/numbers.json": "[1]\n",
  });
});

async function green(files: Record<string, string | null>, options: Partial<GreenRequest> = {}) {
  return project.green({ red, head: await project.commitOn(red, files), required, ...options });
}

async function repositoryState(): Promise<readonly string[]> {
  const { git } = project.repo;
  return [
    await git("rev-parse", "HEAD"),
    await git("status", "--porcelain"),
    await git("for-each-ref"),
    await git("ls-files", "--stage"),
    await git("config", "--local", "--list"),
    await git("worktree", "list", "--porcelain"),
  ];
}

test("an honest implementation passes with a description and a dependency in package.json (fault E9), and the gate does not change the repository", async () => {
  const unused = "export const more = (n) => {\n  return n;\n};\n";
  const head = await project.commitOn(red, {
    "src/add.js": `${honest["src/add.js"]}${unused}`,
    "src/more.js": "export {};\n",
    "package.json": `{ "description": "adds", "type": "module", "scripts": { "test": "node --test 2>&1 | tee out.txt | tail -5; true" }, "dependencies": { "leftpad": "^1" } }\n`,
  });
  const before = await repositoryState();
  const { verdict, drafts, tests } = await project.green({ red, head, required });
  expect(await repositoryState()).toEqual(before);
  expect(await project.leftovers()).toEqual([]);
  expect(verdict.checks.map((check) => `${check.verdict} ${check.name}`)).toEqual([
    "pass frozen",
    "pass paths",
    "pass links",
    "pass one_file",
    "pass required",
    "pass regressions",
    "pass canary",
    "pass flip",
    "pass hard_coded",
  ]);
  expect(verdict.findings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    "files_changed: source files changed in this iteration: 2 (src/add.js, src/more.js)",
    "unexecuted_lines: changed lines that no test executed: 2 (src/add.js:3, src/more.js:1)",
    "mutants: mutants of changed lines: not measured (switched off in the settings)",
  ]);
  expect(tests.map(({ id, status }) => `${status} ${id}`).toSorted()).toEqual([
    "passed tests/add.test.js::EC1 adds nothing",
    "passed tests/add.test.js::FR1 adds",
    "passed tests/old.test.js::old works",
  ]);
  expect(drafts.map((draft) => `${draft.purpose} ${draft.exitCode} ${draft.innerDrafts.join()}`)).toEqual([
    "baseline 0 ",
    "green.tests 0 ",
    "green.canary 1 ",
    "green 0 0,1,2",
  ]);
  const gate = drafts.at(-1);
  expect(gate).toMatchObject({
    title: `mettle gate green --base ${project.base} --red ${red} --head ${head}`,
    commit: head,
    tree: await project.repo.git("rev-parse", `${head}^{tree}`),
    runner: { name: "node:test", version: null, node: process.version },
    required,
    controls: {
      canary: "failed as it must",
      flip: "2 changed values in 2 tests: all failed as they must",
      unexecuted_lines: "2 (src/add.js:3, src/more.js:1)",
    },
    verdict: "pass",
    reasons: [],
  });
  expect(Object.keys(gate?.hashes.protected ?? {})).toEqual([
    "package-lock.json",
    "package.json",
    "tests/add.test.js",
    "tests/fixtures/numbers.json",
    "tests/old.test.js",
  ]);
  expect(gate?.hashes.lockfile).toMatch(/^sha256:/);
  expect(drafts[1]?.env.names).toEqual([
    "CI",
    "HOME",
    "LANG",
    "NODE_V8_COVERAGE",
    "PATH",
    "PYTHONPATH",
    "TMPDIR",
  ]);
  expect(await project.payloads.text(drafts[1]?.output ?? "")).toContain("✔ FR1 adds");
});

inCi(
  "a failing required test fails the gate with the runner's own exit code and the failing ids",
  async () => {
    const head = await project.commitOn(red, { "src/add.js": "export const add = (a, b) => a + b;\n" });
    // An uncommitted fix has no effect.
    await project.repo.write(honest);
    const { verdict, drafts } = await project.green({ red, head, required });
    await project.repo.write({ "src/add.js": null });
    expect(verdict.outcome).toBe("fail");
    expect(failedChecks(verdict)).toEqual([
      "fail required: exit code: it is 1, not 0; required tests: 1 failed: tests/add.test.js::EC1 adds nothing",
    ]);
    expect(verdict.checks.find(({ name }) => name === "required")?.tests).toEqual([
      "tests/add.test.js::EC1 adds nothing",
    ]);
    const run = drafts.find(({ purpose }) => purpose === "green.tests");
    expect([run?.exitCode, run?.verdict, drafts.at(-1)?.exitCode]).toEqual([1, "fail", 1]);
  },
);

inCi(
  "a frozen file that is changed, deleted, renamed or added is refused as frozen, and the tests of RED are those that run",
  async () => {
    const moved = await project.repo.git("show", `${red}:tests/old.test.js`);
    const { verdict, tests } = await green({
      "src/add.js": "export const add = () => 3;\n",
      "tests/add.test.js": `${imports}test("FR1 adds", () => assert.ok(1));\ntest("EC1 adds nothing", () => assert.ok(1));\n`,
      "tests/old.test.js": null,
      "tests/renamed.js": `${moved}\n`,
      "tests/fixtures/numbers.json": "[2]\n",
    });
    expect(verdict.outcome).toBe("fail.frozen");
    expect(failedChecks(verdict)).toEqual([
      "fail frozen: these files are read-only in GREEN, restore them: changed tests/add.test.js, changed tests/fixtures/numbers.json, deleted tests/old.test.js (now tests/renamed.js), added tests/renamed.js",
      "fail paths: only source (src/) may change in GREEN; also changed: tests/add.test.js, tests/fixtures/numbers.json, tests/old.test.js, tests/renamed.js",
      "fail required: exit code: it is 1, not 0; required tests: 1 failed: tests/add.test.js::EC1 adds nothing",
    ]);
    expect(tests.map(({ id }) => id)).toContain("tests/old.test.js::old works");
  },
);

inCi(
  "a change outside of source is refused with its paths, and a link that leaves the tree with its name",
  async () => {
    await project.repo.git("checkout", "--quiet", "--detach", red);
    await project.repo.write({
      ...honest,
      "package.json": '{ "type": "module", "scripts": { "test": "true" } }\n',
      "notes.md": "x",
    });
    await symlink("/etc", join(project.repo.dir, "src/etc"));
    const head = await project.repo.commit();
    await project.repo.git("checkout", "--quiet", "main");
    const { verdict } = await project.green({ red, head, required });
    expect(verdict.outcome).toBe("fail");
    // If node follows the link and cannot read its target, it does not list the test files either.
    expect(failedChecks(verdict).filter((check) => check.startsWith("fail"))).toEqual([
      "fail frozen: these files are read-only in GREEN, restore them: changed package.json",
      "fail paths: only source (src/) may change in GREEN; also changed: notes.md, package.json",
      "fail links: a link must not leave the tree: src/etc",
    ]);
  },
);

inCi("code that ends the process early is the change's fault; a fault of the machine is not", async () => {
  const early = await green({
    "src/add.js": "process.exit(0);\nexport const add = (a, b = 0) => a + b;\n",
  });
  expect(early.verdict.outcome).toBe("fail");
  expect(failedChecks(early.verdict)).toEqual([
    expect.stringMatching(
      /^fail required: early_exit: the code ends the process before its tests report; .*2 not in the report/,
    ),
  ]);
  expect(early.verdict.findings.map(({ code, severity }) => `${severity} ${code}`)).toContain(
    "block early_exit",
  );

  const head = await project.commitOn(red, honest);
  const broken = { ...project.ports, node: join(project.repo.dir, "no-such-node") };
  const missing = await project.green({ red, head, required, ports: broken });
  expect([missing.verdict.outcome, missing.drafts.at(-1)?.exitCode]).toEqual(["inconclusive", 5]);
  expect(failedChecks(missing.verdict)).toEqual([
    "inconclusive required: the runner could not be started: ENOENT",
  ]);
  const slow = await project.green({ red, head, required, ports: { ...project.ports, timeoutMs: 1 } });
  expect(slow.verdict.outcome).toBe("inconclusive");
  const full = { ...project.ports, worktrees: join(project.repo.dir, "package.json") };
  const unwritable = await project.green({ red, head, required, ports: full });
  expect(failedChecks(unwritable.verdict)).toEqual([
    expect.stringMatching(/^inconclusive environment: worktree_failed: /),
  ]);
});

inCi("the controls catch source that replaces the assertions", async () => {
  const { verdict, drafts } = await green({
    "src/add.js":
      'import assert from "node:assert/strict";\nassert.equal = () => {};\nassert.strictEqual = () => {};\nexport const add = () => 0;\n',
  });
  expect(verdict.outcome).toBe("fail");
  expect(failedChecks(verdict)).toEqual([
    "fail canary: a false assertion passed after these tests ran, so their matchers are replaced: tests/add.test.js",
  ]);
  expect(drafts.at(-1)?.controls["canary"]).toBe("passed: matchers are replaced");
});

verifies(
  "CORE-29",
  "tests that failed or were flaky on the base block nobody, a lost one does, and the base runs once",
  async () => {
    const flip = join(project.repo.dir, ".git", "flip");
    const base = await project.commitOn(project.base, {
      "tests/broken.test.js": `${imports}test("broken", () => assert.equal(1, 2));\n`,
      "tests/unstable.test.js": `${imports}import { existsSync, rmSync, writeFileSync } from "node:fs";
test("unstable", () => {
  const there = existsSync(${JSON.stringify(flip)});
  if (there) rmSync(${JSON.stringify(flip)});
  else writeFileSync(${JSON.stringify(flip)}, "");
  assert.equal(there, false);
});
`,
    });
    const frozen = await project.commitOn(base, {
      "tests/add.test.js": await project.repo.git("show", `${red}:tests/add.test.js`),
    });
    const head = await project.commitOn(frozen, honest);
    // On the base the flaky test passes; at the gate it fails, and passes when run again. It writes where a sandbox forbids it.
    const { sandbox: _sandbox, ...ports } = project.ports;
    const { verdict, drafts } = await project.green({ base, red: frozen, head, required, ports });
    expect(failedChecks(verdict)).toEqual([]);
    expect(drafts.map(({ purpose }) => purpose)).toEqual([
      "baseline",
      "green.tests",
      "green.confirm",
      "green.canary",
      "green",
    ]);
    expect(verdict.findings.map(({ code, testId }) => `${code} ${testId ?? ""}`)).toEqual(
      expect.arrayContaining([
        "pre-existing tests/broken.test.js::broken",
        "flaky tests/unstable.test.js::unstable",
      ]),
    );

    const lost = await project.commitOn(frozen, { ...honest, "src/old.js": "export const old = () => 2;\n" });
    const second = await project.green({ base, red: frozen, head: lost, required, ports });
    const purposes = second.drafts.map(({ purpose }) => purpose);
    expect(purposes).not.toContain("baseline");
    expect(purposes).toContain("baseline.again");
    expect(second.verdict.outcome).toBe("fail");
    expect(failedChecks(second.verdict)).toContain(
      "fail regressions: passed on the base commit and fails now: tests/old.test.js::old works",
    );
  },
);

verifies(
  "ORC-45",
  "the exit code is the runner's own in all three phases, whatever the script pipes it into",
  async () => {
    const failing = { "src/add.js": "export const add = (a, b) => a + b;\n" };
    const head = await project.commitOn(red, failing);
    const reds = await project.red(red, { planned: ["src/add.js"] });
    const greens = await project.green({ red, head, required });
    const finals = await project.final({ head, required });
    expect(finals.verdict.outcome).toBe("fail");
    const runs = [reds, greens, finals].map(({ drafts }) =>
      drafts.find(({ purpose }) => purpose.endsWith(".tests")),
    );
    expect(runs.map((run) => [run?.purpose, run?.exitCode])).toEqual([
      ["red.tests", 1],
      ["green.tests", 1],
      ["final.tests", 1],
    ]);
    for (const run of runs) {
      expect(run?.argv.slice(0, 2)).toEqual([process.execPath, "--test"]);
      // Folder names are random and may contain any of these words.
      const line = (run?.argv.join(" ") ?? "").replaceAll(
        /\/proof-[^/]+\/(?:tree|scratch\/[a-z0-9]+)\//gu,
        "/",
      );
      expect(line).not.toMatch(/\b(?:sh|bash|tail|tee|npm)\b/);
    }
  },
);

inCi("the final verification runs everything again on exactly the approved commit", async () => {
  const head = await project.commitOn(red, honest);
  const { verdict, drafts } = await project.final({ head, required });
  expect(failedChecks(verdict)).toEqual([]);
  expect(drafts.map(({ purpose, exitCode, commit }) => `${purpose} ${exitCode} ${commit === head}`)).toEqual([
    "baseline 0 false",
    "final.tests 0 true",
    "final 0 true",
  ]);
});

inCi("a stopped gate reports that, does not change the repository and removes its checkout", async () => {
  const head = await project.commitOn(red, honest);
  const before = await repositoryState();
  const stop = new AbortController();
  const ports = {
    ...project.ports,
    signal: stop.signal,
    progress: () => setTimeout(() => stop.abort(), 50),
  };
  const { verdict } = await project.green({ red, head, required, ports });
  expect(failedChecks(verdict)).toEqual(["inconclusive required: the run was stopped"]);
  expect(await repositoryState()).toEqual(before);
  expect(await project.leftovers()).toEqual([]);
});
