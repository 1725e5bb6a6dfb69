/**
 * Runs copies of the required test files in which every test must fail, in a checkout of their own: the expected-value flip
 * and the canary in one run. A copy stands in the place of its original, with the same tests in the same order, so that code
 * under test cannot recognise it by name, place, structure or stack.
 */
import { readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileOfTest } from "../../evidence/test-ids.ts";
import type { TreeFile } from "../../git/objects/tree.ts";
import { newId, pick } from "../../lib/ids.ts";
import { readPlainFile } from "../../lib/plain-file.ts";
import type { ControlCopy, CopyRequest, Draw } from "../../source/flip/edit.ts";
import { pythonCopy } from "../../source/flip/flip-python.ts";
import { scriptCopy } from "../../source/flip/flip-script.ts";
import { leadsToSource } from "../../source/cannot-fail/weak-tests.ts";
import { loadParser, type Parse } from "../../source/syntax.ts";
import { filesChanged, type Checkout } from "../checkout/checkout.ts";
import type { ProofPackage, ProofSetting } from "../proof-package.ts";
import { inCheckout, owns, type SuiteRun } from "../setting.ts";
import { canaryNames } from "./canary-names.ts";
import type { NeighbourRuntime } from "../../source/neighbours/assertion.ts";
import { neighbourRuntimes } from "../neighbours/runtime.ts";
import { notMeasured, resultsOf, type CopiedFile, type CopyResults } from "./copy-results.ts";

export interface CopiesRequest {
  readonly setting: ProofSetting;
  /** The packages whose runners can run copies. */
  readonly packages: readonly ProofPackage[];
  /** The judged tree. */
  readonly tree: readonly TreeFile[];
  readonly required: readonly string[];
  /** Whether the copies try neighbouring inputs. */
  readonly triesNeighbours: boolean;
  run(checkout: Checkout, files: readonly string[]): Promise<SuiteRun>;
}

/** Runners whose test files can be copied. */
export const copyingRunners: ReadonlySet<string> = new Set([
  "vitest",
  "jest",
  "mocha",
  "node:test",
  "bun",
  "pytest",
  "unittest",
]);

export function runCopies({
  setting,
  packages,
  tree,
  required,
  triesNeighbours,
  run,
}: CopiesRequest): Promise<CopyResults> {
  return inCheckout(setting, { files: tree }, async (checkout) => {
    const parse = await loadParser();
    const paths = new Set(tree.map(({ path }) => path));
    const sources = { rules: setting.rules, has: (path: string) => paths.has(path) };
    const copies: CopiedFile[] = [];
    const runtimeFor = triesNeighbours ? await neighbourRuntimes() : null;
    const files = [...new Set(required.map(fileOfTest))];
    for (const [at, file] of files.entries()) {
      const one = packages.find((other) => owns(other, file));
      if (one === undefined) continue;
      const runner = one.found.name;
      const isLast = files.slice(at + 1).every((other) => !owns(one, other));
      const neighbours = runtimeFor?.({ folder: one.prefix, runner, isLast });
      const copy = await copyOf(checkout, { file, runner, required, parse, sources, neighbours });
      if (copy === null || copy.tests.length === 0) continue;
      await writeFile(join(checkout.path, file), copy.text);
      copies.push({ file, copy });
    }
    const own = required.filter((id) => packages.some((one) => owns(one, id)));
    if (copies.length === 0) return notMeasured("no required test could be changed");
    filesChanged(checkout);
    const { suite } = await run(
      checkout,
      copies.map(({ file }) => file),
    );
    return resultsOf(suite, copies, own);
  });
}

interface CopyContext {
  readonly file: string;
  readonly runner: string;
  readonly required: readonly string[];
  readonly parse: Parse;
  readonly neighbours: NeighbourRuntime | undefined;
  readonly sources: Parameters<typeof leadsToSource>[1];
}

async function copyOf(
  checkout: Checkout,
  { file, runner, required, parse, sources, neighbours }: CopyContext,
): Promise<ControlCopy | null> {
  const text = await readPlainFile(join(checkout.path, file));
  if (text === null) return null; // deleted, and its tests too
  const beside = new Set(await readdir(join(checkout.path, dirname(file))));
  const wanted = new Set(required.filter((id) => fileOfTest(id) === file).flatMap(namesOfId));
  const request: CopyRequest = {
    file: { path: file, text },
    draw: drawFor(file, text, beside),
    isWanted: (name) => wanted.has(name),
    neighbours,
    isSource: leadsToSource(file, sources),
  };
  if (runner === "pytest" || runner === "unittest")
    return pythonCopy(request, { inClass: runner === "unittest" });
  return scriptCopy(parse, request);
}

/** The names that a test with this id may have in its file: without the number of a duplicate, without parameters. */
function namesOfId(id: string): readonly string[] {
  const name = id.slice(fileOfTest(id).length + 2);
  const plain = name.replace(/(?<=\S)#\d+$/u, "");
  return [name, plain, plain.replace(/\[.*$/su, "")];
}

function drawFor(file: string, text: string, beside: ReadonlySet<string>): Draw {
  const names = canaryNames(file, text, beside);
  return { pick, name: () => names.name(), title: (joiner) => names.title(joiner), mark: () => newId() };
}
