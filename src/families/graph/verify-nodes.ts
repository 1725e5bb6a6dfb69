/** Verifies the nodes of a graph against the repository, and lists the records of each (V3-44). */
import type { EvidenceRecord } from "../../evidence/record.ts";
import { hashFiles } from "../../git/objects/contents.ts";
import { readRef } from "../../git/refs.ts";
import { rootMerge } from "../../log/nodes.ts";
import { resultBranch } from "../../run/branches.ts";
import type { NodeRecords, OwnEvidence } from "../../family/own-evidence.ts";
import type { RunContext } from "../../run/context.ts";

export async function verifyNodes(
  context: RunContext,
  records: readonly EvidenceRecord[],
): Promise<OwnEvidence> {
  const why = await nodeFault(context);
  const nodes = recordsByNode(records);
  return { fault: why === null ? null : { why, record: null }, ...(nodes.length === 0 ? {} : { nodes }) };
}

/** The first difference from what a gate locked; null if there is none. */
async function nodeFault(context: RunContext): Promise<string | null> {
  const { repository, session, run } = context;
  const { nodes } = session.view;
  const root = rootMerge(nodes);
  const locks = Object.values(nodes).flatMap(({ node, locked }) =>
    locked === null ? [] : [{ node, commit: locked.commit, files: locked.files }],
  );
  const merges = Object.values(nodes).flatMap(({ merged }) =>
    merged.map(({ child, commit, files }) => ({ node: child, commit, files })),
  );
  for (const { node, commit, files } of [...locks, ...merges]) {
    const now = await hashFiles(repository, { commit, paths: Object.keys(files) });
    const changed = Object.keys(files).find((path) => now[path] !== files[path]);
    if (changed !== undefined) return `${node}: ${changed} of commit ${commit} is not as it was locked`;
  }
  if (root === null || session.view.ended?.outcome !== "complete") return null;
  const result = await readRef(repository, resultBranch(run));
  return result === null || result === root.commit
    ? null
    : `the result branch holds ${result}, and ${root.commit} was proved`;
}

/** The records of each node, in the order of its first record. */
function recordsByNode(records: readonly EvidenceRecord[]): readonly NodeRecords[] {
  const found = new Map<string, EvidenceRecord[]>();
  for (const record of records) {
    const { node } = record.controls;
    if (node !== undefined) found.set(node, [...(found.get(node) ?? []), record]);
  }
  return [...found].map(([node, own]) => ({
    node,
    records: own.map(({ id, purpose, verdict }) => ({ id, purpose, verdict })),
  }));
}
