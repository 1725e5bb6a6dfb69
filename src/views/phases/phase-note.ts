/** What is printed of an event below the line of its phase. What went as it should is folded away. Pure. */
import type { Recorded } from "../../log/run-event.ts";
import type { RunView } from "../../log/run-view.ts";
import { approvalLine } from "../bound.ts";
import { describe } from "../run/timeline.ts";

export interface PhaseNote {
  /** May have several lines. */
  readonly text: string;
  /** A reason of a refusal; other notes are remarks. */
  readonly isReason: boolean;
}

export function noteOf(event: Recorded, view: RunView): PhaseNote | null {
  const text = textOf(event, view);
  return text === null ? null : { text, isReason: reasons.has(event.type) };
}

const reasons: ReadonlySet<Recorded["type"]> = new Set(["gate.judged", "review.given", "cycle.failed"]);

function textOf(event: Recorded, view: RunView): string | null {
  switch (event.type) {
    case "gate.judged":
      return event.verdict === "pass" ? null : list(event.reasons);
    case "review.given":
      return event.verdict === "APPROVED" ? null : list(event.issues, `${event.label}: `);
    case "result":
      return persons.has(event.by?.answeredBy)
        ? approvalLine(event.outcome, view.asks[event.key]?.shown)
        : null;
    case "document.written":
      return event.by === "person" ? describe(event) : null;
    case "warned":
      // The first is printed as an error when the run stops, the second with the review.
      return event.stopped !== undefined || event.code === "review_inconclusive" ? null : describe(event);
    default:
      return printed.has(event.type) ? withoutKey(event, describe(event)) : null;
  }
}

/** The answers whose binding is printed (SEE-03). */
const persons: ReadonlySet<string | undefined> = new Set(["tty", "file", "session", "page"]);

const printed: ReadonlySet<Recorded["type"]> = new Set([
  "account.paused",
  "agent.denied",
  "base.accepted",
  "claim.unverified",
  "cycle.failed",
  "files.left_out",
  "forged.block",
  "landed",
  "network.refused",
  "notified",
  "outside.write",
  "report.refused",
  "result.ignored",
  "run.aborted",
  "settings.changed",
  "signal",
  "tests.accepted",
  "work.rescued",
  "worker.died",
]);

function list(reasons: readonly string[], before = ""): string | null {
  return reasons.length === 0 ? null : reasons.map((reason) => `${before}${reason}`).join("\n");
}

/** The line of the phase says already whose event it is. */
function withoutKey(event: Recorded, text: string | null): string | null {
  const start = "key" in event ? `${event.key}: ` : "";
  return start !== "" && text?.startsWith(start) === true ? text.slice(start.length) : text;
}
