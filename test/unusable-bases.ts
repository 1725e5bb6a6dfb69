/** Projects whose tests pass in the user's checkout and not in a clean one, one for each cause (PRV-01). */

const head = 'import test from "node:test";\nimport assert from "node:assert/strict";\n';
const submodule = '[submodule "vendor/lib"]\n\tpath = vendor/lib\n\turl = https://example.org/lib\n';
const pointer =
  "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";

/** Cause -> its files and the expected hint. */
export const unusableBases: Readonly<
  Record<string, { readonly files: Readonly<Record<string, string>>; readonly hint: RegExp }>
> = {
  "a submodule": {
    files: {
      ".gitmodules": submodule,
      "tests/a.test.js": `${head}import { lib } from "../vendor/lib/index.js";\ntest("lib", () => assert.ok(lib));\n`,
    },
    hint: /^likely: .*vendor\/lib.*: /,
  },
  "a pointer of LFS": {
    files: {
      ".gitattributes": "*.json.big filter=lfs diff=lfs merge=lfs -text\n",
      "tests/data.json.big": pointer,
      "tests/a.test.js": `${head}import { readFileSync } from "node:fs";
const data = JSON.parse(readFileSync(new URL("data.json.big", import.meta.url), "utf8"));
test("data", () => assert.ok(data));\n`,
    },
    hint: /^likely: tests\/data\.json\.big is stored in git LFS, and this repository has only its pointer: `git lfs pull`/,
  },
  "an ignored build": {
    files: {
      "tests/a.test.js": `${head}import { built } from "../dist/index.js";\ntest("built", () => assert.ok(built));\n`,
    },
    hint: /^likely: dist\/ is ignored by git, so it is not in a clean checkout: .*tests\.prepare/,
  },
  "a variable of `.env`": {
    files: {
      "tests/a.test.js": `${head}test("url", () => {
  if (!process.env.DATABASE_URL) throw new Error("the environment variable DATABASE_URL is not set");
});\n`,
    },
    hint: /^likely: \.env, which sets DATABASE_URL, is not in the commit: .*tests\.envFile: \.env/,
  },
  "a variable of the shell": {
    files: {
      "tests/a.test.js": `${head}test("zone", () => {
  if (!process.env.ZONE_NAME) throw new Error("Missing environment variable: ZONE_NAME");
});\n`,
    },
    hint: /^likely: the variable ZONE_NAME is missing: .*tests\.env/,
  },
  "a loader": {
    files: {
      "package.json":
        '{ "type": "module", "scripts": { "test": "node --loader ./own-loader.mjs --test" } }\n',
      "tests/a.test.js": `${head}import { own } from "../src/one.own";\ntest("own", () => assert.ok(own));\n`,
      "src/one.own": "let own: 1\n",
    },
    hint: /^likely: the test script of package\.json loads the tests with `--loader \.\/own-loader\.mjs`/,
  },
  "tests of another runner": {
    files: {
      "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
      "node_modules/tap/index.js":
        "exports.test = (name, body) => { body(); console.log(`ok 1 - ${name}`); };\n",
      "tests/a.test.js": 'import { test } from "tap";\ntest("holds", () => {});\n',
    },
    hint: /^likely: tests\/a\.test\.js imports tap, and node:test does not see its tests: `runner: junit`/,
  },
  "a configuration that asks git": {
    files: {
      "tests/a.test.js": `${head}test("version", () => { throw new Error("fatal: not a git repository (or any of the parent directories): .git"); });\n`,
    },
    hint: /^likely: a configuration or a test runs git, and a clean checkout has one commit, without history, tags and branches: /,
  },
  "a pinned node": {
    files: {
      ".nvmrc": "v99.1.0\n",
      "tests/a.test.js": `${head}test("node", () => assert.equal(process.versions.node.split(".")[0], "99"));\n`,
    },
    hint: new RegExp(
      `^perhaps: .*\\.nvmrc requests v99\\.1\\.0; the tests ran with node ${process.version}: `,
    ),
  },
};

/** The ignored files of these projects. */
export const unusableIgnored = {
  "dist/index.js": "export const built = 1;\n",
  ".env": "DATABASE_URL=postgres://secret-value@host/db\n",
};

/** Arguments of git that add the submodule of the first project to the index. */
export const withSubmodule = [
  "update-index",
  "--add",
  "--cacheinfo",
  `160000,${"1".repeat(40)},vendor/lib`,
] as const;
