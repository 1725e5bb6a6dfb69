/** If types are checked before a test runs, a test of a missing unit does not load: a valid RED, like a missing member. */
import { beforeAll, expect } from "vitest";
import { proofProject, rules, type ProofProject } from "../../test/proof-project.ts";
import { inCi } from "../../test/verifies.ts";

/** A file refused by ts-jest, with its message and colours. */
const transform = String.raw`const { spawnSync } = require("node:child_process");
const { dirname, join } = require("node:path");
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin/tsc");
const options = ["--ignoreConfig", "--noEmit", "--pretty", "--strict", "--skipLibCheck", "--types", "", "--module", "commonjs", "--target", "es2022"];
module.exports = {
  process(text, file) {
    const { status, stdout } = spawnSync(process.execPath, [tsc, ...options, file, join(__dirname, "tests/globals.d.ts")], { encoding: "utf8" });
    if (status !== 0) throw new Error("\u26a0 Unable to compile TypeScript:\n" + stdout);
    return require("esbuild").transformSync(text, { loader: "ts", format: "cjs" });
  },
};
`;
const old =
  'import { Command } from "../src/command";\ntest("old", () => { expect(new Command().name()).toBe("git"); });\n';
let project: ProofProject;
beforeAll(async () => {
  project = await proofProject(
    {
      "package.json": JSON.stringify({ jest: { transform: { "\\.ts$": "<rootDir>/transform.js" } } }),
      "transform.js": transform,
      "tests/globals.d.ts":
        "declare const test: (title: string, run: () => void) => void;\ndeclare const expect: any;\n",
      "src/command.ts":
        'export class Command {\n  name(): string { return "git"; }\n}\nexport function words(text: string): string[] { return text.split(" "); }\n',
      "tests/command.test.ts": old,
    },
    { modules: true },
  );
});

const settings = { runner: "jest", paths: rules };
const red = async (text: string) =>
  project.red(await project.commitOn(project.base, { "tests/command.test.ts": text }), {
    settings,
    planned: ["src/command.ts"],
  });

inCi(
  "a missing method, export or parameter, and errors that follow, are judged as without types",
  async () => {
    const { verdict, required } = await red(
      `import { Command, lines, words } from "../src/command";
${old.split("\n")[1]}
test("method", () => { expect(new Command().alias("g")).toBe("g"); });
test("export", () => { expect(lines("a").map((one) => one.length)).toEqual([1]); });
test("parameter", () => { expect(words("a-b", "-")).toEqual(["a", "b"]); });
`,
    );
    expect(verdict.checks.filter(({ verdict: one }) => one !== "pass")).toEqual([]);
    expect(required).toEqual(
      ["method", "export", "parameter"].map((title) => `tests/command.test.ts::${title}`),
    );
  },
);

inCi("an undefined name, and a mistake besides the missing unit, are the test's own fault", async () => {
  const own = [
    `test("typo", () => { new Command().alias("g"); asert(1); });\n`,
    `import { tset } from "typescript";\ntest("library", () => { expect(tset).toBe(new Command().alias("g")); });\n`,
  ];
  for (const text of own) {
    const { verdict } = await red(`${old}${text}`);
    expect(verdict.checks.find(({ name }) => name === "load")).toMatchObject({ verdict: "fail" });
  }
});
