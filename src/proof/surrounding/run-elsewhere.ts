/**
 * Runs the required tests of GREEN a second time in another surrounding (PRV-17), where the changed source reads any: another
 * folder, time zone, date, variables and order. What differs alone decides whether the surrounding is the cause: the test
 * must fail again with this difference and pass again without it.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileOfTest } from "../../evidence/test-ids.ts";
import type { ChangedRead, DependentTest, Surrounding } from "../../gates/suite/surrounding-result.ts";
import { statusOf, type Suite } from "../../gates/suite/suite.ts";
import type { TreeFile } from "../../git/objects/tree.ts";
import { readPlainFile } from "../../lib/plain-file.ts";
import { lastTest } from "../../source/last-test.ts";
import type { Surround } from "../../source/surrounding-reads.ts";
import { loadParser } from "../../source/syntax.ts";
import { copyingRunners } from "../canary/control-copies.ts";
import { filesChanged, type Checkout } from "../checkout/checkout.ts";
import type { ProofSetting } from "../proof-package.ts";
import { inCheckout, owns, type SuiteRun } from "../setting.ts";
import { differencesOf, type Differences } from "./differences.ts";
import { notMeasured, readsIn } from "./reads-in.ts";

export interface SurroundingRequest {
  readonly setting: ProofSetting;
  /** The checkout of the first run, in which all required tests passed. */
  readonly checkout: Checkout;
  /** The judged tree. */
  readonly tree: readonly TreeFile[];
  readonly required: readonly string[];
  /** Texts of the changed source files by path. */
  readonly changed: ReadonlyMap<string, string>;
  run(checkout: Checkout, files: readonly string[], other: OtherRun): Promise<SuiteRun>;
}

export interface OtherRun {
  readonly differs: Differences;
  readonly shuffle: boolean;
}

export async function runElsewhere(request: SurroundingRequest): Promise<Surrounding> {
  const { setting, required } = request;
  if (setting.ports.controls?.surrounding === false) return notMeasured("switched off in the settings");
  const reads = readsIn(request.changed);
  if (reads.length === 0 && !(await testsRead(request)))
    return notMeasured("the change reads nothing of its surrounding");
  const packages = setting.packages.filter(({ found }) => copyingRunners.has(found.name));
  const own = required.filter((id) => packages.some((one) => owns(one, id)));
  if (own.length === 0) return notMeasured("not known for this language");
  const wanted = { ...request, required: own };
  const read = new Set(reads.map(({ what }) => what));
  const kinds = new Set<Surround>([...always, ...read]);
  const there = await failedElsewhere(wanted, new Set([...kinds].filter((kind) => kind !== "order")));
  const late = read.has("order") ? await failedAlone(wanted) : [];
  if (there === null || late === null) return notMeasured("its run gave no report");
  const { failed, repeated } = there;
  const blamed = failed.length === 0 ? [] : await blame(wanted, failed, reads);
  const again = await stillPassing(wanted, [...failed, ...late]);
  const dependent = [...blamed, ...dependentOn("order", late, reads)].filter(({ id }) => again.has(id));
  const byFiles = dependentOn("files", repeated, reads);
  const isBlamed = (id: string) => dependent.some((one) => one.id === id);
  return {
    state: "measured",
    kinds: [...kinds],
    tests: own.length,
    dependent: [...dependent, ...byFiles],
    unstable: [...new Set([...failed, ...late])].filter((id) => !isBlamed(id)),
  };
}

/** Whether the tests themselves read what could give them another result; most tests read a folder, for their fixtures. */
async function testsRead({ checkout, required }: SurroundingRequest): Promise<boolean> {
  const paths = filesOf(required);
  const texts = await Promise.all(paths.map((path) => readPlainFile(join(checkout.path, path))));
  const found = readsIn(new Map(paths.map((path, at) => [path, texts[at] ?? ""])));
  return found.some(
    ({ what }) => what === "clock" || what === "variables" || what === "host" || what === "user",
  );
}

/** What differs in the run elsewhere, whatever the change reads. */
const always: readonly Surround[] = ["folder", "host", "user", "workers", "clock", "zone", "variables"];

interface FailedElsewhere {
  readonly failed: readonly string[];
  /** Tests that passed there and failed, twice, in later runs that find the files of the first. */
  readonly repeated: readonly string[];
}

