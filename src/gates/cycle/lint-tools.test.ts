import { expect, test } from "vitest";
import { lintTools } from "./lint-tools.ts";

const chosen = (names: readonly string[], texts: Readonly<Record<string, string>> = {}) =>
  lintTools.find(({ isConfigured }) =>
    isConfigured({ names: new Set(names), text: (name) => texts[name] ?? "" }),
  )?.name ?? null;

test("a linter is the project's own if the project configures it", () => {
  expect([
    chosen(["eslint.config.mjs", "biome.json"]),
    chosen([".eslintrc.cjs"]),
    chosen(["package.json"], { "package.json": '{ "eslintConfig": {} }' }),
    chosen([".oxlintrc.json"]),
    chosen(["biome.jsonc"]),
    chosen(["ruff.toml"]),
    chosen(["pyproject.toml"], { "pyproject.toml": "[tool.ruff.lint]\n" }),
    chosen(["package.json", "pyproject.toml"], {
      "package.json": '{ "eslint": 1 }',
      "pyproject.toml": "[tool.x]\n",
    }),
  ]).toEqual(["eslint", "eslint", "eslint", "oxlint", "biome", "ruff", "ruff", null]);
});

const count = (name: string, printed: unknown) =>
  lintTools.find((tool) => tool.name === name)?.count(printed);

test("the findings of each linter are counted, and other output gives no number", () => {
  expect(count("eslint", [{ messages: [{}, {}] }, { messages: [] }, { messages: [{}] }])).toBe(3);
  expect(count("oxlint", { diagnostics: [{}, {}], number_of_files: 1 })).toBe(2);
  expect(count("biome", { summary: { errors: 1, warnings: 2 }, diagnostics: [] })).toBe(3);
  expect(count("ruff", [{ code: "F401" }])).toBe(1);
  for (const { name } of lintTools)
    for (const printed of [null, "words", {}, { diagnostics: 1, summary: {} }])
      expect([name, count(name, printed)]).toEqual([name, null]);
  expect(count("eslint", [{ messages: [] }, {}])).toBeNull();
});
