import { expect, test } from "vitest";
import { projectWords } from "./project-words.ts";

const js = 'throws an error whose message begins with "not implemented"';
const python = "raises NotImplementedError";

test.each([
  ["vitest", { test: "npx vitest run", contract: "npx vitest run tests/c.rs", marker: js }],
  ["jest", { test: "npx jest", contract: "npx jest tests/c.rs", marker: js }],
  ["mocha", { test: "npx mocha", contract: "npx mocha tests/c.rs", marker: js }],
  ["node:test", { test: "node --test", contract: "node --test tests/c.rs", marker: js }],
  ["pytest", { test: "python3 -m pytest", contract: "python3 -m pytest tests/c.rs", marker: python }],
  [
    "unittest",
    { test: "python3 -m unittest discover", contract: "python3 -m unittest tests/c.rs", marker: python },
  ],
  [
    "go",
    {
      build: "go build ./...",
      test: "go test ./...",
      contract: "go test ./tests",
      marker: 'panics with "not implemented"',
    },
  ],
  [
    "cargo",
    {
      build: "cargo build --workspace",
      test: "cargo test",
      contract: "cargo test --test c",
      marker: "calls `todo!()` or `unimplemented!()`",
    },
  ],
  [
    "cabal",
    {
      build: "cabal build",
      test: "cabal test",
      contract: "cabal test --test-option=--match=Contract",
      marker: "is `undefined`",
    },
  ],
])("%s has its own commands, the contract suite by its path, and its own marker", (runner, words) => {
  expect(projectWords({ runner }, "tests/c.rs")).toEqual(words);
  const { contract: _contract, ...without } = words;
  expect(projectWords({ runner }, null)).toEqual(without);
});

test("the package that holds the contract suite says how it is run, and where", () => {
  const runners = { runner: "vitest", packages: { api: "pytest", "api/core": "go", web: "none" } };
  expect(projectWords(runners, "api/core/test/c_test.go")).toMatchObject({
    build: "go build ./... (in api/core)",
    contract: "go test ./test (in api/core)",
  });
  expect(projectWords(runners, "api/test_c.py").contract).toBe("python3 -m pytest test_c.py (in api)");
  expect(projectWords(runners, "test/c.test.ts").contract).toBe("npx vitest run test/c.test.ts");
  expect(projectWords({}, "test/c.test.ts")).toEqual({ marker: js });
});

test("a script builds the package where its language does not", () => {
  const built = (runner: string, suite = "test/c") =>
    projectWords({ runner, packages: { web: "jest" } }, suite, { hasBuildScript: true }).build;
  expect([built("vitest"), built("go"), built("vitest", "web/c.test.js")]).toEqual([
    "npm run build",
    "go build ./...",
    "npm run build (in web)",
  ]);
});
