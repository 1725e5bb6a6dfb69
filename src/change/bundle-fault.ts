/**
 * Checks the bundle of a gate by what only its two commits show: the settings, the composed RED, the frozen test files, and that
 * a change "without anything to prove" is one.
 */
import { defaultSettings, Settings } from "../config/settings.ts";
import type { Statement } from "../evidence/bundle/statement.ts";
import type { EvidenceRecord } from "../evidence/record.ts";
import { fileOfTest } from "../evidence/test-ids.ts";
import { changedPaths } from "../git/objects/tree.ts";
import type { Repository } from "../git/repository.ts";
import { canonicalJson } from "../lib/hash.ts";
import { issuesText } from "../lib/plain-issues.ts";
import { behaviourOf } from "../proof/change-proof.ts";
import { composeRed } from "../proof/composed-red.ts";
import { projectAt, type Project } from "../proof/project/project.ts";
import { kindOf } from "../source/paths.ts";
import { bundleInvalid } from "../evidence/bundle/bundle.ts";
import { statedSettings } from "../verify/bundle-parts.ts";
import { commitFault, frozenFault } from "../verify/against-commits.ts";
import type { BundleFault } from "../verify/verify-bundle.ts";
import { committedSettings } from "./settings.ts";

/** The settings that a bundle states, and the defaults for everything else. @throws bundle_invalid */
export function settingsOfBundle({ settings }: Statement): Settings {
  const named = Object.entries(settings).filter(([, value]) => value !== null && value !== undefined);
  const parsed = Settings.safeParse({ ...defaultSettings(), ...Object.fromEntries(named) });
  if (!parsed.success) throw bundleInvalid(`the settings of the bundle: ${issuesText(parsed.error)}`);
  return parsed.data;
}

/** @param repository a store that may be written to: the composed RED is made again */
export async function gateFault(
  repository: Repository,
  statement: Statement,
  records: readonly EvidenceRecord[],
): Promise<BundleFault | null> {
  if (statement.made === "run" || statement.head === null) return null;
  const [base, head] = [
    await projectAt(repository, statement.base.commit),
    await projectAt(repository, statement.head.commit),
  ];
  const settings = settingsOfBundle(statement);
  return (
    (await settingsFault(statement, { base, head })) ??
    (await emptyFault(repository, settings, { base, head, records })) ??
    (await composedFault(repository, settings, { base, head, statement, records })) ??
    unfrozenFault(settings, { head, records })
  );
}

function fault(why: string, record: EvidenceRecord | null = null): BundleFault {
  return record === null
    ? { verdict: "fail", why, record: null, phase: null }
    : { verdict: "fail", why: `record ${record.id}: ${why}`, record: record.id, phase: record.phase };
}

/** Bundles of older versions knew source by its folders alone. */
function likeIts(stated: Settings, own: Settings): Settings {
  const { rest: _rest, ...folders } = own.paths;
  return stated.paths.rest === undefined ? { ...own, paths: folders } : own;
}

interface BothCommits {
  readonly base: Project;
  readonly head: Project;
}

async function settingsFault(statement: Statement, both: BothCommits): Promise<BundleFault | null> {
  const bundled = settingsOfBundle(statement);
  const stated = statedSettings(bundled);
  const own = statedSettings(likeIts(bundled, await committedSettings(both)));
  const key = (["paths", "tests", "runner", "packages", "proof"] as const).find(
    (name) =>
      // Bundles of older versions do not state the controls.
      (name !== "proof" || statement.settings.proof !== undefined) &&
      canonicalJson(stated[name] ?? null) !== canonicalJson(own[name] ?? null),
  );
  return key === undefined
    ? null
    : fault(
        `its setting \`${key}\` is not that of commit ${both.base.commit}; commit mettle.yaml before the change, and prove it again`,
      );
}

/** A proof without halves says that the program and its tests did not change. */
async function emptyFault(
  repository: Repository,
  settings: Settings,
  { base, head, records }: BothCommits & { readonly records: readonly EvidenceRecord[] },
): Promise<BundleFault | null> {
  const own = records.at(-1);
  if (own?.purpose !== "prove" || own.verdict !== "pass") return null;
  if (!records.some(({ purpose }) => purpose === "prove.tests")) return null;
  const changed = (await changedPaths(repository, { from: base.commit, to: head.commit })).map(
    ({ path }) => path,
  );
  const [path] = await behaviourOf({ settings }, { base, head, changed });
  return path === undefined ? null : fault(`it says that nothing had to be proved, and ${path} changed`, own);
}

/** RED of `prove` is the base with head's tests: the same two commits give the same composed commit. */
async function composedFault(
  repository: Repository,
  settings: Settings,
  {
    base,
    head,
    statement,
    records,
  }: BothCommits & { readonly statement: Statement; readonly records: readonly EvidenceRecord[] },
): Promise<BundleFault | null> {
  if (statement.made !== "prove" || statement.red === null) return null;
  const composed = await composeRed({ repository, rules: settings.paths, base, head });
  const red = records.find(({ purpose }) => purpose === "red") ?? null;
  if (composed !== statement.red.commit)
    return fault(`its RED is commit ${statement.red.commit}; base with head's tests is ${composed}`, red);
  for (const record of records.filter(({ commit }) => commit === composed)) {
    const wrong = (await commitFault(repository, record)) ?? (await frozenFault(repository, record));
    if (wrong !== null) return { ...fault(wrong.why, record), verdict: wrong.verdict };
  }
  return null;
}

/** The file of each required test is frozen. */
function unfrozenFault(
  { paths }: Settings,
  { head, records }: { readonly head: Project; readonly records: readonly EvidenceRecord[] },
): BundleFault | null {
  for (const record of records) {
    const frozen = record.hashes.protected;
    if (!["red", "green"].includes(record.purpose) || record.verdict !== "pass") continue;
    const free = record.required
      .map(fileOfTest)
      .find((path) => head.files.has(path) && kindOf(path, paths) === "test" && frozen?.[path] === undefined);
    if (free !== undefined) return fault(`it did not freeze ${free}, which has required tests`, record);
  }
  return null;
}
