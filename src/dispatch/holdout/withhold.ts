/**
 * Withholds a share of the locked tests from an implementer (`proof.holdout`, PRV-16): journals which ones before the
 * dispatch gets its workspace and prompt. The gates run all of them.
 */
import { testsOf } from "../../gates/documents/criteria.ts";
import { commitTree } from "../../git/objects/commit.ts";
import type { FamilyRun } from "../../family/family.ts";
import type { Work } from "../../family/work.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { RunContext } from "../../run/context.ts";
import { namesOf } from "./test-name.ts";
import { reduceTree } from "./reduced-tree.ts";

export async function withholdTests(context: FamilyRun, command: DispatchCommand, work: Work): Promise<void> {
  const { family, session, settings, payloads, repository, run } = context;
  const { view } = session;
  const share = settings.proof?.holdout ?? 0;
  if (share === 0 || view.frozen === null || work.folder !== null || !isImplementer(context, command)) return;
  const { required } = view.frozen;
  const planned = await family.planned({ documents: view.documents, payloads });
  const before = Object.values(view.withheld).flatMap(({ tests }) => tests.map(({ id }) => id));
  const reduced = await reduceTree(repository, {
    commit: work.from,
    rules: settings.paths,
    required,
    share,
    seed: run,
    groups: testsOf({
      criteria: planned.requirements.map(({ id }) => id),
      tests: required,
      plan: planned.plannedTests,
    }),
    before: new Set(before),
  });
  const stated = planned.requirements
    .flatMap(({ id, text }) => [`${id}: ${text}`, `${id} ${text}`])
    .join("\n");
  // Without a parent, so that no history of the workspace holds the tests.
  const start = await commitTree(repository, {
    tree: reduced.tree,
    parents: [],
    subject: "Start of the implementation",
    trailers: { "Mettle-Run": run, "Mettle-Key": command.key },
    dateMs: Date.parse(view.commands[command.key]?.at ?? ""),
  });
  await session.record([
    {
      type: "tests.withheld",
      key: command.key,
      share,
      commit: work.from,
      reduced: start,
      tests: [...reduced.tests].map(([id, criterion]) => ({ id, criterion })),
      files: [...reduced.files],
      gone: [...reduced.gone],
      stated: [...reduced.tests.keys()].flatMap(namesOf).filter((name) => stated.includes(name)),
      shown: [...reduced.shown].map(([id, why]) => ({ id, why })),
    },
  ]);
}

/** A role that writes source, also where it only reviews. */
function isImplementer({ protocol }: RunContext, { role, writes }: DispatchCommand): boolean {
  return writes === "source" || protocol.roles[role]?.writes === "source";
}
