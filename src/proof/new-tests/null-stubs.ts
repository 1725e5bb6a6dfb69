/**
 * Runs the new tests against null stubs of the source that they import (CORE-26), in the run that repeats them: beside each
 * test file stand copies with other names, and the unit answers each call as the stub of the calling file. For the original
 * it works as usual.
 */
import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sha256 } from "../../lib/hash.ts";
import { fileOfTest } from "../../evidence/test-ids.ts";
import { nullStubs, reachesOtherwise, type NullStubs } from "../../gates/red/null-stub-results.ts";
import type { Answer, NullStub } from "../../gates/red/reach-script.ts";
import { readPlainFile } from "../../lib/plain-file.ts";
import { renamed } from "../canary/canary-names.ts";
import { copyingRunners } from "../canary/control-copies.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { ProofSetting } from "../proof-package.ts";
import type { Project } from "../project/project.ts";
import { owns, type SuiteRun } from "../setting.ts";
import type { Suite } from "../../gates/suite/suite.ts";
import { restoreUnit, writeUnit } from "./rewritten-unit.ts";

export interface NullStubRequest {
  readonly checkout: Checkout;
  readonly setting: ProofSetting;
  readonly head: Project;
  /** Planned source files, and files that re-export them. */
  readonly unit: readonly string[];
  /** The changed test files. */
  readonly files: readonly string[];
  /** Ids of the new tests. */
  readonly tests: readonly string[];
  readonly first: SuiteRun;
  run(files: readonly string[], timeoutMs: number): Promise<SuiteRun>;
}

export interface StubbedRun {
  readonly nullStubs: NullStubs;
  /** The results of the originals; null where nothing ran. */
  readonly repeat: Suite | null;
}

/** The checkout has its files again afterwards. */
export async function runNullStubs(request: NullStubRequest): Promise<StubbedRun> {
  const { checkout, setting, tests, first, run } = request;
  const took = first.runs.reduce((sum, { ran }) => sum + ran.ended - ran.started, 0);
  const why = whyNot(request, took);
  if (why !== null) return notMeasured(why);
  const packages = setting.packages.filter(({ found }) => copyingRunners.has(found.name));
  const own = tests.filter((id) => packages.some((one) => owns(one, id)));
  const texts = await textsOf(checkout, [...new Set(own.map(fileOfTest))]);
  if (texts.size === 0) return notMeasured("not for this language");
  const copies = await writeCopies(checkout, texts);
  const { rules } = setting;
  const unknown = join(checkout.path, `unknown-${hexOf([...texts.values()])}`);
  const originals = await writeUnit({
    ...request,
    rules,
    texts,
    answer: answerOf(copies, request.files, unknown),
  });
  const added = copies.map(({ path }) => path);
  const { suite } = await run([...request.files, ...added], timeFor(took));
  for (const path of added) await rm(join(checkout.path, path));
  await restoreUnit(checkout, originals);
  const isUnknown = await wasLeft(unknown);
  if (suite.environment !== null || !suite.report.report || suite.timedOut)
    return notMeasured("their run gave no report in time");
  const results = new Map(suite.report.tests.map(({ id, status }) => [id, status]));
  const isKnown = (id: string) => nullStubs.every((stub) => results.has(idIn(copies, stub, id)));
  const measured = own.filter(isKnown);
  const passing = (stub: NullStub) =>
    measured.filter((id) => results.get(idIn(copies, stub, id)) === "passed");
  const repeat = withoutFiles(suite, new Set(added));
  if (isUnknown) return { ...notMeasured("a call of the unit does not show its test"), repeat };
  return {
    repeat,
    nullStubs:
      measured.length === 0
        ? notMeasured("the runner does not find copies of the tests").nullStubs
        : {
            state: "measured",
            tests: measured,
            passing: {
              undefined: passing("undefined"),
              identity: passing("identity"),
              throw: passing("throw"),
            },
            unsure: await unsureFiles(checkout, texts),
          },
  };
}

export function notMeasured(why: string): StubbedRun {
  return { nullStubs: { state: "not measured", why }, repeat: null };
}

function withoutFiles(suite: Suite, files: ReadonlySet<string>): Suite {
  const { report } = suite;
  const isOther = ({ file }: { readonly file: string | null }) => file === null || !files.has(file);
  return {
    ...suite,
    report: {
      ...report,
      tests: report.tests.filter(({ id }) => !files.has(fileOfTest(id))),
      loadErrors: report.loadErrors.filter(isOther),
      problems: report.problems.filter(isOther),
    },
  };
}

/** A longer run is not repeated for a control. */
const longestMs = 60_000;

/** A unit that returns nothing can make a test wait or loop for ever. */
function timeFor(took: number): number {
  return Math.min(longestMs, took * 3 + 10_000);
}

function whyNot({ setting, tests }: NullStubRequest, took: number): string | null {
  if (setting.ports.controls?.null_stubs === false) return "switched off in the settings";
  if (tests.length === 0) return "no new test";
  return took > longestMs ? "the tests take over a minute" : null;
}

interface TestCopy {
  readonly of: string;
  readonly stub: NullStub;
  readonly path: string;
}

function idIn(copies: readonly TestCopy[], stub: NullStub, id: string): string {
  const file = fileOfTest(id);
  const copy = copies.find((one) => one.of === file && one.stub === stub);
  return `${copy?.path ?? ""}${id.slice(file.length)}`;
}

async function textsOf(checkout: Checkout, files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const read = files.map(async (file) => [file, await readPlainFile(join(checkout.path, file))] as const);
  return new Map((await Promise.all(read)).flatMap(([file, text]) => (text === null ? [] : [[file, text]])));
}

async function writeCopies(
  checkout: Checkout,
  texts: ReadonlyMap<string, string>,
): Promise<readonly TestCopy[]> {
  const made: TestCopy[] = [];
  for (const [file, text] of texts) {
    const folder = dirname(file) === "." ? "" : `${dirname(file)}/`;
    for (const stub of nullStubs) {
      const name = `${stub}${sha256(file).replaceAll(/\D/g, "").slice(0, 6)}`;
      const path = `${folder}${renamed(file.slice(folder.length), name)}`;
      // A file of this name in the commit is another file: the stub is then not measured.
      const isNew = await writeFile(join(checkout.path, path), text, { flag: "wx" }).then(
        () => true,
        () => false,
      );
      if (isNew) made.push({ of: file, stub, path });
    }
  }
  return made;
}

function answerOf(copies: readonly TestCopy[], files: readonly string[], unknown: string): Answer {
  const stubs = copies.map(({ path, stub }) => [nameOf(path), stub] as const);
  return { how: "by file", stubs: Object.fromEntries(stubs), others: files.map(nameOf), unknown };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Equal for equal texts, so that equal runs are equal. */
function hexOf(texts: readonly string[]): string {
  return sha256(texts.join("\0")).slice("sha256:".length);
}

/** @returns whether a call that no stub answered has left its file, which is removed */
async function wasLeft(path: string): Promise<boolean> {
  return rm(path).then(
    () => true,
    () => false,
  );
}

/** Test files that reach the unit by other means, themselves or by the helpers beside them. */
async function unsureFiles(
  checkout: Checkout,
  texts: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const unsure: string[] = [];
  for (const [file, text] of texts) {
    const helpers = [...text.matchAll(/(?:from|require\(|import)\s*["'](\.[^"']+)["']/g)].map(
      ([, from = ""]) => join(dirname(file), from),
    );
    const read = await textsOf(checkout, helpers);
    if ([text, ...read.values()].some(reachesOtherwise)) unsure.push(file);
  }
  return unsure;
}
