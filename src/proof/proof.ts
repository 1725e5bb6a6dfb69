/** What a proof answers, and how its parts become one list of drafts with the gate's own record last. */
import type { TestResult } from "../evidence/test-result.ts";
import { conclude, unclear } from "../gates/check.ts";
import type { Check, Finding, Verdict } from "../gates/verdict.ts";
import { systemClock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { draftOfGate, judgedRuns, type RecordDraft } from "./draft.ts";
import type { BaselineCache, ProofPorts } from "./ports.ts";
import type { RunnerSettings } from "./project/packages.ts";
import type { Project } from "./project/project.ts";

export interface GateProof {
  readonly verdict: Verdict;
  /** Test runs in the order in which they ran, then the gate's own record, which contains them. */
  readonly drafts: readonly RecordDraft[];
  /** Of the runs that were judged. */
  readonly tests: readonly TestResult[];
  /** Address of the full output of such a run, one that did not pass if there is one; null when nothing ran. */
  readonly output: string | null;
  /** What went wrong outside the project, if anything did. */
  readonly fault: AppError | null;
}

export interface ProofRequest {
  readonly ports: ProofPorts;
  readonly cache: BaselineCache;
  readonly settings: RunnerSettings;
  readonly base: string;
  readonly head: string;
}

/** What a gate asks beyond the checks of the proof that it makes. */
export interface More {
  readonly checks: readonly Check[];
  readonly findings?: readonly Finding[];
  readonly controls?: GateRecord["controls"];
}

/** The verdict of all checks together. */
export function widened(verdict: Verdict, { checks, findings = [] }: More): Verdict {
  const { signature } = verdict;
  return conclude({
    checks: [...verdict.checks, ...checks],
    findings: [...verdict.findings, ...findings],
    ...(signature === undefined ? {} : { signature }),
  });
}

/** What is put into the gate's record beside its runs. */
export interface GateRecord {
  readonly required: readonly string[];
  readonly controls: Readonly<Record<string, string>>;
  readonly hashes: RecordDraft["hashes"];
}

export interface Judging {
  readonly purpose: string;
  /** Whose `.tests` runs were judged; default the purpose itself. */
  readonly runsOf?: string;
  /** Arguments of `mettle gate <purpose>`, or of `mettle prove`. */
  readonly revisions: readonly string[];
  readonly head: Project;
  readonly ports: ProofPorts;
}

/** What the gathering of facts found, as far as it came. */
export interface Gathered {
  readonly verdict: Verdict;
  readonly record: GateRecord;
  readonly drafts: readonly RecordDraft[];
  readonly fault?: AppError;
}

/**
 * Gathers facts, judges them and makes the gate's record. What goes wrong outside the project is inconclusive, never the
 * agent's fault (CORE-13); the runs made until then stay in the record.
 */
export async function prove(
  judging: Judging,
  gather: (made: RecordDraft[]) => Promise<Gathered>,
): Promise<GateProof> {
  const { purpose, runsOf = purpose, head, ports } = judging;
  const started = systemClock.now();
  const made: RecordDraft[] = [];
  const gathered = await gather(made).catch((error: unknown) => fromFault(error, made));
  const { verdict, record, drafts, fault = null } = gathered;
  const gate = await draftOfGate(ports, {
    purpose,
    runsOf,
    argv: ["mettle", ...(purpose === "prove" ? [] : ["gate"]), purpose, ...judging.revisions],
    cwd: ports.repository.root,
    commit: head.commit,
    tree: head.tree,
    verdict,
    inner: drafts,
    ...record,
    started,
    ended: systemClock.now(),
  });
  const judged = judgedRuns(drafts, runsOf);
  const shown = judged.find((run) => run.verdict !== "pass") ?? judged.at(-1);
  return {
    verdict,
    drafts: [...drafts, gate],
    tests: judged.flatMap(({ tests }) => tests),
    output: shown?.output ?? null,
    fault,
  };
}

const faults = new Set([
  "runner_not_found",
  "runner_ambiguous",
  "runner_outdated",
  "test_setup_missing",
  "worktree_failed",
  "disk_full",
  "state_unwritable",
  "git_failed",
]);

function fromFault(error: unknown, drafts: readonly RecordDraft[]): Gathered {
  if (!(error instanceof AppError) || !faults.has(error.code)) throw error;
  const check = unclear("environment", `${error.code}: ${error.message} (${error.hint})`);
  return {
    verdict: conclude({ checks: [check], findings: [] }),
    record: { required: [], controls: {}, hashes: { protected: null, config: null, lockfile: null } },
    drafts,
    fault: error,
  };
}
