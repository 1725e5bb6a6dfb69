/** The result of a proof, and how its parts become one list of drafts that ends with the gate's own record. */
import type { TestResult } from "../evidence/test-result.ts";
import { conclude, unclear } from "../gates/check.ts";
import type { Check, Finding, Verdict } from "../gates/verdict.ts";
import { systemClock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { judgedRuns } from "../evidence/judged-runs.ts";
import { draftOfGate, type RecordDraft } from "./draft.ts";
import type { BaselineCache, ProofPorts } from "./ports.ts";
import type { RunnerSettings } from "./project/packages.ts";
import type { Project } from "./project/project.ts";
import { gateWords } from "../evidence/gate-command.ts";

export interface GateProof {
  readonly verdict: Verdict;
  /** Test runs in order, then the gate's own record, which contains them. */
  readonly drafts: readonly RecordDraft[];
  /** Tests of the judged runs. */
  readonly tests: readonly TestResult[];
  /** Address of the full output of a judged run, preferably one that did not pass; null when nothing ran. */
  readonly output: string | null;
  /** The fault outside the project; null where there was none. */
  readonly fault: AppError | null;
}

export interface ProofRequest {
  readonly ports: ProofPorts;
  readonly cache: BaselineCache;
  readonly settings: RunnerSettings;
  readonly base: string;
  readonly head: string;
}

/** Additional checks of a gate. */
export interface ExtraChecks {
  readonly checks: readonly Check[];
  readonly findings?: readonly Finding[];
  readonly controls?: GateRecord["controls"];
}

/** The verdict of all checks together. */
export function withExtraChecks(verdict: Verdict, { checks, findings = [] }: ExtraChecks): Verdict {
  const { signature } = verdict;
  return conclude({
    checks: [...verdict.checks, ...checks],
    findings: [...verdict.findings, ...findings],
    ...(signature === undefined ? {} : { signature }),
  });
}

/** The gate's own part of its record. */
export interface GateRecord {
  readonly required: readonly string[];
  readonly controls: Readonly<Record<string, string>>;
  readonly hashes: RecordDraft["hashes"];
}

export interface GateContext {
  readonly purpose: string;
  /** Prefix of the judged runs' purpose `<runsOf>.tests`; default the purpose itself. */
  readonly runsOf?: string;
  /** Arguments of `mettle gate <purpose>`, or of `mettle prove`. */
  readonly revisions: readonly string[];
  readonly head: Project;
  readonly ports: ProofPorts;
}

/** The facts that were gathered before a fault, if any. */
export interface GatheredFacts {
  readonly verdict: Verdict;
  readonly record: GateRecord;
  readonly drafts: readonly RecordDraft[];
  readonly fault?: AppError;
}

/**
 * Gathers facts, judges them and drafts the gate's record. A fault outside the project makes the verdict inconclusive and is
 * never the agent's fault (CORE-13); earlier runs stay in the record.
 */
export async function prove(
  judging: GateContext,
  gather: (made: RecordDraft[]) => Promise<GatheredFacts>,
): Promise<GateProof> {
  const { purpose, runsOf = purpose, head, ports } = judging;
  const started = systemClock.now();
  const made: RecordDraft[] = [];
  const gathered = await gather(made).catch((error: unknown) => fromFault(error, made));
  const { verdict, record, drafts, fault = null } = gathered;
  const gate = await draftOfGate(ports, {
    purpose,
    runsOf,
    argv: [...gateWords(purpose), ...judging.revisions],
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

function fromFault(error: unknown, drafts: readonly RecordDraft[]): GatheredFacts {
  if (!(error instanceof AppError) || !faults.has(error.code)) throw error;
  const check = unclear("environment", `${error.code}: ${error.message} (${error.hint})`);
  return {
    verdict: conclude({ checks: [check], findings: [] }),
    record: { required: [], controls: {}, hashes: { protected: null, config: null, lockfile: null } },
    drafts,
    fault: error,
  };
}
