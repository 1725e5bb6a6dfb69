/** Combines the RED and the GREEN half of a change that has no RED commit of its own, and adds its extra checks. Pure. */
import { fileOfTest } from "../../evidence/test-ids.ts";
import { union } from "../../lib/lists.ts";
import { failed, shortList, passed, unclear } from "../check.ts";
import type { Suite } from "./suite.ts";
import type { Check, Finding } from "../verdict.ts";

export interface Half {
  readonly name: "red" | "green";
  readonly checks: readonly Check[];
  readonly findings: readonly Finding[];
}

/** The checks of both halves, prefixed with the half's name. */
export function halves(parts: readonly Half[]): readonly Check[] {
  return parts.flatMap(({ name, checks }) =>
    checks.map((check) => ({ ...check, name: `${name}.${check.name}` })),
  );
}

/** Unique findings, without those that do not apply to a change. */
export function findingsOf(parts: readonly Half[]): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const finding of parts.flatMap(({ findings }) => findings))
    if (!inapplicable.has(finding.code)) found.set(`${finding.code} ${finding.message}`, finding);
  return [...found.values()];
}

/** Findings about attempts and criteria, which only protocols have. */
const inapplicable: ReadonlySet<string> = new Set(["files_changed", "criteria", "stubbed"]);

export function noTestChanged(changed: readonly string[]): Check {
  return failed(
    "not_empty",
    `no test of this change fails without it: it changes ${shortList(changed, 3)} and no test. Add a test that fails on the base and passes with the change; if no behaviour should change, use \`mettle gate refactor\``,
  );
}

/** Fails on new tests in files that could not be put on the base: they are not shown to fail there. */
export function checkShown(
  green: Suite,
  { base, red }: { readonly base: Suite; readonly red: Suite },
): Check {
  const known = new Set([...base.report.tests, ...red.report.tests].map(({ id }) => id));
  const files = new Set([
    ...red.report.tests.map(({ id }) => fileOfTest(id)),
    ...red.report.loadErrors.map(({ file }) => file),
    ...red.report.problems.flatMap(({ file }) => file ?? []),
  ]);
  const unshown = green.report.tests
    .map(({ id }) => id)
    .filter((id) => !known.has(id) && !files.has(fileOfTest(id)));
  if (unshown.length === 0) return passed("shown");
  return unclear(
    "shown",
    `these tests could not be put on the base, so nothing shows that they fail without the change: ${shortList(unshown)}; tests in separate files can be`,
  );
}

/** For a change of documentation or formatting only: every test must have the same result as before. */
export function checkUnchanged(before: Suite, after: Suite): Check {
  const status = ({ report }: Suite) => new Map(report.tests.map((test) => [test.id, test.status]));
  const [old, now] = [status(before), status(after)];
  const wavering = new Set(before.wavering);
  const other = union([...old.keys()], [...now.keys()]).filter(
    (id) => old.get(id) !== now.get(id) && !wavering.has(id),
  );
  const failing = after.report.tests.filter((test) => test.status === "failed" || test.status === "pending");
  if (other.length > 0)
    return failed(
      "unchanged",
      `the program did not change, but these tests have a different result: ${shortList(other)}`,
      other,
    );
  if (failing.length === 0) return passed("unchanged");
  const ids = failing.map(({ id }) => id);
  return unclear(
    "unchanged",
    `the suite is unchanged and not green: ${shortList(ids)} ${ids.length === 1 ? "fails" : "fail"} on the base too`,
  );
}
