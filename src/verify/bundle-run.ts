/** Writes the evidence of a run as a bundle (PRV-14). */
import { derOf, type BundleParts } from "../evidence/bundle/bundle.ts";
import { listed, type Statement } from "../evidence/bundle/statement.ts";
import { openEnvelope } from "../evidence/chain.ts";
import { gateCommand } from "../evidence/gate-command.ts";
import type { EvidenceRecord } from "../evidence/record.ts";
import type { FamilyRun } from "../family/family.ts";
import { resultOf } from "../log/run-view.ts";
import { plannedBefore, viewBefore } from "./replay-run.ts";
import { commitWithTree, statedSettings, storedEvidence } from "./bundle-parts.ts";

/** The run must be verified before: a broken chain cannot be bundled. */
export async function bundleOfRun(context: FamilyRun): Promise<BundleParts> {
  const { session, payloads, repository, run, started, settings } = context;
  const { view } = session;
  const { records, envelopes, outputs } = await storedEvidence(payloads, view.records);
  const place = (commit: string) => commitWithTree(repository, commit);
  const head = headOf(records, resultOf(view));
  const statement: Statement = {
    version: 1,
    run,
    made: "run",
    base: await place(started.base),
    red: view.head.red === null ? null : await place(view.head.red),
    head: head === null ? null : await place(head),
    required: [...requiredAt(records, head)],
    accepted: [...view.acceptedTests],
    criteria: null,
    planned: await plannedOf(context, records),
    settings: statedSettings(settings),
    records: view.records.map(listed),
    completed: view.phases.map(({ phase, record }) => ({ phase, record })),
    reserved: Object.values(view.reserved),
    ...(await signersOf(context, envelopes)),
    shown: Object.values(view.asks).flatMap(({ shown, text }) => {
      const record = view.records.find(({ ref }) => ref === shown["record"]);
      return record === undefined ? [] : [{ record: record.id, text }];
    }),
  };
  return { statement, envelopes, payloads: outputs };
}

/** Absent if the key that signs the bundle signed all records, as in a local store. */
async function signersOf(
  { session: { ports } }: FamilyRun,
  envelopes: readonly unknown[],
): Promise<Pick<Statement, "signers">> {
  const [own, trusted] = [await ports.key(), await ports.trusted()];
  const keys = envelopes.flatMap((envelope) => {
    const opened = openEnvelope(envelope, trusted);
    return opened.type === "record" ? [opened.signer.key] : [];
  });
  if (keys.every((key) => key === own.id)) return {};
  const signers = [...new Set(keys)].map((key) => trusted.find(key));
  return {
    signers: signers.flatMap((found) =>
      found.type === "trusted" ? [{ worker: found.signer.worker ?? "", key: derOf(found.publicKey) }] : [],
    ),
  };
}

/** The result, or the last commit with a passed record. */
function headOf(records: readonly EvidenceRecord[], result: string | null): string | null {
  const proved = records.flatMap(({ commit, verdict }) =>
    commit !== null && verdict === "pass" ? [commit] : [],
  );
  return result !== null && proved.includes(result) ? result : (proved.at(-1) ?? null);
}

/** What the last passed record of a commit requires. */
function requiredAt(records: readonly EvidenceRecord[], head: string | null): readonly string[] {
  return records.findLast(({ commit, verdict }) => commit === head && verdict === "pass")?.required ?? [];
}

/** The files that each RED may have stubbed: as its replay does, with an architecture or without one. */
async function plannedOf(
  context: FamilyRun,
  records: readonly EvidenceRecord[],
): Promise<Statement["planned"]> {
  const { session } = context;
  const planned: Record<string, string[][]> = {};
  for (const [index, record] of records.entries()) {
    const written = session.view.records[index];
    if (gateCommand(record)?.name !== "red" || written === undefined) continue;
    const past = await viewBefore(context, written.seq);
    planned[record.id] = (await plannedBefore(context, past)).map((files) => [...files]);
  }
  return planned;
}
