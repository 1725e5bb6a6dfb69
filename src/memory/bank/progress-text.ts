/** The state part of σ₅: the cycles of the plan and what became of each. Pure. */
import { assertNever } from "../../lib/assert-never.ts";

export type CycleStatus = "open" | "working" | "done" | "failed" | "inconclusive";

export interface Cycle {
  /** From 1. */
  readonly index: number;
  /** `Interface.method()`. */
  readonly method: string;
  readonly status: CycleStatus;
  /** Of a failure, such as QUALITY_FAILURE. */
  readonly class?: string;
  /** Id of the record that shows it. */
  readonly evidence?: string;
  /** What went wrong, in words. */
  readonly error?: string;
  /** Attempts that failed before, oldest first, one line each. */
  readonly before?: readonly string[];
}

export interface Progress {
  readonly cycles: readonly Cycle[];
  /** Whether a cycle that is worked on is told from an open one: so under riper, and not under dptr. */
  readonly showsWork: boolean;
}

/** `- □ TDD₁: Interface.method() → ℜ→ℜᴳ→ℜᶠ`, and under a failure what it was. */
export function progressText({ cycles, showsWork }: Progress): string {
  const lines = cycles.flatMap((cycle) => linesOf(cycle, showsWork));
  return ["### TDD Cycles", "", ...(lines.length === 0 ? ["No plan is accepted yet."] : lines)].join("\n");
}

function linesOf(cycle: Cycle, showsWork: boolean): readonly string[] {
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

/** Words of an agent are in there: one line, and no comment begins in it. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim().replaceAll("<!--", "&lt;!--");
}
