/** The text of canaries: one test for each family of matchers, so that replacing any of them shows. */
import { basename } from "node:path";
import { newId } from "../../lib/ids.ts";
import { importsOf } from "../../gates/imports.ts";
import { readScript } from "../../gates/script.ts";
import { goCanary, pythonCanary, rustCanary } from "./canary-languages.ts";

const canaryTitle = "mettle canary: this must fail";

/** Whether a test's names are a canary's, in any language. */
export function isCanary(names: string): boolean {
  return /mettle[ _]?canary/i.test(names);
}

export interface CanarySource {
  /** Of a file beside the test file. */
  readonly name: string;
  readonly content: string;
}

/** Null where a runner has no canary. */
export function canarySource(runner: string, file: string, text: string): CanarySource | null {
  const name = basename(file);
  switch (runner) {
    case "vitest":
      return inModule(name, ['import { test, expect } from "vitest";', ...tests("test", expectations)]);
    case "node:test":
      return inModule(name, [
        'import test from "node:test";',
        'import assert from "node:assert";',
        'import strict from "node:assert/strict";',
        ...tests("test", assertions),
      ]);
    case "jest":
      return jestLike(name, text, (load) => [
        ...(uses(text, "@jest/globals") ? [load("{ test, expect }", "@jest/globals")] : []),
        ...tests("test", expectations),
      ]);
    case "mocha":
      return jestLike(name, text, (load) => {
        const chai = uses(text, "chai");
        return [
          load("{ it }", "mocha"),
          load("assert", "node:assert"),
          load("strict", "node:assert/strict"),
          ...(chai ? [load("{ expect, assert: chaiAssert }", "chai")] : []),
          ...tests("it", chai ? [...assertions, ...chaiExpectations] : assertions),
        ];
      });
    case "pytest":
    case "unittest":
      return pythonCanary(name, runner);
    case "go":
      return goCanary(text);
    case "cargo":
      return rustCanary(file);
    default:
      return null;
  }
}

const expectations = [
  "expect(1).toBe(2)",
  "expect({ a: 1 }).toEqual({ a: 2 })",
  "expect({ a: 1 }).toStrictEqual({ a: 2 })",
];
const assertions = [
  "assert.equal(1, 2)",
  "strict.equal(1, 2)",
  "assert.deepEqual({ a: 1 }, { a: 2 })",
  "strict.deepEqual({ a: 1 }, { a: 2 })",
  "assert.strictEqual(1, 2)",
  "assert.deepStrictEqual({ a: 1 }, { a: 2 })",
  "assert(false)",
];
const chaiExpectations = [
  "expect(1).to.equal(2)",
  "expect({ a: 1 }).to.deep.equal({ a: 2 })",
  "expect(true).to.be.false",
  "chaiAssert.equal(1, 2)",
  "chaiAssert.deepEqual({ a: 1 }, { a: 2 })",
];

function tests(test: string, bodies: readonly string[]): readonly string[] {
  return bodies.map((body, at) => `${test}("${canaryTitle} ${at + 1}", () => { ${body}; });`);
}

function uses(text: string, module: string): boolean {
  return importsOf(readScript(text)).some(({ from }) => from === module);
}

function inModule(name: string, lines: readonly string[]): CanarySource {
  const content = [`import ${JSON.stringify(`./${name}`)};`, ...lines, ""].join("\n");
  return { name: `mettle-canary-${newId()}.test.mjs`, content };
}

type Load = (names: string, from: string) => string;

/** A twin of the test file, in its own ending and module format, so that the project's transform takes it alike. */
function jestLike(name: string, text: string, lines: (load: Load) => readonly string[]): CanarySource {
  const isTyped = /\.[cm]?tsx?$/.test(name);
  const isModule = isTyped || importsOf(readScript(text)).some(({ style }) => style === "import");
  const load: Load = (names, from) =>
    isModule
      ? `import ${names.replace(": ", " as ")} from ${JSON.stringify(from)};`
      : `const ${names} = require(${JSON.stringify(from)});`;
  const target = JSON.stringify(`./${name}`);
  return {
    name: `mettle-canary-${newId()}${/(?:[-_](?:test|spec))?\..*$/.exec(name)?.[0] ?? ".js"}`,
    content: [
      ...(isTyped ? ["// @ts-nocheck"] : []),
      isModule ? `import ${target};` : `require(${target});`,
      ...lines(load),
      "",
    ].join("\n"),
  };
}
