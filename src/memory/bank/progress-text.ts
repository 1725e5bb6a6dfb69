/** Renders the part of σ₅ that a run writes: the cycles of the plan and their results. Pure. */
import { assertNever } from "../../lib/assert-never.ts";

export type CycleStatus = "open" | "working" | "done" | "failed" | "inconclusive";

export interface CycleProgress {
  /** From 1. */
  readonly index: number;
  /** Such as `Interface.method()`. */
  readonly method: string;
  readonly status: CycleStatus;
  /** Class of a failure, such as QUALITY_FAILURE. */
  readonly class?: string;
  /** Id of the record that proves it. */
  readonly evidence?: string;
  /** Error message. */
  readonly error?: string;
  /** Earlier failed attempts, oldest first, one line each. */
  readonly before?: readonly string[];
}

export interface BankProgress {
  readonly cycles: readonly CycleProgress[];
  /** Whether a cycle in progress has another sign than an open one: under riper, not under dptr. */
  readonly showsWork: boolean;
}

/** Lines such as `- □ TDD₁: Interface.method() → ℜ→ℜᴳ→ℜᶠ`, with the reason below a failure. */
export function progressText({ cycles, showsWork }: BankProgress): string {
  const lines = cycles.flatMap((cycle) => linesOf(cycle, showsWork));
  return ["### TDD Cycles", "", ...(lines.length === 0 ? ["No plan is accepted yet."] : lines)].join("\n");
}

function linesOf(cycle: CycleProgress, showsWork: boolean): readonly string[] {
  const { index, method, status, error, before = [] } = cycle;
  const line = `- ${signOf(status, showsWork)} TDD${subscript(index)}: ${oneLine(method)} → ℜ→ℜᴳ→ℜᶠ`;
  const attempts = before.map((attempt) => `  before: ❌ ${oneLine(attempt)}`);
  if (status !== "failed" && status !== "inconclusive") return [line, ...attempts];
  const facts = [cycle.class, cycle.evidence].flatMap((fact) => (fact === undefined ? [] : oneLine(fact)));
  return [
    facts.length === 0 ? line : `${line} (${facts.join(", ")})`,
    ...(error === undefined ? [] : [`  ${oneLine(error)}`]),
    ...attempts,
  ];
}

export function signOf(status: CycleStatus, showsWork: boolean): string {
  switch (status) {
    case "open":
      return "□";
    case "working":
      return showsWork ? "🔄" : "□";
    case "done":
      return "✅";
    case "failed":
      return "❌";
    case "inconclusive":
      return "⚠️";
    default:
      return assertNever(status);
  }
}

function subscript(index: number): string {
  return String(index).replaceAll(/\d/gu, (digit) => String.fromCharCode(0x2080 + Number(digit)));
}

/** Makes a text of an agent safe: one line in which no comment begins. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim().replaceAll("<!--", "&lt;!--");
}
