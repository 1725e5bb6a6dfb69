import { expect, test } from "vitest";
import { loadParser } from "../../source/syntax.ts";
import { filesNamed, setupNames } from "./setup-files.ts";

const parse = await loadParser();

const files = new Set([
  "src/setup.ts",
  "src/setup/index.js",
  "src/env.mjs",
  "src/index.ts",
  "src/mock-env.cjs",
  "src/shop/testing.py",
  "packages/a/src/setup.js",
]);
const found = (text: string, path = "vitest.config.ts") => {
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/") + 1) : "";
  return [
    ...new Set(setupNames({ text, path, parse }).flatMap((name) => filesNamed(folder, name, files))),
  ].toSorted();
};

test.each([
  [`export default { test: { setupFiles: ["./src/setup"] } };`],
  [`export default { test: { setupFiles: "src/setup" } };`],
  ["const root = import.meta.dirname;\nexport default { test: { setupFiles: [`${root}/src/setup`] } };"],
  [`const setup = "./src/setup";\nexport default { test: { setupFiles: [setup] } };`],
  [`const setupFiles = ["./src/setup"];\nexport default { test: { setupFiles } };`],
  [`const base = { setupFiles: ["./src/setup"] };\nexport default { test: { ...base, globals: true } };`],
  [`export default { test: { setupFiles: [path.resolve(__dirname, "src", "setup")] } };`],
  [
    `export default { test: { setupFiles: fileURLToPath(new URL("./src/setup", import.meta.url)), globals: true } };`,
  ],
  [`export default { test: { globalSetup: process.cwd() + "/src/setup" } };`],
  [`const config = {};\nconfig.setupFiles = ["./src/setup"];\nexport default { test: config };`],
  ["const folder = 'src';\nexport default { test: { setupFiles: [`./${folder}/setup`] } };"],
])("a file that %s names is found with each ending it may have (fault P5)", (text) => {
  expect(found(text)).toEqual(["src/setup.ts", "src/setup/index.js"]);
});

test("the entry of a build and the target of a name mapping are no setup files (fault P5)", () => {
  expect(
    found(
      `export default { build: { lib: { entry: "src/index.ts" } }, resolve: { alias: { a: "./src/index.ts" } }, test: { environment: "jsdom" } };`,
    ),
  ).toEqual([]);
  expect(
    found(`export default { test: { setupFiles: [ // don't\n ] }, alias: { a: "./src/index.ts" } };`),
  ).toEqual([]);
  expect(found(`// setupFiles: ["./src/index.ts"]\nexport default { test: {} };`)).toEqual([]);
  expect(
    found(`{ "scripts": { "start": "node --import ./src/env.mjs src/index.ts" } }`, "package.json"),
  ).toEqual([]);
  expect(found(`{ "main": "src/index.ts", "exports": "./src/index.ts" }`, "package.json")).toEqual([]);
});

test("manifests, scripts, mocha's files and pytest's plugins name setup files (fault P5)", () => {
  expect(
    found(
      `{ "jest": { "setupFiles": ["<rootDir>/src/setup"], "testEnvironment": "./src/mock-env" } }`,
      "package.json",
    ),
  ).toEqual(["src/mock-env.cjs", "src/setup.ts", "src/setup/index.js"]);
  expect(found(`{ "mocha": { "require": ["./src/setup.ts"] } }`, "package.json")).toEqual(["src/setup.ts"]);
  expect(
    found(
      `{ "scripts": { "test": "node --import ./src/env.mjs --require=./src/mock-env.cjs --test" } }`,
      "package.json",
    ),
  ).toEqual(["src/env.mjs", "src/mock-env.cjs"]);
  expect(
    found("spec: test/*.js\nrequire:\n  - ./src/env.mjs\n  - 'chai/register'\nui: tdd", ".mocharc.yml"),
  ).toEqual(["src/env.mjs"]);
  expect(found(`module.exports = { require: ["./src/env"], spec: "src/index.ts" };`, ".mocharc.cjs")).toEqual(
    ["src/env.mjs"],
  );
  expect(found(`pytest_plugins = ["shop.testing"]\n`, "conftest.py")).toEqual(["src/shop/testing.py"]);
  expect(found(`[pytest]\naddopts = -q -p shop.testing -p no:cacheprovider\n`, "pytest.ini")).toEqual([
    "src/shop/testing.py",
  ]);
  expect(
    found(`export default { test: { setupFiles: ["../a/src/setup"] } };`, "packages/b/vitest.config.ts"),
  ).toEqual(["packages/a/src/setup.js"]);
});
