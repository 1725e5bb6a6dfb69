/**
 * Runs the required tests of GREEN a second time in another surrounding (PRV-17), where the changed source reads any: another
 * folder, time zone, date, variables and order. What differs alone decides whether the surrounding is the cause: the test
 * must fail again with this difference and pass again without it.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileOfTest } from "../../evidence/test-ids.ts";
import type { ChangedRead, DependentTest, Surrounding } from "../../gates/suite/surrounding.ts";
import { statusOf, type Suite } from "../../gates/suite/suite.ts";
import type { TreeFile } from "../../git/objects/tree.ts";
import { readPlainFile } from "../../lib/plain-file.ts";
import { lastTest } from "../../source/last-test.ts";
import { surroundingReads, type Surround } from "../../source/surrounding-reads.ts";
import { loadParser } from "../../source/syntax.ts";
import { copyingRunners } from "../canary/control-copies.ts";
import { filesChanged, type Checkout } from "../checkout/checkout.ts";
import type { ProofSetting } from "../proof-package.ts";
import { inCheckout, owns, type SuiteRun } from "../setting.ts";
import { differencesOf, type Differences } from "./differences.ts";

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
  if (reads.length === 0) return notMeasured("the change reads nothing of its surrounding");
  const packages = setting.packages.filter(({ found }) => copyingRunners.has(found.name));
  const own = required.filter((id) => packages.some((one) => owns(one, id)));
  if (own.length === 0) return notMeasured("not known for this language");
  const wanted = { ...request, required: own };
  const read = new Set(reads.map(({ what }) => what));
  const kinds = new Set<Surround>(["folder", "zone", "variables", ...read]);
  const failed = await failedElsewhere(wanted, new Set([...kinds].filter((kind) => kind !== "order")));
  const late = read.has("order") ? await failedAlone(wanted) : [];
  if (failed === null || late === null) return notMeasured("its run gave no report");
  const blamed = failed.length === 0 ? [] : await blame(wanted, failed, reads);
  const again = await stillPassing(wanted, [...failed, ...late]);
  const dependent = [...blamed, ...late.flatMap((id) => dependentOn("order", [id], reads))];
  const isBlamed = (id: string) => again.has(id) && dependent.some((one) => one.id === id);
  return {
    state: "measured",
    kinds: [...kinds],
    tests: own.length,
    dependent: dependent.filter(({ id }) => isBlamed(id)),
    unstable: [...new Set([...failed, ...late])].filter((id) => !isBlamed(id)),
  };
}

function notMeasured(why: string): Surrounding {
  return { state: "not measured", why };
}

function readsIn(changed: ReadonlyMap<string, string>): readonly ChangedRead[] {
  return [...changed].flatMap(([path, text]) =>
    (surroundingReads({ path, text }) ?? []).map((read) => ({ path, ...read })),
  );
}

/** Everything differs at once. Null without a report. */
async function failedElsewhere(
  request: SurroundingRequest,
  kinds: ReadonlySet<Surround>,
): Promise<readonly string[] | null> {
  const { setting, tree, required, run } = request;
  return inCheckout(setting, { files: tree, isElsewhere: true }, async (checkout) => {
    const other = { differs: differencesOf(kinds), shuffle: true };
    return failedIn(await run(checkout, filesOf(required), other), required);
  });
}

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
      const id = `${path}::${found?.name ?? ""}`;
      if (found === null || !required.includes(id)) continue;
      await writeFile(join(checkout.path, path), found.text);
      left.push(id);
    }
    if (left.length === 0) return [];
    filesChanged(checkout);
    return failedIn(await run(checkout, filesOf(left), plain), left);
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
    if (what === "order") continue;
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

/** Those of these tests that pass again in the first surrounding: chance is not the cause. */
async function stillPassing(
  { checkout, run }: SurroundingRequest,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { suite } = await run(checkout, filesOf(ids), plain);
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
