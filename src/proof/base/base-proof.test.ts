import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { proofProject, rules, type ProofProject } from "../../../test/proof-project.ts";
import { unusableBases, unusableIgnored, withSubmodule } from "../../../test/unusable-bases.ts";
import { AppError } from "../../lib/errors.ts";
import { proveBase, type BaseProof } from "./base-proof.ts";
import { detectPackages } from "../project/packages.ts";
import { inCi } from "../../../test/verifies.ts";

const head = 'import test from "node:test";\nimport assert from "node:assert/strict";\n';
const passing = `${head}test("holds", () => assert.equal(1, 1));\n`;
let project: ProofProject;

beforeAll(async () => {
  project = await proofProject({
    ".gitignore": "node_modules\n.env\ndist/\n",
    "package.json": '{ "type": "module" }\n',
    "src/one.js": "export const one = 1;\n",
  });
});

async function based(commit: string): Promise<BaseProof> {
  const settings = { paths: rules, runner: "node:test" };
  const { ports, repository, cached } = project;
  const packages = await detectPackages({ repository, commit, settings });
  const cache = {
    get: async (key: string) => cached.get(key) ?? null,
    put: async (key: string, value: string) => void cached.set(key, value),
  };
  return proveBase({ ports, cache, settings, base: commit, packages });
}

/** The refusal of the base. */
async function refusal(files: Readonly<Record<string, string>>): Promise<AppError> {
  const thrown: unknown = await based(await project.commitOn(project.base, files)).catch(
    (error: unknown) => error,
  );
  if (!(thrown instanceof AppError)) throw new Error(`it was not refused: ${JSON.stringify(thrown)}`);
  return thrown;
}

/** Files of the checkout that git ignores. */
async function lay(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(project.repo.dir, path)), { recursive: true });
    await writeFile(join(project.repo.dir, path), text);
  }
}

for (const [cause, { files, hint: told }] of Object.entries(unusableBases))
  inCi(
    `a base that cannot be used names ${cause} as the likely cause, with the runner's last lines`,
    async () => {
      await lay(unusableIgnored);
      if (cause === "a submodule") await project.repo.git(...withSubmodule);
      const error = await refusal(files);
      expect([error.code, error.exitCode]).toEqual(["base_unusable", 5]);
      expect(error.message).toMatch(
        /^(none of the base commit's own tests passes in a clean checkout \(node:test\): |node:test left no complete, readable report)/,
      );
      expect(error.message).toContain("\nthe runner's last lines:\n  ");
      expect(error.hint).toMatch(told);
      expect(JSON.stringify([error.hint, error.detail])).not.toContain("secret-value");
    },
  );

const hasGitCrypt = spawnSync("git-crypt", ["--version"]).status === 0;

test.skipIf(!hasGitCrypt)(
  "a base whose source git-crypt encrypts names the filter and the file",
  { tags: "ci" },
  async () => {
    const first = project;
    project = await proofProject({ ".gitattributes": "src/** filter=git-crypt diff=git-crypt\n" });
    try {
      execFileSync("git-crypt", ["init"], { cwd: project.repo.dir, stdio: "pipe" });
      const test = `${head}import { one } from "../src/one.js";\ntest("one", () => assert.equal(one, 1));\n`;
      const error = await refusal({
        "package.json": '{ "type": "module" }\n',
        "src/one.js": "export const one = 1; // plain text of a secret\n",
        "tests/one.test.js": test,
      });
      expect([error.code, error.exitCode]).toEqual(["base_unusable", 5]);
      expect(error.message).toContain("\nthe runner's last lines:\n  ");
      expect(error.hint).toMatch(
        /^likely: src\/one\.js is stored with the filter git-crypt, and a clean checkout contains the stored form: /,
      );
      expect(JSON.stringify([error.message, error.hint, error.detail])).not.toContain(
        "plain text of a secret",
      );
    } finally {
      project = first;
    }
  },
);

inCi(
  "a base whose script runs tests that no proof executes is refused; the refusal names them and how to accept them",
  async () => {
    const error = await refusal({
      "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test && playwright test" } }),
      "tests/a.test.js": passing,
    });
    expect([error.code, error.exitCode, error.message.split("\n")[0], error.hint]).toEqual([
      "base_unusable",
      5,
      "not all of the base commit's own tests can be executed: tests_not_executed: the test script also runs `playwright test`, which no runner of Mettle can execute",
      'likely: the test script also runs `playwright test`: `tests: { unjudged: ["playwright test"] }` in mettle.yaml accepts that it is not judged; each verdict then names it',
    ]);
  },
);

inCi("a base without tests is allowed, and one without failures is not run again", async () => {
  expect(await based(project.base)).toEqual({ usable: null, drafts: [] });
  const commit = await project.commitOn(project.base, { "tests/a.test.js": passing });
  const first = await based(commit);
  expect(first.usable).toEqual({ type: "usable", tests: 1, failing: [], count: 0, needsPerson: false });
  expect(first.drafts.map(({ purpose, verdict }) => `${purpose} ${verdict}`)).toEqual(["baseline pass"]);
  expect(await based(commit)).toEqual({ ...first, drafts: [] });
});

inCi("a base with failures runs again each time, because their cause may be gone", async () => {
  const commit = await project.commitOn(project.base, {
    "tests/a.test.js": `${passing}test("broken", () => assert.equal(1, 2));\n`,
  });
  const usable = {
    type: "usable",
    tests: 2,
    failing: ["tests/a.test.js::broken"],
    count: 1,
    needsPerson: true,
  };
  for (const _time of [1, 2]) {
    const { drafts, ...known } = await based(commit);
    expect(known).toEqual({ usable });
    expect(drafts.map(({ purpose, verdict }) => `${purpose} ${verdict}`)).toEqual(["baseline fail"]);
  }
});
