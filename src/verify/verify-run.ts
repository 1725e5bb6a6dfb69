/** `mettle verify`: checks the record chain against its signatures, the journal and the repository. */
import { verifyChain, type ChainResult } from "../evidence/chain.ts";
import { overclaimOf } from "../evidence/overclaim/overclaim.ts";
import type { EvidenceRecord } from "../evidence/record.ts";
import { signedRecords, type SignedRecord } from "../evidence/trusted-keys.ts";
import { hashFiles } from "../git/objects/contents.ts";
import { unprovenPhases } from "../views/gate/claims.ts";
import type { RunContext } from "../run/context.ts";
import { laterCommit } from "../run/later-commit.ts";
import type { FamilyRun } from "../family/family.ts";
import type { OwnEvidence } from "../family/own-evidence.ts";
import { commitFault, frozenFault } from "./against-commits.ts";
import { brokenLink } from "./verify-links.ts";
import { trailerFault } from "./verify-trailers.ts";
import { storedText } from "../run/stored-text.ts";
import { shownFault, storeFault } from "./verify-store.ts";

export interface RunVerification {
  readonly verdict: "pass" | "fail" | "inconclusive";
  readonly why: string;
  /** Id of the first broken record, and its phase. */
  readonly record: string | null;
  readonly phase: string | null;
  readonly records: number;
  /** The worker of each record; absent in a local store, and where a record is broken before. */
  readonly signed?: readonly SignedRecord[];
  readonly nodes?: OwnEvidence["nodes"];
  /** What was executed again with the same results; absent without `--replay`. */
  readonly replayed?: readonly string[];
}

/** Printed with every answer: records cannot prove these. */
export function uncheckedIn({ store }: Pick<RunContext["home"], "store">): readonly string[] {
  const isLocal = store.kind === "local";
  return [
    isLocal
      ? "that this machine and its clock were honest when the records were made"
      : "that the machines of the workers and their clocks were honest when the records were made",
    "that the tests mean what you wanted",
    isLocal
      ? "who could reach the signing key: no sandbox keeps the tests that agents wrote from it"
      : "who could reach a signing key, or write to the register: no sandbox keeps the tests that agents wrote from a worker's key",
  ];
}

export async function verifyRun(context: FamilyRun): Promise<RunVerification> {
  const { view, protocol } = context.session;
  const link = brokenLink(view, protocol);
  if (link) return { verdict: "fail", ...link, records: view.records.length };
  const chain = await readChain(context);
  if (chain.type === "broken") {
    const { why, record, phase, place } = chain;
    return { verdict: "fail", why: `record ${record ?? place}: ${why}`, record, phase, records: place };
  }
  const { signed: more = [], ...rest } = await verifyRecords(context, chain.records);
  const signed = [...signedRecords(chain.records, chain.signers), ...more];
  return signed.length === 0 ? rest : { ...rest, signed };
}

/** @returns `signed` only for records outside of the run's chain */
async function verifyRecords(context: FamilyRun, chain: readonly EvidenceRecord[]): Promise<RunVerification> {
  const claim = overclaimOf(chain);
  if (claim !== null) {
    const { record, why } = claim;
    const found = { record: record.id, phase: record.phase, records: chain.length };
    return { verdict: "fail", why: `record ${record.id}: ${why}`, ...found };
  }
  for (const record of chain) {
    const fault = await faultOf(context, record);
    if (fault) return { ...fault, record: record.id, phase: record.phase, records: chain.length };
  }
  const { fault, more = 0, nodes, signed = [] } = await context.family.verify(context, chain);
  const records = chain.length + more;
  if (fault !== null) return { verdict: "fail", ...fault, phase: null, records, signed };
  const later = await laterFault(context);
  if (later !== null) return { verdict: "fail", ...later, record: null, records, signed };
  const trailer = await trailerFault(context);
  if (trailer !== null) return { verdict: "fail", ...trailer, phase: null, records, signed };
  const shown = await shownFault(context);
  const base = {
    record: shown?.record ?? null,
    phase: null,
    records,
    signed,
    ...(nodes === undefined ? {} : { nodes }),
  };
  return shown
    ? { ...base, verdict: "fail", why: `record ${shown.record}: ${shown.why}` }
    : { ...base, verdict: "pass", why: "" };
}

/** A record proves only its own tree: later commits have no proof (CORE-44). */
async function laterFault({
  repository,
  session,
}: RunContext): Promise<Pick<RunVerification, "why" | "phase"> | null> {
  const { view } = session;
  const later = await laterCommit(repository, view);
  if (later === null) return null;
  const why = `${later.branch} holds commit ${later.commit}, on which no gate has run`;
  return { why, phase: unprovenPhases(view, later)[0] ?? null };
}

async function readChain(context: RunContext): Promise<ChainResult> {
  const { view, ports } = context.session;
  const envelopes: unknown[] = [];
  for (const [index, { envelope, id, phase }] of view.records.entries()) {
    const text = await storedText(context, envelope);
    if (text === null) {
      const why = "its envelope is gone or was changed";
      return { type: "broken", place: index + 1, record: id, phase, code: "missing", why };
    }
    envelopes.push(JSON.parse(text));
  }
  const facts = {
    run: context.run,
    written: view.records,
    completed: view.phases,
    reserved: Object.values(view.reserved),
  };
  return verifyChain(envelopes, await ports.trusted(), facts);
}

type Fault = Pick<RunVerification, "verdict" | "why">;

async function faultOf(context: RunContext, record: EvidenceRecord): Promise<Fault | null> {
  const stored = await storeFault(context, record);
  if (stored !== null) return { verdict: "fail", why: `record ${record.id}: ${stored}` };
  return againstRepository(context, record);
}

/** Checks that the commit exists with the recorded tree, and that later commits keep RED's frozen files. */
async function againstRepository(
  { repository, session }: RunContext,
  record: EvidenceRecord,
): Promise<Fault | null> {
  const { commit, purpose } = record;
  const wrong = (await commitFault(repository, record)) ?? (await frozenFault(repository, record));
  if (wrong !== null) return { ...wrong, why: `record ${record.id}: ${wrong.why}` };
  const { frozen, head } = session.view;
  // Tests refactored after GREEN are frozen again; only later commits must keep them.
  const held = frozen?.commit === head.red ? head.green : head.branch;
  if (!frozen || record.verdict !== "pass" || !["green", "final"].includes(purpose)) return null;
  if (commit === null || commit !== held) return null;
  const now = await hashFiles(repository, { commit, paths: Object.keys(frozen.files) });
  const changed = Object.keys(frozen.files).find((path) => now[path] !== frozen.files[path]);
  return changed === undefined
    ? null
    : { verdict: "fail", why: `record ${record.id}: ${changed} is not as RED froze it` };
}
