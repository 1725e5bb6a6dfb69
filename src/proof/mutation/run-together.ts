/**
 * Tries many mutants with one start of the runner: the source holds all of them, and a copy of a test file for each mutant turns
 * one on. For runners that give each test file modules of its own. What remains unclear is tried alone.
 */
import { readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { idsWith } from "../../gates/suite/suite.ts";
import { fileOfTest } from "../../evidence/test-ids.ts";
import { systemClock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import { readPlainFile } from "../../lib/plain-file.ts";
import { isScript } from "../../source/syntax.ts";
import { switchName, type MutableFile } from "../../source/mutants/mutant.ts";
import { canaryNames } from "../canary/canary-names.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { inCheckout, owns } from "../setting.ts";
import type { Candidate, MutantResult, MutantRuns } from "./run-mutants.ts";
import { isPrepared, resultOf, withSignal } from "./run-mutants.ts";

export interface TogetherRequest extends Omit<MutantRuns, "candidates"> {
  readonly files: readonly MutableFile[];
  readonly candidates: readonly Candidate[];
}

/** Results by candidate, of its first run; a candidate without one has to be tried alone. */
export type Together = ReadonlyMap<Candidate, MutantResult>;

export async function runTogether(request: TogetherRequest): Promise<Together> {
  const { setting, tree, candidates, deadline } = request;
  const own = candidates.filter((one) => isSwitchable(request, one));
  // Copies run beside each other, and would disturb each other by what they share.
  if (request.isShared || own.length < minCount || isPrepared(setting)) return new Map();
  return inCheckout(setting, { files: tree }, async (checkout) => {
    const names = await writeSwitches(request.files, checkout);
    const results = new Map<Candidate, MutantResult>();
    for (let at = 0; at < own.length && systemClock.now() < deadline; at += batch) {
      const some = own.slice(at, at + batch);
      for (const [one, result] of await runBatch(request, { checkout, names, some }))
        results.set(one, result);
      // A first batch without results will not be followed by a better one.
      if (results.size === 0) break;
    }
    return results;
  });
}

const minCount = 3;
const batch = 24;
const isolating: ReadonlySet<string> = new Set(["vitest", "jest", "node:test"]);

function isSwitchable({ setting, files }: TogetherRequest, { mutant, runs, isLoaded }: Candidate): boolean {
  const runnerOf = (file: string) => setting.packages.find((one) => owns(one, file))?.found.name ?? "";
  const [tests = []] = runs;
  return (
    isLoaded !== true &&
    mutant.id !== undefined &&
    files.some(({ path, switched }) => path === mutant.path && switched !== undefined) &&
    tests.length > 0 &&
    tests.length <= maxFiles &&
    tests.every((file) => isScript(file) && isolating.has(runnerOf(file)))
  );
}

/** Each further file is a copy for each mutant. */
const maxFiles = 3;

/** Path -> the name of its switch. */
type Switches = ReadonlyMap<string, string>;

async function writeSwitches(files: readonly MutableFile[], checkout: Checkout): Promise<Switches> {
  const names = new Map<string, string>();
  for (const { path, switched } of files) {
    if (switched === undefined) continue;
    const name = `s${newId(11)}`;
    names.set(path, name);
    const text = switched.replaceAll(switchName, () => name).replaceAll("_9fa48", () => `_${name}`);
    await writeFile(join(checkout.path, path), /\.[cm]?tsx?$/u.test(path) ? `// @ts-nocheck\n${text}` : text);
  }
  return names;
}

interface Batch {
  readonly checkout: Checkout;
  readonly names: Switches;
  readonly some: readonly Candidate[];
}

interface Copy {
  /** Null: no mutant, to see that copies run like their original. */
  readonly of: Candidate | null;
  readonly test: string;
  readonly copy: string;
}

async function runBatch(request: TogetherRequest, { checkout, names, some }: Batch): Promise<Together> {
  const tests = [...new Set(some.flatMap(({ runs: [first = []] }) => first))];
  const written: string[] = [];
  try {
    const copies: Copy[] = [];
    for (const of of [null, ...some])
      for (const test of of === null ? tests : (of.runs[0] ?? [])) {
        const copy = await writeCopy(checkout, { of, test, names, written });
        if (copy !== null) copies.push({ of, test, copy });
      }
    const { setting, deadline, limitMs } = request;
    const timeoutMs = Math.min(setting.ports.timeoutMs, limitMs + copies.length * 1_000);
    const bounded = withSignal({ ...setting, ports: { ...setting.ports, timeoutMs } }, deadline);
    const files = copies.map(({ copy }) => copy);
    const { suite } = await request.run(bounded, checkout, files);
    if (suite.environment !== null || !suite.report.report || suite.timedOut) return new Map();
    const well = new Set(idsWith(suite, "passed"));
    const controls = copies.filter(({ of }) => of === null);
    const isAlike = ({ test, copy }: Copy) =>
      [...request.passed].every(
        (id) => fileOfTest(id) !== test || well.has(`${copy}${id.slice(test.length)}`),
      );
    const usable = new Set(controls.filter(isAlike).map(({ test }) => test));
    return new Map(
      some.flatMap((one) => {
        const own = copies.filter(({ of }) => of === one);
        if (own.length === 0 || own.some(({ test }) => !usable.has(test))) return [];
        const passed = own.flatMap(({ test, copy }) =>
          [...request.passed].flatMap((id) =>
            fileOfTest(id) === test ? [`${copy}${id.slice(test.length)}`] : [],
          ),
        );
        const result = resultOf(
          suite,
          own.map(({ copy }) => copy),
          new Set(passed),
        );
        const original = (id: string) => {
          const from = own.find(({ copy }) => fileOfTest(id) === copy);
          return from === undefined ? id : `${from.test}${id.slice(from.copy.length)}`;
        };
        return [[one, { ...result, by: result.by.map(original) }] as const];
      }),
    );
  } finally {
    for (const path of written) await rm(join(checkout.path, path), { force: true });
  }
}

interface Copying extends Omit<Copy, "copy"> {
  readonly names: Switches;
  /** Receives the paths of new files. */
  readonly written: string[];
}

/** The copy first loads a module that turns the mutant on, before any module of the source. */
async function writeCopy(checkout: Checkout, { of, test, names, written }: Copying): Promise<string | null> {
  const text = await readPlainFile(join(checkout.path, test));
  if (text === null) return null;
  const folder = dirname(test) === "." ? "" : `${dirname(test)}/`;
  const beside = new Set(await readdir(join(checkout.path, dirname(test))));
  const copy = `${folder}${canaryNames(test.slice(folder.length), text, beside).file("-")}`;
  const isModule = /^\s*(?:import\b(?!\s*\()|export\b)/mu.test(text);
  const start = `w${newId(11)}.js`;
  const name = of === null ? `s${newId(11)}` : (names.get(of.mutant.path) ?? "");
  const state = { activeMutant: of?.mutant.id ?? "", hitCount: 0, hitLimit };
  const global = `globalThis[${JSON.stringify(name)}]`;
  await writeFile(
    join(checkout.path, folder, start),
    `${global} = Object.assign(${global} || {}, ${JSON.stringify(state)});\n`,
  );
  const load = isModule ? `import "./${start}"; ` : `require("./${start}"); `;
  await writeFile(join(checkout.path, copy), withStart(text, load));
  written.push(`${folder}${start}`, copy);
  return copy;
}

/** Ends loops that a mutant made endless. */
const hitLimit = 100_000;

/** After comments at the top, which runners read. */
function withStart(text: string, load: string): string {
  const [top = ""] = /^(?:#![^\n]*\n|\s+|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)*/u.exec(text) ?? [];
  return `${top}${load}${text.slice(top.length)}`;
}
