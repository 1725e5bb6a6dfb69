import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { proofProject, rules, type ProofProject } from "../../test/proof-project.ts";
import { AppError } from "../lib/errors.ts";
import { proveBase, type BaseProof } from "./base-proof.ts";
import { detectPackages } from "./project/packages.ts";

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
afterAll(() => project.remove());

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

/** What the base is refused with. */
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

const submodule = '[submodule "vendor/lib"]\n\tpath = vendor/lib\n\turl = https://example.org/lib\n';
const pointer =
  "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";

/** Cause -> a project whose tests pass for its user and not in a clean checkout. */
const causes: Readonly<
  Record<string, { readonly files: Readonly<Record<string, string>>; readonly told: RegExp }>
> = {
  "a submodule": {
    files: {
      ".gitmodules": submodule,
      "tests/a.test.js": `${head}import { lib } from "../vendor/lib/index.js";\ntest("lib", () => assert.ok(lib));\n`,
    },
    told: /^likely: .*vendor\/lib.*: /,
  },
  "a pointer of LFS": {
    files: {
      ".gitattributes": "*.json.big filter=lfs diff=lfs merge=lfs -text\n",
      "tests/data.json.big": pointer,
      "tests/a.test.js": `${head}import { readFileSync } from "node:fs";
const data = JSON.parse(readFileSync(new URL("data.json.big", import.meta.url), "utf8"));
test("data", () => assert.ok(data));\n`,
    },
    told: /^likely: tests\/data\.json\.big is kept by git LFS, and only its pointer is there where this repository has not its content: `git lfs pull`/,
  },
  "an ignored build": {
    files: {
      "tests/a.test.js": `${head}import { built } from "../dist/index.js";\ntest("built", () => assert.ok(built));\n`,
    },
    told: /^likely: dist\/ is ignored by git, so it is not in a clean checkout: .*tests\.prepare/,
  },
  "a variable of `.env`": {
    files: {
      "tests/a.test.js": `${head}test("url", () => {
  if (!process.env.DATABASE_URL) throw new Error("the environment variable DATABASE_URL is not set");
});\n`,
    },
    told: /^likely: \.env, which sets DATABASE_URL, is not in the commit: .*tests\.envFile: \.env/,
  },
  "a variable of the shell": {
    files: {
      "tests/a.test.js": `${head}test("zone", () => {
  if (!process.env.ZONE_NAME) throw new Error("Missing environment variable: ZONE_NAME");
});\n`,
    },
    told: /^likely: the variable ZONE_NAME is missing: .*tests\.env/,
  },
  "a loader": {
    files: {
      "package.json":
        '{ "type": "module", "scripts": { "test": "node --loader ./own-loader.mjs --test" } }\n',
      "tests/a.test.js": `${head}import { own } from "../src/one.own";\ntest("own", () => assert.ok(own));\n`,
      "src/one.own": "let own: 1\n",
    },
    told: /^likely: the test script of package\.json loads the tests with `--loader \.\/own-loader\.mjs`/,
  },
  "a configuration that asks git": {
    files: {
      "tests/a.test.js": `${head}test("version", () => { throw new Error("fatal: not a git repository (or any of the parent directories): .git"); });\n`,
    },
    told: /^likely: a configuration or a test asks git, and a clean checkout has one commit, without history, tags and branches: /,
  },
  "a pinned node": {
    files: {
      ".nvmrc": "v99.1.0\n",
      "tests/a.test.js": `${head}test("node", () => assert.equal(process.versions.node.split(".")[0], "99"));\n`,
    },
    told: new RegExp(
      `^perhaps: .*\\.nvmrc asks for v99\\.1\\.0; the tests ran with node ${process.version}: `,
    ),
  },
};

for (const [cause, { files, told }] of Object.entries(causes))
  test(`a base that cannot be used names ${cause} as the likely cause, with the runner's last lines`, async () => {
    await lay({
      "dist/index.js": "export const built = 1;\n",
      ".env": "DATABASE_URL=postgres://secret-value@host/db\n",
    });
    if (cause === "a submodule")
      await project.repo.git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},vendor/lib`);
    const error = await refusal(files);
    expect([error.code, error.exitCode]).toEqual(["base_unusable", 5]);
    expect(error.message).toMatch(
      /^(none of the base commit's own tests passes in a clean checkout \(node:test\): |node:test left no whole, readable report)/,
    );
    expect(error.message).toContain("\nthe runner's last lines:\n  ");
    expect(error.hint).toMatch(told);
    expect(JSON.stringify([error.hint, error.detail])).not.toContain("secret-value");
  });

const hasGitCrypt = spawnSync("git-crypt", ["--version"]).status === 0;

test.skipIf(!hasGitCrypt)(
  "a base whose source git-crypt encrypts names the filter and the file",
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
        /^likely: src\/one\.js is stored through the filter git-crypt, and a clean checkout holds it as it is stored: /,
      );
      expect(JSON.stringify([error.message, error.hint, error.detail])).not.toContain(
        "plain text of a secret",
      );
    } finally {
      await project.remove();
      project = first;
    }
  },
);

test("a base whose script runs tests that no proof executes is refused, naming them and what accepts them", async () => {
  const error = await refusal({
    "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test && playwright test" } }),
    "tests/a.test.js": passing,
  });
  expect([error.code, error.exitCode, error.message.split("\n")[0], error.hint]).toEqual([
    "base_unusable",
    5,
    "not all of the base commit's own tests can be executed: tests_not_executed: the test script also runs `playwright test`, which no runner of Mettle can execute",
    'likely: the test script also runs `playwright test`: `tests: { unjudged: ["playwright test"] }` in mettle.yaml says that nobody has to judge it here; each verdict then names it',
  ]);
});

test("a base without tests is no fault, and one that was well before is not run again", async () => {
  expect(await based(project.base)).toEqual({ standing: null, drafts: [] });
  const commit = await project.commitOn(project.base, { "tests/a.test.js": passing });
  const first = await based(commit);
  expect(first.standing).toEqual({ type: "usable", tests: 1, failing: [], count: 0, needsPerson: false });
  expect(first.drafts.map(({ purpose, verdict }) => `${purpose} ${verdict}`)).toEqual(["baseline pass"]);
  expect(await based(commit)).toEqual({ ...first, drafts: [] });
});

test("what failed at the base is run again each time, for it may have got what it missed", async () => {
  const commit = await project.commitOn(project.base, {
    "tests/a.test.js": `${passing}test("broken", () => assert.equal(1, 2));\n`,
  });
  const standing = {
    type: "usable",
    tests: 2,
    failing: ["tests/a.test.js::broken"],
    count: 1,
    needsPerson: true,
  };
  for (const _time of [1, 2]) {
    const { drafts, ...known } = await based(commit);
    expect(known).toEqual({ standing });
    expect(drafts.map(({ purpose, verdict }) => `${purpose} ${verdict}`)).toEqual(["baseline fail"]);
  }
});