/** Everything differs at once. Null without a report. */
async function failedElsewhere(
  request: SurroundingRequest,
  kinds: ReadonlySet<Surround>,
): Promise<FailedElsewhere | null> {
  const { setting, tree, required, run } = request;
  return inCheckout(setting, { files: tree, isElsewhere: true }, async (checkout) => {
    const other = { differs: differencesOf(kinds), shuffle: true };
    const failedNow = async () => failedIn(await run(checkout, filesOf(required), other), required);
    const failed = await failedNow();
    if (failed === null) return null;
    let repeated = kinds.has("files") ? required.filter((id) => !failed.includes(id)) : [];
    for (let more = 0; more < 2 && repeated.length > 0; more++) {
      const now = (await failedNow()) ?? [];
      repeated = repeated.filter((id) => now.includes(id));
    }
    return { failed, repeated };
  });
}

/** Runners that run all files in one process: there each file runs alone, in a new one. */
const oneProcess: ReadonlySet<string> = new Set(["mocha", "pytest", "unittest"]);

/** Of each file only the last required test runs, in a copy. */
async function failedAlone({
  setting,
  tree,
  required,
  run,
}: SurroundingRequest): Promise<readonly string[] | null> {
  return inCheckout(setting, { files: tree }, async (checkout) => {
    const parse = await loadParser();
    const left: string[] = [];
    for (const path of filesOf(required)) {
      const text = await readPlainFile(join(checkout.path, path));
      const found = text === null ? null : lastTest(parse, { path, text });
      const own = required.filter((id) => fileOfTest(id) === path);
      const id = found === null ? own[0] : `${path}::${found.name}`;
      if (id === undefined || !own.includes(id) || (found === null && own.length > 1)) continue;
      if (found !== null) await writeFile(join(checkout.path, path), found.text);
      left.push(id);
    }
    if (left.length === 0) return [];
    filesChanged(checkout);
    const isAlone = (path: string) =>
      setting.packages.some((one) => owns(one, path) && oneProcess.has(one.found.name));
    const together = filesOf(left).filter((path) => !isAlone(path));
    const groups = [
      ...(together.length === 0 ? [] : [together]),
      ...filesOf(left)
        .filter(isAlone)
        .map((path) => [path]),
    ];
    const failed: string[] = [];
    for (const files of groups) {
      const ids = left.filter((id) => files.includes(fileOfTest(id)));
      const now = failedIn(await run(checkout, files, plain), ids);
      if (now === null) return null;
      failed.push(...now);
    }
    return failed;
  });
}

const plain: OtherRun = { differs: differencesOf([]), shuffle: false };

/** The failed tests that fail again with one difference that the change reads. */
async function blame(
  request: SurroundingRequest,
  failed: readonly string[],
  reads: readonly ChangedRead[],
): Promise<readonly DependentTest[]> {
  const { setting, checkout, tree, run } = request;
  const files = filesOf(failed);
  const found: DependentTest[] = [];
  for (const what of new Set(reads.map((read) => read.what))) {
    if (what === "order" || what === "files") continue;
    const other = { differs: differencesOf([what]), shuffle: false };
    const ran =
      what === "folder"
        ? await inCheckout(setting, { files: tree, isElsewhere: true }, (place) => run(place, files, other))
        : await run(checkout, files, other);
    found.push(...dependentOn(what, failedIn(ran, failed) ?? [], reads));
  }
  return found;
}

function dependentOn(
  what: Surround,
  ids: readonly string[],
  reads: readonly ChangedRead[],
): readonly DependentTest[] {
  const read = reads.find((one) => one.what === what);
  return read === undefined ? [] : ids.map((id) => ({ id, what, read }));
}

/** Those of these tests that pass again in the first surrounding, with all files: chance is not the cause. */
async function stillPassing(
  { checkout, required, run }: SurroundingRequest,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { suite } = await run(checkout, filesOf(required), plain);
  const now = statusOf(suite);
  return new Set(ids.filter((id) => now.get(id) === "passed"));
}

/** Null without a report, and where a test never ran: what stopped the run was perhaps the difference itself. */
function failedIn({ suite }: { readonly suite: Suite }, ids: readonly string[]): readonly string[] | null {
  if (suite.environment !== null || !suite.report.report) return null;
  const now = statusOf(suite);
  return ids.every((id) => now.has(id)) ? ids.filter((id) => now.get(id) !== "passed") : null;
}

function filesOf(ids: readonly string[]): readonly string[] {
  return [...new Set(ids.map(fileOfTest))];
}
