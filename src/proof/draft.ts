/** The part of an evidence record that an execution knows; `run/records.ts` numbers, chains and signs it. */
import { lastLines } from "../lib/text.ts";
import { tailLines } from "../evidence/overclaim/output-rules.ts";
import { judgedRuns } from "../evidence/judged-runs.ts";
import type { EvidenceRecord } from "../evidence/record.ts";
import { canonicalJson, sha256 } from "../lib/hash.ts";
import { mask } from "../lib/mask.ts";
import type { RunResult } from "../process/run.ts";
import { verdictLines } from "../gates/check.ts";
import type { Verdict } from "../gates/verdict.ts";
import type { ProofPorts } from "./ports.ts";
import { verdictExit } from "../evidence/verdict-exit.ts";

export interface RecordDraft extends Omit<
  EvidenceRecord,
  "id" | "run" | "key" | "phase" | "inner" | "previous"
> {
  /** Indices of earlier drafts of the same list that this draft contains. */
  readonly innerDrafts: readonly number[];
}

/** A started program. */
export interface StartedProgram {
  readonly purpose: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly commit: string | null;
  readonly tree: string | null;
  /** The sandbox; default none. */
  readonly isolation?: string;
}

/** The draft for a finished program. Fields that only the caller knows are null. */
export async function draftOfRun(
  ports: ProofPorts,
  started: StartedProgram,
  ran: RunResult,
  output: string,
): Promise<RecordDraft> {
  const masked = mask(output, ports.secrets);
  return {
    ...plain(started),
    env: hashedEnv(started.env),
    isolation: started.isolation ?? "none",
    started: new Date(ran.started).toISOString(),
    ended: new Date(ran.ended).toISOString(),
    offsetMinutes: offsetAt(ran.started),
    exitCode: ran.exitCode,
    signal: ran.signal,
    timedOut: ran.timedOut,
    lastLines: [...lastLines(masked, tailLines)],
    output: await ports.payloads.put(masked),
    verdict: verdictOf(ran),
    reasons: failureReasons(ran),
  };
}

export interface GateRun {
  readonly purpose: string;
  /** Prefix of the judged runs: `<runsOf>.tests`. */
  readonly runsOf: string;
  /** `mettle gate red --base … --head …`. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly commit: string;
  readonly tree: string;
  readonly verdict: Verdict;
  /** The runs that the gate judged, in list order. */
  readonly inner: readonly RecordDraft[];
  readonly required: readonly string[];
  readonly controls: Readonly<Record<string, string>>;
  readonly hashes: RecordDraft["hashes"];
  /** Milliseconds since the epoch. */
  readonly started: number;
  readonly ended: number;
}

/** The draft for the gate itself: its output is its checks, its exit code its verdict. */
export async function draftOfGate(ports: ProofPorts, gate: GateRun): Promise<RecordDraft> {
  const { verdict, inner } = gate;
  const output = mask(`${verdictLines(verdict).join("\n")}\n`, ports.secrets);
  const judged = judgedRuns(inner, gate.runsOf);
  // Each run has its own counts; where there are several, none is the gate's.
  const only = judged.length === 1 ? judged[0] : undefined;
  return {
    ...plain({ ...gate, env: {} }),
    title: gate.argv.join(" "),
    hashes: gate.hashes,
    env: only?.env ?? hashedEnv({}),
    runner: only?.runner ?? null,
    isolation: judged[0]?.isolation ?? "none",
    started: new Date(gate.started).toISOString(),
    ended: new Date(gate.ended).toISOString(),
    offsetMinutes: offsetAt(gate.started),
    exitCode: verdictExit[verdict.verdict],
    signal: null,
    timedOut: false,
    lastLines: [...lastLines(output, tailLines)],
    output: await ports.payloads.put(output),
    tests: judged.flatMap(({ tests }) => tests),
    required: [...gate.required],
    observed: judged.flatMap(({ observed }) => observed),
    controls: { ...gate.controls },
    verdict: verdict.verdict,
    reasons: verdict.checks
      .filter((check) => check.verdict !== "pass")
      .map(({ name, reason }) => `${name}: ${reason}`),
    innerDrafts: inner.map((_draft, index) => index),
  };
}

/** Joins the drafts of several proofs and adjusts the indices of contained drafts. */
export function joinDrafts(...parts: readonly (readonly RecordDraft[])[]): readonly RecordDraft[] {
  const all: RecordDraft[] = [];
  for (const part of parts) {
    const from = all.length;
    all.push(
      ...part.map((draft) => ({ ...draft, innerDrafts: draft.innerDrafts.map((inner) => from + inner) })),
    );
  }
  return all;
}

function plain({ purpose, argv, cwd, commit, tree }: StartedProgram) {
  return {
    version: 1 as const,
    purpose,
    title: null,
    argv: [...argv],
    cwd,
    commit,
    tree,
    hashes: { protected: null, config: null, lockfile: null },
    runner: null,
    tests: [],
    required: [],
    observed: [],
    controls: {},
    innerDrafts: [],
  };
}

function hashedEnv(env: Readonly<Record<string, string>>): RecordDraft["env"] {
  return { names: Object.keys(env).toSorted(), hash: sha256(canonicalJson(env)) };
}

function verdictOf(ran: RunResult): RecordDraft["verdict"] {
  if (ran.failedToStart !== null || ran.timedOut || ran.aborted || ran.exitCode === null)
    return "inconclusive";
  return ran.exitCode === 0 ? "pass" : "fail";
}

function failureReasons(ran: RunResult): string[] {
  if (ran.failedToStart !== null) return [`it could not be started: ${ran.failedToStart}`];
  if (ran.timedOut) return ["it did not end in time"];
  if (ran.aborted) return ["it was stopped"];
  if (ran.exitCode === null) return [`it was ended by ${ran.signal ?? "a signal"}`];
  return ran.exitCode === 0 ? [] : [`exit code ${ran.exitCode}`];
}

function offsetAt(ms: number): number {
  return -new Date(ms).getTimezoneOffset();
}
