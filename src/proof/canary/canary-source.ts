/** The source text of canaries: one test per family of matchers, so that a replaced matcher is detected. */
import type { CanarySource } from "./canary-languages.ts";
import { basename } from "node:path";
import { importsOf } from "../../source/imports.ts";
import { readScript } from "../../source/script.ts";
import { goCanary, pythonCanary, rustCanary } from "./canary-languages.ts";
import { canaryNames, type CanaryNames } from "./canary-names.ts";

export interface TestFileText {
  readonly file: string;
  readonly text: string;
  /** Names of the files in the same folder. */
  readonly beside: ReadonlySet<string>;
}

/** Null for a runner without canary. */
export function canarySource(runner: string, { file, text, beside }: TestFileText): CanarySource | null {
  const name = basename(file);
  const names = canaryNames(name, text, beside);
  switch (runner) {
    case "vitest":
      return script({ name, text, names, always: "import" }, (load) => ({
        loads: [load("{ test, expect }", "vitest")],
        tests: tests("test", expectations(names), names),
      }));
    case "node:test":
      return script({ name, text, names }, (load) => ({
        loads: [load("test", "node:test"), ...assertImports(load)],
        tests: tests("test", assertions(names), names),
      }));
    case "jest":
      return script({ name, text, names }, (load) => ({
        loads: uses(text, "@jest/globals") ? [load("{ test, expect }", "@jest/globals")] : [],
        tests: tests("test", expectations(names), names),
      }));
    case "mocha":
      return script({ name, text, names }, (load) => {
        const chai = uses(text, "chai");
        const bodies = chai ? [...assertions(names), ...chaiExpectations(names)] : assertions(names);
        return {
          loads: [
            load("{ it }", "mocha"),
            ...assertImports(load),
            ...(chai ? [load("{ expect, assert: chaiAssert }", "chai")] : []),
          ],
          tests: tests("it", bodies, names),
        };
      });
    case "pytest":
    case "unittest":
      return pythonCanary(name, runner, names);
    case "go":
      return goCanary(text, names);
    case "cargo":
      return rustCanary(file, names);
    default:
      return null;
  }
}

function expectations(names: CanaryNames): readonly string[] {
  const [one, other] = names.numbers();
  const key = names.name();
  return [
    `expect(${one}).toBe(${other})`,
    `expect({ ${key}: ${one} }).toEqual({ ${key}: ${other} })`,
    `expect({ ${key}: ${one} }).toStrictEqual({ ${key}: ${other} })`,
  ];
}

function assertions(names: CanaryNames): readonly string[] {
  const [one, other] = names.numbers();
  const key = names.name();
  const objects = `{ ${key}: ${one} }, { ${key}: ${other} }`;
  return [
    `assert.equal(${one}, ${other})`,
    `strict.equal(${one}, ${other})`,
    `assert.deepEqual(${objects})`,
    `strict.deepEqual(${objects})`,
    `assert.strictEqual(${one}, ${other})`,
    `assert.deepStrictEqual(${objects})`,
    "assert(false)",
  ];
}

function chaiExpectations(names: CanaryNames): readonly string[] {
  const [one, other] = names.numbers();
  const key = names.name();
  return [
    `expect(${one}).to.equal(${other})`,
    `expect({ ${key}: ${one} }).to.deep.equal({ ${key}: ${other} })`,
    "expect(true).to.be.false",
    `chaiAssert.equal(${one}, ${other})`,
    `chaiAssert.deepEqual({ ${key}: ${one} }, { ${key}: ${other} })`,
  ];
}

interface NamedTest {
  readonly title: string;
  readonly line: string;
}

function tests(test: string, bodies: readonly string[], names: CanaryNames): readonly NamedTest[] {
  return bodies.map((body) => {
    const title = names.title(" ");
    return { title, line: `${test}(${JSON.stringify(title)}, () => { ${body}; });` };
  });
}

function uses(text: string, module: string): boolean {
  return importsOf(readScript(text)).some(({ from }) => from === module);
}

type Load = (names: string, from: string) => string;

function assertImports(load: Load): readonly string[] {
  return [load("assert", "node:assert"), load("strict", "node:assert/strict")];
}

interface CanaryScript {
  readonly name: string;
  readonly text: string;
  readonly names: CanaryNames;
  /** The only module format that the runner accepts. */
  readonly always?: "import";
}

/**
 * Writes a copy of the test file's form, with the same extension and module format, so that the project's transform treats
 * both alike.
 */
function script(
  { name, text, names, always }: CanaryScript,
  write: (load: Load) => { readonly loads: readonly string[]; readonly tests: readonly NamedTest[] },
): CanarySource {
  const isTyped = /\.[cm]?tsx?$/.test(name);
  const isModule =
    always === "import" ||
    isTyped ||
    name.endsWith(".mjs") ||
    importsOf(readScript(text)).some(({ style }) => style === "import");
  const load: Load = (imported, from) =>
    isModule
      ? `import ${imported.replace(": ", " as ")} from ${JSON.stringify(from)};`
      : `const ${imported} = require(${JSON.stringify(from)});`;
  const target = JSON.stringify(`./${name}`);
  const written = write(load);
  return {
    name: names.file("-"),
    titles: written.tests.map(({ title }) => title),
    content: [
      ...(isTyped ? ["// @ts-nocheck"] : []),
      isModule ? `import ${target};` : `require(${target});`,
      ...written.loads,
      ...written.tests.map(({ line }) => line),
      "",
    ].join("\n"),
  };
}
