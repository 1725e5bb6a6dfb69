/**
 * A refactoring of source and tests, each in commits of its own: the new tests pass on the old source, and the old tests on
 * the new source (CORE-33).
 */
import { failed, passed, shortList, unclear } from "../../gates/check.ts";
import { hasResult, idsWith, type Suite } from "../../gates/suite/suite.ts";
import { oldTextChecks, oldTextFindings } from "../../gates/red/old-text.ts";
import type { Check, Finding } from "../../gates/verdict.ts";
import { changedPaths } from "../../git/objects/tree.ts";
import { ownCommits } from "../../git/replay.ts";
import { shortCommit } from "../../lib/short-commit.ts";
import { isOfTests, outsideSource, outsideTests, type PathRules } from "../../source/paths.ts";
import { baselineOf } from "../base/baseline.ts";
import type { RecordDraft } from "../draft.ts";
import { listTests } from "../execute/list-tests.ts";
import { runOldTexts } from "../old-texts.ts";
import type { ProofPorts } from "../ports.ts";
import { compose, type Project } from "../project/project.ts";
import type { ProofSetting } from "../proof-package.ts";
import { inCheckout, runHashes, runTests } from "../setting.ts";

interface Both {
  readonly setting: ProofSetting;
  readonly head: Project;
  /** Paths that differ between base and head. */
  readonly changed: readonly string[];
  readonly accepted: readonly string[];
  readonly accepting: string;
  readonly made: RecordDraft[];
}

export async function crossChecks(both: Both): Promise<{
  readonly checks: readonly Check[];
  readonly findings: readonly Finding[];
}> {
  const { setting, head, changed, accepted, accepting, made } = both;
  const baseline = (await baselineOf(setting)).suite;
  const tree = [...head.files.values()];
  const common = { setting, of: head, changed, accepted, made };
  const oldText = await runOldTexts({ ...common, tree, purpose: "refactor.old" });
  const facts = { baseline, oldText, accepting };
  const old = oldTextChecks(facts);
  return {
    checks: [
      ...(old.length === 0 ? [passed("old_text")] : old),
      newTests(await runOnOldSource(both), { baseline, accepted }),
    ],
    findings: oldTextFindings(facts),
  };
}

function runOnOldSource({ setting, head, made }: Both): Promise<Suite> {
  const { base, rules } = setting;
  const files = compose(base, head, (path) => isOfTests(path, rules));
  return inCheckout(setting, { files }, async (checkout) => {
    const purpose = "refactor.new";
    const listed = await listTests(setting, { project: head, checkout, purpose }, made);
    const hashes = await runHashes(setting, head, null);
    return (await runTests(setting, { checkout, ...listed, purpose, of: head, hashes }, made)).suite;
  });
}

function newTests(
  suite: Suite,
  { baseline, accepted }: { readonly baseline: Suite; readonly accepted: readonly string[] },
): Check {
  const name = "new_tests";
  const { report, environment } = suite;
  if (!hasResult(suite))
    return unclear(name, environment ?? "the new tests gave no complete, readable report on the old source");
  const known = new Set([
    ...accepted,
    ...idsWith(baseline, "failed", "pending"),
    ...baseline.report.loadErrors.map(({ file }) => file),
  ]);
  const wrong = idsWith(suite, "failed", "pending").filter((id) => !known.has(id));
  const unloaded = report.loadErrors.map(({ file }) => file).filter((file) => !known.has(file));
  if (wrong.length + unloaded.length === 0) return passed(name);
  return failed(
    name,
    `the refactored tests must pass on the source before its refactoring; these do not: ${shortList([...wrong, ...unloaded])}; a test of new behaviour belongs to RED`,
    wrong,
  );
}

/** Each commit changes either tests or source. */
export async function checkApart(
  { repository }: Pick<ProofPorts, "repository">,
  rules: PathRules,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<Check> {
  let before = base;
  for (const commit of await ownCommits(repository, { from: base, to: head })) {
    const changed = (await changedPaths(repository, { from: before, to: commit })).map(({ path }) => path);
    if (outsideSource(changed, rules).length > 0 && outsideTests(changed, rules).length > 0)
      return failed(
        "apart",
        `refactor tests and source in separate commits; ${shortCommit(commit)} changed both: ${shortList(changed)}`,
      );
    before = commit;
  }
  return before === base ? failed("apart", "nothing changed between the two commits") : passed("apart");
}
