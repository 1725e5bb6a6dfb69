/** The check `hard_coded` with real runners: solutions that hold the answers of their tests, and honest ones that look alike. */
import { expect } from "vitest";
import { proofProject } from "../../../test/proof-project.ts";
import { verifies, verifiesInCi } from "../../../test/verifies.ts";
import { programOf } from "../../evidence/fixtures/run-native.ts";
import { pytest } from "../../evidence/runners/pytest.ts";
import type { GateProof } from "../proof.ts";
import { lookAlike } from "./fixtures/look-alikes.ts";
import { answersOf, honest, languages, solutions, testsOf, type Language } from "./fixtures/roman.ts";

const paths = { tests: ["tests/"], source: ["src/", "shop/"] };

async function open(language: Language) {
  const { base, testFile, sourceFile, needsModules } = languages[language];
  const project = await proofProject(base, { modules: needsModules });
  const red = await project.commitOn(project.base, { [testFile]: testsOf(language) });
  const required = Object.keys(answersOf).map((number) => `${testFile}::${languages[language].idOf(number)}`);
  const green = async (files: Readonly<Record<string, string>>, more = {}): Promise<GateProof> => {
    const head = await project.commitOn(red, files);
    return project.green({ red, head, required, settings: { paths }, ...more });
  };
  return { project, required, sourceFile, green };
}

const wrongOf = ({ verdict }: GateProof) =>
  verdict.checks.filter((check) => check.verdict !== "pass").map(({ name }) => name);
const findingsOf = ({ verdict }: GateProof) =>
  verdict.findings.filter(({ code }) => code === "special_case").map(({ message }) => message);

async function provePair(language: Language): Promise<void> {
  const { green, required, sourceFile, project } = await open(language);
  const proof = await green(honest(language));
  expect([wrongOf(proof), findingsOf(proof)]).toEqual([[], []]);
  expect(proof.drafts.at(-1)?.controls["special_case"]).toMatch(/^\d+ neighbouring inputs of 6 assertions$/);

  const { verdict } = await green(solutions(language).table);
  const [check] = verdict.checks.filter(({ name }) => name === "hard_coded");
  expect(check).toMatchObject({ verdict: "fail", acceptable: true, tests: required });
  expect(check?.reason).toMatch(
    new RegExp(
      `^\`(?:toRoman|to_roman)\` contains literals of 6 of the 6 calls in its tests \\(${sourceFile}:2, .* and 2 more\\), and gives the same or no answer for \\d+ of \\d+ neighbouring inputs, but 6 different ones in its tests; compute the answer from the input, or let a person accept the tests: mettle resume RUN --accept-test ID$`,
    ),
  );
  const accepted = await green(solutions(language).table, { accepted: required });
  expect([wrongOf(accepted), findingsOf(accepted)]).toEqual([
    [],
    [expect.stringContaining("a person accepted this")],
  ]);

  const ports = { ...project.ports, controls: { specialCase: false } };
  const off = await green(solutions(language).table, { ports });
  expect([wrongOf(off), off.drafts.at(-1)?.controls["special_case"]]).toEqual([
    [],
    "not measured (switched off in the settings)",
  ]);
}

async function proveForms(language: Language): Promise<void> {
  const { green } = await open(language);
  for (const [form, files] of Object.entries(solutions(language))) {
    const proof = await green(files);
    expect([form, ...wrongOf(proof)]).toEqual([form, "hard_coded"]);
  }
}

async function proveHonest(language: Language): Promise<void> {
  const { base, testFile, sourceFile, needsModules } = languages[language];
  const { tests, source, names } = lookAlike(language);
  const project = await proofProject(base, { modules: needsModules });
  const red = await project.commitOn(project.base, { [testFile]: tests });
  const head = await project.commitOn(red, { [sourceFile.replace("roman", "shop")]: source });
  const required = names.map((name) => `${testFile}::${name}`);
  const proof = await project.green({ red, head, required, settings: { paths } });
  expect(wrongOf(proof)).toEqual([]);
  // A table of what the tests ask for alone is worth a look.
  const [reason] = findingsOf(proof).filter((message) => message.startsWith("`reason`"));
  expect(reason).toMatch(
    /^`reason` contains literals of 3 of the 3 calls in its tests \(.*shop\.\w+:\d+\), and gives the same or no answer for 18 of 18 neighbouring inputs, but 3 different ones in its tests$/,
  );
  expect(findingsOf(proof).filter((message) => /^`(?:rate|limit|valid)`/.test(message))).toEqual([]);
}

/** The same tests in two files, for runners of which one loads both into one process. */
async function proveTwoFiles(runner: "jest" | "mocha"): Promise<void> {
  const project = await proofProject(
    { "package.json": `{ "devDependencies": { "${runner}": "*" } }\n`, "src/old.js": "" },
    { modules: true },
  );
  const pairs = Object.entries(answersOf);
  const head = `const assert = require("node:assert");\nconst { toRoman } = require("../src/roman.js");\n`;
  const testOf = ([number = "", text = ""]: readonly string[]) =>
    `it("writes ${number}", () => { assert.equal(toRoman(${number}), "${text}"); });\n`;
  const [half, rest] = [pairs.slice(0, 3), pairs.slice(3)];
  const red = await project.commitOn(project.base, {
    "tests/small.test.js": head + half.map(testOf).join(""),
    "tests/large.test.js": head + rest.map(testOf).join(""),
  });
  const required = [
    ...half.map(([number]) => `tests/small.test.js::writes ${number}`),
    ...rest.map(([number]) => `tests/large.test.js::writes ${number}`),
  ];
  const { table } = solutions("javascript");
  const source = (table["src/roman.js"] ?? "").replace("export const toRoman", "exports.toRoman");
  const proof = await project.green({
    red,
    head: await project.commitOn(red, { "src/roman.js": source }),
    required,
  });
  expect(wrongOf(proof)).toEqual(["hard_coded"]);
  expect(proof.verdict.checks.find(({ name }) => name === "hard_coded")?.tests.toSorted()).toEqual(
    required.toSorted(),
  );
}

verifies("PRV-15", "node:test: a table of the tested inputs blocks, and an honest table does not", () =>
  provePair("javascript"),
);

verifiesInCi(
  "PRV-15",
  "vitest: a table of the tested inputs blocks in TypeScript, and an honest table does not",
  () => provePair("typescript"),
);

for (const language of ["javascript", "typescript"] as const) {
  verifiesInCi("PRV-15", `${language}: honest constants, tables and enumerations do not block`, () =>
    proveHonest(language),
  );
  verifiesInCi("PRV-15", `${language}: a chain of ifs, a digest table and a table in a data file block`, () =>
    proveForms(language),
  );
}

if ((await programOf(pytest)) !== null) {
  verifiesInCi("PRV-15", "pytest: a table of the tested inputs blocks, and an honest table does not", () =>
    provePair("python"),
  );
  verifiesInCi("PRV-15", "pytest: honest constants, tables and enumerations do not block", () =>
    proveHonest("python"),
  );
  verifiesInCi("PRV-15", "pytest: a chain of ifs, a digest table and a table in a data file block", () =>
    proveForms("python"),
  );
}

for (const runner of ["jest", "mocha"] as const)
  verifiesInCi("PRV-15", `${runner}: a table for the tests of two files blocks`, () => proveTwoFiles(runner));
