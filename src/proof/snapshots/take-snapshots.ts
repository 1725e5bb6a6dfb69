/**
 * Takes the snapshots that the required tests lack at GREEN (PRV-22): their runner writes them in a checkout of their own. The
 * judged run, another process, compares with them like with any stored snapshot.
 */
import { join } from "node:path";
import { addedEntries } from "../../gates/suite/snapshot-entries.ts";
import { hasTitle, snapshotFile, unstoredSnapshots } from "../../gates/suite/stored-snapshots.ts";
import type { TakenSnapshot } from "../../gates/suite/taken-snapshots.ts";
import { fileOfTest } from "../../evidence/test-ids.ts";
import type { Runner } from "../../evidence/runner.ts";
import { sha256 } from "../../lib/hash.ts";
import { readPlainFile } from "../../lib/plain-file.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { ProofSetting } from "../proof-package.ts";
import type { Project } from "../project/project.ts";
import { writeBlob, type TreeFile } from "../../git/objects/tree.ts";
import type { Repository } from "../../git/repository.ts";
import { inCheckout, owns, type SuiteRun } from "../setting.ts";

export interface TakeRequest {
  readonly setting: ProofSetting;
  /** The commit of the tests. */
  readonly red: Project;
  /** The judged tree, without the snapshots. */
  readonly tree: readonly TreeFile[];
  readonly required: readonly string[];
  /** Runs test files in a checkout, with runners of this setting. */
  run(setting: ProofSetting, checkout: Checkout, files: readonly string[]): Promise<SuiteRun>;
}

/** Whether GREEN takes the snapshots of a test file. */
export function takesSnapshotsOf({ ports, packages }: ProofSetting, path: string): boolean {
  if (ports.controls?.snapshots !== "taken_at_green") return false;
  return packages.some((one) => owns(one, path) && one.found.runner.newSnapshots !== undefined);
}

/** A person has to read it. */
const maxSnapshotBytes = 1024 * 1024;

/** A file whose stored snapshots would change is left out: the judged run then fails on it. */
export async function takeSnapshots(request: TakeRequest): Promise<readonly TakenSnapshot[]> {
  const { setting, red, tree, required, run } = request;
  const files = [...new Set(required.map(fileOfTest))].filter((path) => takesSnapshotsOf(setting, path));
  if (files.length === 0) return [];
  const stored = await red.texts(files.map(snapshotFile));
  const lacking = [...(await red.texts(files))].flatMap(([path, text]) => {
    const found = unstoredSnapshots({ path, text }, stored.get(snapshotFile(path)) ?? "", () => true);
    const isOwn = ({ where, what }: (typeof found)[number]) =>
      where === "beside" && required.some((id) => fileOfTest(id) === path && hasTitle(id, what));
    return found.some(isOwn) ? [path] : [];
  });
  if (lacking.length === 0) return [];
  return inCheckout(setting, { files: tree }, async (checkout) => {
    await run(writing(setting), checkout, lacking);
    const taken = lacking.map(async (file) => {
      const path = snapshotFile(file);
      const text = await readPlainFile(join(checkout.path, path), maxSnapshotBytes);
      const entries = text === null ? null : addedEntries(stored.get(path) ?? "", text);
      if (text === null || entries === null || entries.length === 0) return [];
      return [{ path, text, hash: sha256(text), entries }];
    });
    return (await Promise.all(taken)).flat();
  });
}

/** The tree with the taken snapshots. */
export async function withSnapshots(
  repository: Repository,
  tree: readonly TreeFile[],
  taken: readonly TakenSnapshot[],
): Promise<readonly TreeFile[]> {
  if (taken.length === 0) return tree;
  const paths = new Set(taken.map(({ path }) => path));
  const added = taken.map(async ({ path, text }) => ({
    path,
    mode: "100644",
    blob: await writeBlob(repository, text),
  }));
  return [...tree.filter(({ path }) => !paths.has(path)), ...(await Promise.all(added))];
}

/** The setting with runners that write new snapshots. */
function writing(setting: ProofSetting): ProofSetting {
  const packages = setting.packages.map((one) => ({
    ...one,
    found: { ...one.found, runner: writingRunner(one.found.runner) },
  }));
  return { ...setting, packages };
}

function writingRunner(runner: Runner): Runner {
  const { newSnapshots } = runner;
  if (newSnapshots === undefined) return runner;
  return {
    ...runner,
    env: { ...runner.env, ...newSnapshots.env },
    argv: (request) => newSnapshots.argv(runner.argv(request)),
  };
}
