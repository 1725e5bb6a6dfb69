/** A small project with a branch for each kind of change, and calls of `mettle` in it. */
import { join } from "node:path";
import { newFolder } from "../support/folder.ts";
import { createRepository, type TempRepository } from "../support/repository.ts";
import { callHere } from "./here.ts";

const head = 'import test from "node:test";\nimport assert from "node:assert/strict";\n';
const cart = `export function total(prices) {
  let sum = 0;
  for (const price of prices) sum += price;
  return sum;
}
`;
const discounted = `${cart}export function discounted(prices, percent) {
  if (percent > 100) {
    throw new RangeError("percent");
  }
  return total(prices) * (1 - percent / 100);
}
`;
const cartTest = `${head}import { total } from "../src/cart.js";
test("adds prices", () => assert.equal(total([2, 3]), 5));
test("is empty", () => assert.equal(total([]), 0));
`;
const discountTest = `${head}import { discounted } from "../src/cart.js";
test("takes a discount", () => assert.equal(discounted([50, 50], 10), 90));
`;
const good = { "src/cart.js": discounted, "test/discount.test.js": discountTest };

export const startFiles = {
  "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/cart.js": cart,
  "test/cart.test.js": cartTest,
};

/** Branch -> what it changes on main. */
export const changes: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  honest: good,
  passes: {
    "src/cart.js": `${cart}export const vat = 19;\n`,
    "test/more.test.js": `${head}import { total } from "../src/cart.js";\ntest("adds three", () => assert.equal(total([1, 1, 1]), 3));\n`,
  },
  untested: { "src/cart.js": discounted },
  weakened: {
    ...good,
    "test/cart.test.js": cartTest.replace("equal(total([2, 3]), 5)", "ok(total([2, 3]))"),
  },
  hidden: {
    "src/cart.js": discounted.replace("sum = 0", "sum = 1"),
    "test/discount.test.js": discountTest.replace("90)", "90.9)"),
    "test/cart.test.js": cartTest.replace(", 5)", ", 6)").replace(", 0)", ", 1)"),
  },
  regression: {
    "src/cart.js": discounted.replace("sum = 0", "sum = 1"),
    "test/discount.test.js": discountTest.replace("90)", "90.9)"),
  },
  skipped: { ...good, "test/cart.test.js": cartTest.replace('test("is', 'test.skip("is') },
  removed: { ...good, "test/cart.test.js": cartTest.replace(/^test\("is empty.*\n/mu, "") },
  renamed: { ...good, "test/cart.test.js": cartTest.replace('"is empty"', '"costs nothing when empty"') },
  moved: {
    ...good,
    "test/cart.test.js": null,
    "test/sums/total.test.js": cartTest.replace("../src", "../../src"),
  },
  refactored: {
    "src/cart.js":
      "export function total(prices) {\n  return prices.reduce((sum, price) => sum + price, 0);\n}\n",
  },
  documented: { "README.md": "A cart.\n" },
  formatted: { "src/cart.js": cart.replace("let sum = 0;", "// from nothing\n  let   sum = 0") },
};

export interface ChangeWorld {
  readonly repo: TempRepository;
  readonly home: string;
  /** With `--json`. */
  ask(...args: readonly string[]): Promise<{ readonly code: number; readonly answer: Answer }>;
  /** The text output, in 80 columns. */
  read(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }>;
  /** Creates a branch from another one with these files. @returns its commit */
  branch(
    name: string,
    from: string,
    files: Readonly<Record<string, string | null>>,
    message?: string,
  ): Promise<string>;
}

interface Answer {
  readonly [field: string]: unknown;
  readonly verdict?: string;
  readonly checks?: readonly {
    readonly name: string;
    readonly verdict: string;
    readonly reason: string;
    readonly tests: readonly string[];
    readonly places?: readonly { readonly path: string; readonly line: number | null }[];
  }[];
  readonly findings?: readonly { readonly code: string; readonly message: string }[];
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string };
}

export async function changeWorld(
  branches: readonly string[],
  files: Readonly<Record<string, string>> = startFiles,
  sandbox: string = process.env["METTLE_SANDBOX"] ?? "off",
  more: Readonly<Record<string, string>> = {},
): Promise<ChangeWorld> {
  const repo = await createRepository({ files });
  const home = newFolder();
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    METTLE_HOME: join(home, "state"),
    METTLE_SANDBOX: sandbox,
    METTLE_MUTATION_BUDGET: "0",
    ...more,
  };
  const branch: ChangeWorld["branch"] = async (name, from, changed, message) => {
    await repo.git("switch", "--quiet", "--create", name, from);
    await repo.write(changed);
    const commit = await repo.commit(message);
    await repo.git("switch", "--quiet", "main");
    return commit;
  };
  for (const name of branches) await branch(name, "main", changes[name] ?? {});
  return {
    repo,
    home,
    branch,
    async ask(...args) {
      const { code, stdout } = await callHere([...args, "--json"], { cwd: repo.dir, env });
      return { code, answer: JSON.parse(stdout) as Answer };
    },
    async read(...args) {
      const { code, stdout, stderr } = await callHere(args, { cwd: repo.dir, env });
      return { code, text: `${stdout}${stderr}` };
    },
  };
}

/** `name: reason` of the checks that did not pass. */
export function wrongChecks({ checks = [] }: Answer): readonly string[] {
  return checks.filter(({ verdict }) => verdict !== "pass").map(({ name, reason }) => `${name}: ${reason}`);
}
