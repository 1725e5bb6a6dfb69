/** The result of a run as the facts of an attestation: PASSED only for a complete run whose evidence holds. */
import { resultOf, type RunView } from "../../log/run-view.ts";
import { treeOf } from "../../git/objects/tree.ts";
import { readRecord } from "../../run/blocks.ts";
import type { RunContext } from "../../run/context.ts";
import type { RunVerification } from "../../verify/verify-run.ts";
import { AppError } from "../../lib/errors.ts";
import { counted } from "../../lib/counted.ts";
import { readableText } from "./readable.ts";
import { sha256Digest, type TestResultFacts } from "./in-toto.ts";

/** @param version of Mettle */
export async function testResultOfRun(
  context: RunContext,
  verification: RunVerification,
  version: string,
): Promise<TestResultFacts> {
  const { view } = context.session;
  const subject = await subjectOf(context, verification);
  const event = view.records.findLast(({ tree }) => tree === subject.tree);
  const reason = failureOf(view, verification, event?.verdict);
  const record = event === undefined || reason !== null ? null : await readRecord(context, event.id);
  const accepted = acceptedIn(view);
  const result = reason !== null ? "FAILED" : accepted.length > 0 ? "WARNED" : "PASSED";
  const idsOf = (isPassed: boolean) =>
    (record?.tests ?? [])
      .filter(({ status }) => (status === "passed") === isPassed)
      .map(({ id }) => readableText(id));
  return {
    ...subject,
    result,
    passed: idsOf(true).filter((id) => !view.acceptedTests.includes(id)),
    warned: view.acceptedTests.map((id) => readableText(id)),
    failed: [],
    configuration: {
      base: { gitCommit: context.started.base },
      ...(event === undefined ? {} : { [event.id]: sha256Digest(event.envelope) }),
    },
    note: reason === null ? accepted.join("\n") || null : readableText(reason),
    producer: `mettle ${version}`,
  };
}

/** The result of a complete run, else the newest commit that a record proves, else the base. */
async function subjectOf(
  { repository, session, started }: RunContext,
  { verdict }: RunVerification,
): Promise<Pick<TestResultFacts, "commit" | "tree">> {
  const { view } = session;
  const recorded = view.records.findLast(({ commit, tree }) => commit !== null && tree !== null);
  const commit = resultOf(view) ?? recorded?.commit ?? started.base;
  const tree = await treeOf(repository, commit).catch((error: unknown) => {
    // A commit that is gone has its tree in its record.
    if (verdict === "pass" || !(error instanceof AppError)) throw error;
    return view.records.findLast((record) => record.commit === commit)?.tree ?? null;
  });
  if (tree !== null) return { commit, tree };
  return { commit: started.base, tree: await treeOf(repository, started.base) };
}

/** Why the result is not PASSED; null if nothing speaks against it. */
function failureOf(
  view: RunView,
  { verdict, why }: RunVerification,
  recorded: RunView["records"][number]["verdict"] | undefined,
): string | null {
  if (verdict === "inconclusive") return `inconclusive: ${why}`;
  if (verdict === "fail") return why;
  const outcome = view.ended?.outcome ?? "not ended";
  if (outcome !== "complete") return `the run is not complete: ${outcome}`;
  if (recorded === undefined) return "inconclusive: no record proves the result's tree";
  return recorded === "pass" ? null : `the newest record of the result: ${recorded}`;
}

function acceptedIn({ acceptedTests, baseAccepted, warnings }: RunView): readonly string[] {
  return [
    ...(acceptedTests.length === 0
      ? []
      : [`a person accepted ${counted(acceptedTests.length, "test")} as changed`]),
    ...(baseAccepted === null
      ? []
      : [`a person accepted a base with ${counted(baseAccepted.count, "failing test")}`]),
    ...warnings.map(({ message }) => readableText(message)),
  ];
}
