/**
 * The canary of compiled tests: files that load the real test files and then assert something false. They run with the
 * frozen tests and must fail; if one passes, the code under test has replaced the assertions.
 */
import { readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Canary } from "../../gates/suite/controls.ts";
import { canarySource } from "./canary-source.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { ProofPackage } from "../proof-package.ts";
import { owns, type SuiteRun } from "../setting.ts";
import { readPlainFile } from "../../lib/plain-file.ts";

export interface CanaryRequest {
  readonly checkout: Checkout;
  readonly packages: readonly ProofPackage[];
  /** Test files with required tests. */
  readonly files: readonly string[];
  run(files: readonly string[]): Promise<SuiteRun>;
}

export async function runCanaries({ packages, files, ...request }: CanaryRequest): Promise<Canary> {
  const all: Canary[] = [];
  for (const one of packages) {
    const own = files.filter((file) => owns(one, file));
    if (own.length > 0) all.push(await runCanary({ ...request, runner: one.found.name, files: own }));
  }
  return worstCanary(all);
}

/** One that passed decides, then one without result. */
export function worstCanary(all: readonly Canary[]): Canary {
  const passed = all.flatMap((canary) => (canary.state === "passed" ? canary.files : []));
  if (passed.length > 0) return { state: "passed", files: passed };
  const [first = { state: "not measured", why: "no test is required" } as const] = all;
  return all.find(({ state }) => state === "not measured") ?? first;
}

interface PackageRequest extends Omit<CanaryRequest, "packages"> {
  readonly runner: string;
}

async function runCanary({ checkout, runner, files, run }: PackageRequest): Promise<Canary> {
  const wrappers = new Map<string, { readonly file: string; readonly titles: readonly string[] }>();
  for (const file of files) {
    const text = (await readPlainFile(join(checkout.path, file))) ?? ""; // deleted, and its tests too
    const beside = new Set(await readdir(join(checkout.path, dirname(file))).catch(() => [])); // deleted too
    const source = canarySource(runner, { file, text, beside });
    if (source === null) return { state: "not measured", why: `no canary for ${runner}` };
    const wrapper = dirname(file) === "." ? source.name : `${dirname(file)}/${source.name}`;
    await writeFile(join(checkout.path, wrapper), source.content, { flag: "wx" });
    wrappers.set(wrapper, { file, titles: source.titles });
  }
  const { suite } = await run([...wrappers.keys()]);
  if (suite.environment !== null || !suite.report.report)
    return { state: "not measured", why: "its run gave no report" };
  const states = [...wrappers].map(([wrapper, { file, titles }]) => ({
    file,
    states: statesOf(suite.report.tests, wrapper, titles),
  }));
  const passed = states.filter(({ states: all }) => all.some(({ status }) => status === "passed"));
  if (passed.length > 0) return { state: "passed", files: passed.map(({ file }) => file) };
  const held = states.every(
    ({ states: all }) => all.length > 0 && all.every(({ kind }) => kind === "assertion"),
  );
  return held ? { state: "held" } : { state: "not measured", why: "it could not run with the tests" };
}

function statesOf(tests: SuiteRun["suite"]["report"]["tests"], wrapper: string, titles: readonly string[]) {
  return tests.filter(
    ({ id }) => id.startsWith(`${wrapper}::`) && titles.some((title) => id.endsWith(title)),
  );
}
