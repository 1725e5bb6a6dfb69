/** σ₄ of a run: its journaled state under the seeds' names (TDP-49, RIP-01, RIP-04). Derived, never read back. */
import type { DispatchCommand } from "../../kernel/command.ts";
import { openCommands } from "../../kernel/inspect.ts";
import type { Frame, RunState } from "../../kernel/state.ts";
import type { ActiveState, DptrState, RiperState } from "../../memory/bank/active-state.ts";
import { modes } from "../../notation/modes.ts";
import type { RunContext } from "../../run/context.ts";
import { cycleNumber } from "./cycle.ts";
import { agentOf } from "./dispatch-line.ts";
import { critiqueOf } from "./critique.ts";
import { failureAnalysis } from "./failure-analysis.ts";
import { handoffOf } from "./handoff.ts";

type StateContext = Pick<RunContext, "run" | "session" | "payloads" | "protocol">;

export async function activeState(context: StateContext): Promise<ActiveState> {
  const state = await dptrState(context);
  return context.protocol.features["handoff"] === true ? { ...riperState(context, state), ...state } : state;
}

function riperState(
  context: StateContext,
  { session_id, tdd_session_id }: DptrState,
): Omit<RiperState, keyof DptrState> {
  const { from, to, summary, at } = handoffOf(context) ?? { from: null, to: null, summary: null, at: null };
  return {
    Ω_current: currentMode(context),
    Ω_session: openDispatch(context)?.key ?? null,
    sessions: { S_p: session_id, S_t: tdd_session_id },
    handoff_from: from,
    handoff_to: to,
    handoff_summary: summary,
    handoff_timestamp: at,
  };
}

async function dptrState(context: StateContext): Promise<DptrState> {
  const { session } = context;
  const { view, state } = session;
  const facts = state.frames["main"]?.facts ?? {};
  const cycle = state.ended === null ? activeCycle(state) : null;
  const phase = tddPhase(cycle);
  const critique = await critiqueOf(context);
  const last = critique.at(-1);
  const speaker = workingAgent(context);
  return {
    session_id: newest(context, "plan_loop"),
    tdd_session_id: newest(context, "tdd_loop"),
    arch_critique: critique,
    design_approved: facts["design_approved"] === true,
    design_feedback: last?.decision === "REVISE" ? feedbackText(last.issues) : null,
    design_rejected: last?.decision === "REJECT" ? last.text : null,
    plan_approved: facts["plan_approved"] === true,
    tdd_mode: facts["tdd_mode"] === true && state.ended === null,
    tdd_phase: phase,
    "Ω₅ᵀ.state": phase === null ? null : marks[phase],
    current_cycle: cycle === null ? null : startedCycle(context, cycle),
    qa_agent_active: speaker === "QA",
    de_agent_active: speaker === "DE",
    refactor_stage: phase === "refactor" ? stageOf(cycle) : null,
    last_test_result: lastTestResult(view),
    failure_analysis: failureAnalysis(context),
  };
}

const marks = { red: "ℜ", green: "ℜᴳ", refactor: "ℜᶠ" } as const;

/** The current or last mode of the run. */
export function currentMode({ session }: Pick<RunContext, "session">): RiperState["Ω_current"] {
  const current = session.state.frames["main"]?.token.mode ?? null;
  const { order, commands } = session.view;
  const last = order.map((key) => commands[key]?.command.mode).findLast((mode) => mode !== undefined);
  // A run that ended in the cycles ends in the review (TERMINATION_PROCEDURE; TDP-29).
  const end = last === "Ω₅ᵀ" ? "Ω₆ⱽ" : last;
  const name = session.state.ended === null ? (current ?? last) : end;
  return modes.find(({ mode }) => mode === name)?.mode ?? "Ω₁ᴾ";
}

export function openDispatch({ session }: Pick<RunContext, "session">): DispatchCommand | null {
  return openCommands(session.state).find((command) => command.type === "dispatch") ?? null;
}

/** QA or DE while its dispatch is open; never both, since a cycle has one dispatch at a time (TDP-09). */
export function workingAgent(context: Pick<RunContext, "session" | "protocol">): "QA" | "DE" | null {
  const dispatch = openDispatch(context);
  const agent = dispatch === null ? null : agentOf(context.protocol, dispatch);
  return agent === "QA" || agent === "DE" ? agent : null;
}

type CycleFrame = RunState["frames"][string];

export function activeCycle({ frames }: RunState): CycleFrame | null {
  return Object.values(frames).findLast((frame) => isCycle(frame) && frame.outcome === null) ?? null;
}

function isCycle({ parent }: Pick<Frame, "parent">): boolean {
  return /^C[1-9]\d*$/u.test(parent?.item ?? "");
}

/** 0 until the first agent of the first cycle starts. */
function startedCycle(context: StateContext, frame: CycleFrame): number {
  const { view } = context.session;
  const begun = Object.values(view.dispatches).some(({ key }) => {
    const command = view.commands[key]?.command;
    return command !== undefined && cycleNumber(context, command) !== null;
  });
  return begun ? Number(frame.parent?.item.slice(1) ?? 0) : 0;
}

function tddPhase(cycle: CycleFrame | null): DptrState["tdd_phase"] {
  const phase = cycle?.facts["tdd_phase"];
  return phase === "red" || phase === "green" || phase === "refactor" ? phase : null;
}

function stageOf(cycle: CycleFrame | null): DptrState["refactor_stage"] {
  return (cycle?.facts["refactor_stage"] ?? null) as DptrState["refactor_stage"];
}

function newest({ session }: StateContext, kind: "plan_loop" | "tdd_loop"): string | null {
  return session.view.sessions.findLast((entry) => entry.kind === kind)?.session ?? null;
}

/** Result of the newest test run; null if the newest gate could not be executed (TDP-37). */
function lastTestResult({ records, judged }: StateContext["session"]["view"]): DptrState["last_test_result"] {
  if (judged.at(-1)?.verdict === "inconclusive") return null;
  const record = records.findLast(({ purpose }) => purpose.endsWith(".tests"));
  if (record === undefined || record.exitCode === null) return null;
  return record.exitCode === 0 ? "pass" : "fail";
}

function feedbackText(issues: DptrState["arch_critique"][number]["issues"]): string {
  return issues.map(({ problem, suggestion }) => `${problem} (suggestion: ${suggestion})`).join("\n");
}
