/**
 * The state of a run in σ₄ and in `state` of `mettle status RUN --json`, with the field names of the specification (TDP-49, RIP-04).
 * The runtime derives it from the journal; it is never read back from σ₄.
 */
import * as z from "zod";

export const RefactorStage = z.enum([
  "test",
  "impl",
  "qa_validation",
  "de_validation",
  "qa_cross_review",
  "de_cross_review",
  "interface_check",
  "integration_test",
]);

/** One audit of the design, also if accepted. */
const ArchCritique = z.strictObject({
  /** Null for an audit of the whole architecture. */
  module: z.string().nullable(),
  decision: z.enum(["ACCEPT", "REVISE", "REJECT"]),
  text: z.string(),
  issues: z.array(z.strictObject({ problem: z.string(), suggestion: z.string() })).readonly(),
});

/** The facts about a failed cycle that the next attempt needs. */
const FailureAnalysis = z.strictObject({
  cycle: z.int().min(1),
  phase: z.string(),
  class: z.string(),
  /** The status code or row of a gate that ended it. */
  cause: z.string(),
  summary: z.string(),
  evidence: z.array(z.string()).readonly(),
  findings: z.array(z.string()).readonly(),
  snapshot: z.string().nullable(),
  commands: z.array(z.string()).readonly(),
});

export const DptrState = z.strictObject({
  session_id: z.string().nullable(),
  tdd_session_id: z.string().nullable(),
  arch_critique: z.array(ArchCritique).readonly(),
  design_approved: z.boolean(),
  design_feedback: z.string().nullable(),
  /** The reason; null while the design is not rejected. */
  design_rejected: z.string().nullable(),
  plan_approved: z.boolean(),
  tdd_mode: z.boolean(),
  tdd_phase: z.enum(["red", "green", "refactor"]).nullable(),
  "Ω₅ᵀ.state": z.enum(["ℜ", "ℜᴳ", "ℜᶠ"]).nullable(),
  /** From 1; 0 in Ω₅ᵀ before the first cycle, null outside of Ω₅ᵀ. */
  current_cycle: z.int().min(0).nullable(),
  qa_agent_active: z.boolean(),
  de_agent_active: z.boolean(),
  refactor_stage: RefactorStage.nullable(),
  last_test_result: z.enum(["pass", "fail"]).nullable(),
  failure_analysis: FailureAnalysis.nullable(),
});

export const RiperState = z.strictObject({
  Ω_current: z.enum(["Ω₁ᴾ", "Ω₂ᴬ", "Ω₃ᴾ", "Ω₄ᶜ", "Ω₅ᵀ", "Ω₆ⱽ"]),
  /** The open activation of an agent. */
  Ω_session: z.string().nullable(),
  sessions: z.strictObject({ S_p: z.string().nullable(), S_t: z.string().nullable() }),
  ...DptrState.shape,
  handoff_from: z.string().nullable(),
  handoff_to: z.string().nullable(),
  handoff_summary: z.string().nullable(),
  handoff_timestamp: z.string().nullable(),
});

export const ActiveState = z.union([RiperState, DptrState]);
export type ActiveState = z.infer<typeof ActiveState>;
export type DptrState = z.infer<typeof DptrState>;
export type RiperState = z.infer<typeof RiperState>;
