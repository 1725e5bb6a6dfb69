/**
 * `mettle verify --bundle --replay`: executes the proofs of a bundle again. The verdicts must be the same, byte for byte but for
 * times and paths.
 */
import type { Statement } from "../evidence/bundle/statement.ts";
import { gateCommand } from "../evidence/gate-command.ts";
import type { EvidenceRecord } from "../evidence/record.ts";
import { canonicalJson, sha256 } from "../lib/hash.ts";
import { hostPorts } from "../run/proof-ports.ts";
import { differing, isReplayable, replayedText, replayProof } from "../verify/replay-proof.ts";
import type { BundleFault } from "../verify/verify-bundle.ts";
import { settingsOfBundle } from "./bundle-fault.ts";
import { judgeChange } from "./judge.ts";
import type { OpenedRepository } from "./open-for-gate.ts";
import type { GatePlace } from "./place.ts";

export interface ReplayRequest {
  readonly place: GatePlace;
  readonly opened: OpenedRepository;
  readonly statement: Statement;
  readonly records: readonly EvidenceRecord[];
  readonly signal: AbortSignal;
  readonly progress?: (what: string) => void;
}

export type Replayed =
  | { readonly type: "same"; readonly lines: readonly string[]; readonly verdict: string }
  | { readonly type: "other"; readonly fault: BundleFault };

export function replayBundle(request: ReplayRequest): Promise<Replayed> {
  return request.statement.made === "run" ? replayRunBundle(request) : replayGate(request);
}

/** Runs the same command on the same commits. */
async function replayGate({
  opened,
  statement,
  records,
  signal,
  progress,
}: ReplayRequest): Promise<Replayed> {
  const { made, base, head, red, criteria, accepted, planned } = statement;
  if (made === "run" || head === null) throw new TypeError("a gate has a head");
  const judged = await judgeChange(opened, {
    gate: made,
    base: base.commit,
    head: head.commit,
    red: made === "green" || made === "final" ? (red?.commit ?? null) : null,
    criteria: null,
    planned: Object.values(planned)[0]?.[0] ?? [],
    accepted,
    characterize: records.at(-1)?.argv.includes("--characterize") === true,
    given: {
      settings: settingsOfBundle(statement),
      criteria,
      hasCharacterized: records.at(-1)?.controls["characterized"] !== undefined,
    },
    signal,
    ...(progress === undefined ? {} : { progress }),
  });
  return compared(records.filter(isGate), judged.records.filter(isGate));
}

function isGate(record: EvidenceRecord): boolean {
  return gateCommand(record) !== null;
}

/** Compares the verdicts of gates, in their order. */
function compared(recorded: readonly EvidenceRecord[], replayed: readonly EvidenceRecord[]): Replayed {
  for (const [at, record] of recorded.entries()) {
    const again = replayed[at];
    const [was, is] = [comparable(record), again === undefined ? {} : comparable(again)];
    const field = Object.keys(was).find((name) => canonicalJson(was[name]) !== canonicalJson(is[name]));
    if (field === undefined) continue;
    const doubt = again?.verdict === "inconclusive" && record.verdict !== "inconclusive";
    const why = doubt
      ? `${record.id} could not be replayed: ${again.reasons.join("; ")}`
      : `replayed differently: ${record.id} (${record.purpose}) recorded ${field} ${canonicalJson(was[field])}, now ${canonicalJson(is[field] ?? null)}`;
    const { id, phase } = record;
    return { type: "other", fault: { verdict: doubt ? "inconclusive" : "fail", why, record: id, phase } };
  }
  return {
    type: "same",
    lines: recorded.map(replayedText),
    verdict: sha256(canonicalJson(recorded.map(comparable))),
  };
}

/** The verdict of a record without times and paths: of two honest replays, the bytes are equal. */
export function comparable(record: EvidenceRecord): Readonly<Record<string, unknown>> {
  const { purpose, argv, commit, tree, hashes, runner, exitCode, verdict, required, controls } = record;
  const plain = (text: string) => withoutTimesAndPaths(text, record.cwd);
  // How many neighbouring inputs and mutants have a result depends on the time; a replay tries no mutants.
  const {
    mutants,
    mutants_by_file: _byFile,
    characterized: _characterized,
    special_case: _tried,
    ...decisive
  } = controls;
  return {
    purpose,
    argv,
    commit,
    tree,
    hashes,
    runner: runner === null ? null : { name: runner.name, version: runner.version },
    exitCode,
    verdict,
    required,
    controls: decisive,
    reasons: record.reasons.map(plain),
    output: mutants === undefined ? record.lastLines.map(plain) : [],
    tests: record.tests.map(({ id, status, kind }) => ({ id, status, kind })).toSorted(byId),
  };
}

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1;
}

/** `12.5 ms`, `3s` and points in time, and the folder in which it ran. */
function withoutTimesAndPaths(text: string, folder: string): string {
  return text
    .replaceAll(folder, "<folder>")
    .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/gu, "<time>")
    .replaceAll(/\b\d+(?:\.\d+)?\s?m?s\b/gu, "<time>");
}

/** Makes each proof of the run again; documents are in no commit. */
async function replayRunBundle({
  place,
  statement,
  records,
  signal,
  progress,
}: ReplayRequest): Promise<Replayed> {
  const settings = settingsOfBundle(statement);
  const ports = hostPorts(place, { settings, signal, progress });
  const common = { ports, cache: place.cache, settings, base: statement.base.commit };
  const replayed = records.filter(
    ({ purpose, verdict }) => isReplayable(purpose) && verdict !== "inconclusive",
  );
  for (const record of replayed) {
    const planned = statement.planned[record.id] ?? [];
    // A person may have accepted tests after a gate failed.
    const accepted = record.verdict === "pass" ? statement.accepted : [];
    const proof = await replayProof({ record, planned, common, accepted });
    const { id, phase } = record;
    const fault = (verdict: BundleFault["verdict"], why: string): Replayed => ({
      type: "other",
      fault: { verdict, why, record: id, phase },
    });
    if (proof === null || proof.verdict.verdict === "inconclusive")
      return fault("inconclusive", `${id} could not be replayed`);
    const tests = differing(record, proof.tests);
    if (tests.length > 0) return fault("fail", `replayed differently: ${id}: ${tests.join(", ")}`);
    // A gate of a run refuses more than its replay judges, such as a second file in one iteration.
    if (record.verdict === "pass" && proof.verdict.verdict !== "pass")
      return fault("fail", `replayed differently: ${id}: ${proof.verdict.verdict}, recorded pass`);
  }
  const nothing = { verdict: "inconclusive", why: "the bundle has no proof to replay" } as const;
  if (replayed.length === 0) return { type: "other", fault: { ...nothing, record: null, phase: null } };
  return {
    type: "same",
    lines: replayed.map(replayedText),
    verdict: sha256(canonicalJson(replayed.map(comparable))),
  };
}
