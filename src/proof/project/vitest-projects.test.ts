/** A test file in two projects of a configuration has each test once (fault R7). */
import { beforeAll, expect } from "vitest";
import { proofProject, rules, type ProofProject } from "../../../test/proof-project.ts";
import { inCi } from "../../../test/verifies.ts";

let project: ProofProject;

beforeAll(async () => {
  const one = (name: string) =>
    `{ test: { name: "${name}", include: ["tests/**/*.test.js"], env: { PLACE: "${name}" } } }`;
  project = await proofProject(
    {
      "package.json": '{ "type": "module", "devDependencies": { "vitest": "*" } }\n',
      "vitest.config.js": `export default { test: { projects: [${one("web")}, ${one("server")}] } };\n`,
      "src/old.js": "export const old = () => 1;\n",
    },
    { modules: true },
  );
});

inCi("RED has it once, and GREEN accepts it if it passes in both", async () => {
  const settings = { runner: "vitest", paths: rules };
  const head = await project.commitOn(project.base, {
    "tests/new.test.js":
      'import { expect, test } from "vitest";\nimport { place } from "../src/place.js";\ntest("FR1 tells", () => { expect(place()).toBe(1); });\n',
  });
  const red = await project.red(head, { settings, planned: ["src/place.js"], criteria: ["FR1"] });
  expect(red.verdict.checks.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
  expect(red.required).toEqual(["tests/new.test.js::FR1 tells"]);

  const answers = async (code: string) => {
    const impl = await project.commitOn(head, { "src/place.js": `export const place = () => ${code};\n` });
    const { verdict } = await project.green({ red: head, head: impl, required: red.required, settings });
    return [verdict.verdict, verdict.checks.find(({ name }) => name === "required")?.tests];
  };
  expect(await answers("1")).toEqual(["pass", red.required]);
  expect(await answers('process.env.PLACE === "web" ? 1 : 2')).toEqual(["fail", red.required]);
});
