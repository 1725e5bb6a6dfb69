/** interface_check: the REFACTOR gate over one pass of the loop; a pass completes the cycle (TDP-36). */
import { parseRecord, type EvidenceRecord } from "../../../evidence/record.ts";
import { exportChanges } from "../../../gates/node/interface-difference.ts";
import { loadParser } from "../../../source/syntax.ts";
import {
  judgeRefactor,
  type RefactorFacts,
  type RefactorReview,
  type Stage,
} from "../../../gates/cycle/refactor.ts";
import { outsideSource, outsideTests } from "../../../source/paths.ts";
import type { GateCommand } from "../../../family/gate.ts";
import type { EventOf } from "../../../log/run-event.ts";
import type { CommandEntry } from "../../../log/commands.ts";
import { cycleOf } from "../cycle.ts";
import type { RunContext } from "../../../run/context.ts";
import { plainOutcomes, type Gate } from "../../../family/gate.ts";
import { recordFor } from "../../../engine/checks/review-gates.ts";
import { changedNumbers, changedTexts } from "./shared.ts";

export const refactorGate: Gate = {
  outcomes: plainOutcomes,
  judgesCommit: true,
  async check({ context, command, signal }) {
    const { number } = await cycleOf(context, command);
    const { frozen, head } = context.session.view;
    const commit = head.branch ?? context.started.base;
    const facts = await gather(context, { command, commit, signal });
    const verdict = judgeRefactor(facts);
    const record = facts.suite?.record;
    if (verdict.verdict !== "pass" || record === undefined)
      return { verdict, ...(record === undefined ? {} : { proof: record }) };
    return {
      verdict,
      proof: record,
      facts: [
        {
          type: "cycle.completed",
          cycle: number,
          commit,
          required: [...(frozen?.required ?? [])],
          record,
        },
      ],
    };
  },
};

interface PassRequest {
  readonly command: GateCommand;
  /** The commit at the end of the pass. */
  readonly commit: string;
  readonly signal: AbortSignal;
}

async function gather(context: RunContext, { command, commit, signal }: PassRequest): Promise<RefactorFacts> {
  const { view } = context.session;
  const green = view.head.green ?? commit;
  const pass = new Pass(context, command.frame);
  const change = { from: green, to: commit };
  const source = await changedTexts(context, { ...change, kind: "source" });
  const proof = (of: string) => readRecord(context, recordFor(context, { purpose: "green", commit: of }));
  const [old, now] = [await proof(green), await proof(commit)];
  const unexecuted = now?.controls["unexecuted_lines"] ?? "not measured";
  return {
    before: passedIn(old),
    after: passedIn(now),
    tests: {
      ...pass.stage("test_refactor", (paths) => outsideTests(paths, context.settings.paths)),
      numbers: await changedNumbers(context, signal, { ...change, kind: "test" }),
    },
    source: {
      ...pass.stage("impl_refactor", (paths) => outsideSource(paths, context.settings.paths)),
      numbers: {
        ...(await changedNumbers(context, signal, { ...change, kind: "source" })),
        unexecuted_lines: unexecuted,
      },
    },
    interfaceChanges: exportChanges(source.before, source.after, await loadParser()).map(
      ({ reason }) => reason,
    ),
    reviewOfTests: pass.review("review_tests"),
    reviewOfSource: pass.review("review_impl"),
    suite: pass.suite(commit),
  };
}

/** The results of one cycle; each lookup takes the newest. */
class Pass {
  readonly #context: RunContext;
  readonly #entries: readonly CommandEntry[];

  constructor(context: RunContext, frame: string) {
    const { commands, order } = context.session.view;
    this.#context = context;
    this.#entries = order
      .flatMap((key) => commands[key] ?? [])
      .filter((entry) => entry.command.frame === frame && entry.result !== null);
  }

  stage(
    gate: "test_refactor" | "impl_refactor",
    foreign: (paths: readonly string[]) => readonly string[],
  ): Omit<Stage, "numbers"> {
    const { view } = this.#context.session;
    const entry = this.#entries[this.#check(gate)];
    const key = entry?.command.key;
    const outcome = entry?.result?.outcome;
    const work = view.commits.findLast(({ kind }) => kind === gate);
    return {
      record: view.records.findLast((record) => record.key === key)?.id ?? null,
      verdict: outcome === "pass" || outcome === "fail" ? outcome : "inconclusive",
      why:
        view.judged.findLast((judged) => judged.key === key)?.reasons.join("; ") ?? `no ${gate} was judged`,
      foreign: foreign(work?.paths ?? []),
    };
  }

  /** A review before the newest check of DE's commit is about another tree. */
  review(phase: string): RefactorReview | null {
    const at = this.#entries.findLastIndex(
      ({ command }) => command.type === "dispatch" && command.phase === phase,
    );
    const entry = this.#entries[at];
    if (entry?.command.type !== "dispatch") return null;
    const { role, session = "", round } = entry.command;
    return {
      reviewer: this.#context.protocol.roles[role]?.label ?? role.toUpperCase(),
      status: entry.result?.outcome ?? "",
      session,
      round,
      current: at > this.#check("impl_refactor"),
    };
  }

  suite(commit: string): RefactorFacts["suite"] {
    const { view } = this.#context.session;
    const keys = new Set(
      this.#entries.flatMap(({ command }) =>
        command.type === "check" && command.gate === "suite" ? [command.key] : [],
      ),
    );
    const record = view.records.findLast(
      (one) => keys.has(one.key) && one.purpose === "final" && one.commit === commit,
    );
    if (record === undefined) return null;
    const judged = view.judged.findLast(({ key }) => key === record.key);
    return { record: record.id, verdict: record.verdict, why: judged?.reasons.join("; ") ?? "" };
  }

  #check(gate: string): number {
    return this.#entries.findLastIndex(({ command }) => command.type === "check" && command.gate === gate);
  }
}

async function readRecord(
  { payloads }: RunContext,
  written: EventOf<"record.written"> | null,
): Promise<EvidenceRecord | null> {
  return written === null ? null : parseRecord(JSON.parse(await payloads.text(written.ref)));
}

function passedIn(record: EvidenceRecord | null): readonly string[] {
  return (record?.tests ?? []).filter(({ status }) => status === "passed").map(({ id }) => id);
}
