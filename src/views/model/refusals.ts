/** What agents did or claimed and the run did not accept, oldest first. Pure. */
import { counted } from "../../lib/counted.ts";
import { safeLine, safeText } from "../../lib/safe-text.ts";
import { excerptOf } from "../../lib/text.ts";
import type { Recorded } from "../../log/run-event.ts";
import type { RunView } from "../../log/run-view.ts";
import { claimText } from "../gate/claims.ts";
import { refusedText } from "../gate/warnings.ts";
import type { RefusalModel } from "./verdict-model.ts";

export function refusalsOf(view: RunView, events: readonly Recorded[]): readonly RefusalModel[] {
  return events.flatMap((event) => {
    const refusal = refusalOf(view, event);
    if (refusal === null) return [];
    const { kind, what, details = [] } = refusal;
    return [
      {
        seq: event.seq,
        at: event.at,
        key: "key" in event ? event.key : null,
        kind,
        what: excerptOf(safeLine(what), 600),
        details: details.map((detail) => excerptOf(safeText(detail), 4000)),
      },
    ];
  });
}

interface Refusal {
  readonly kind: RefusalModel["kind"];
  readonly what: string;
  readonly details?: readonly string[];
}

function refusalOf(view: RunView, event: Recorded): Refusal | null {
  switch (event.type) {
    case "gate.judged":
      if (event.verdict === "pass") return null;
      return event.verdict === "fail"
        ? { kind: "gate", what: `the gate ${event.gate} refused the work`, details: event.reasons }
        : { kind: "gate", what: `the gate ${event.gate} could not judge`, details: event.reasons };
    case "claim.unverified":
      return { kind: "claim", what: claimText(view, event), details: [event.excerpt] };
    case "forged.block":
      return { kind: "block", what: `a typed EXECUTION_BLOCK for ${event.command} was not believed` };
    case "report.refused":
      return { kind: "report", what: `a report was refused: ${event.why}` };
    case "agent.denied":
      return { kind: "tool", what: `the tool ${event.tool} was denied`, details: [event.detail] };
    case "network.refused":
      return { kind: "network", what: `the network refused ${refusedText(event)}` };
    case "outside.write":
      return {
        kind: "write",
        what: `${counted(event.paths.length, "path")} changed outside of what may change, in the ${event.place}`,
        details: event.paths,
      };
    case "commit.made":
      if (event.tried === undefined || event.tried.length === 0) return null;
      return { kind: "frozen", what: "an agent tried to change frozen files", details: event.tried };
    case "files.left_out":
      return {
        kind: "left_out",
        what: `${counted(event.files.length, "file")} of a workspace ${event.files.length === 1 ? "is" : "are"} in no commit`,
        details: event.files.map(({ path, why }) => `${path}: ${why}`),
      };
    case "result.ignored":
      return { kind: "late", what: `a result came too late: ${event.outcome}`, details: [event.why] };
    case "cycle.failed":
      return {
        kind: "cycle",
        what: `cycle ${event.cycle} failed in ${event.phase}: ${event.why}`,
        details: event.failing,
      };
    case "work.rescued":
      return { kind: "rescued", what: `discarded work is kept at ${event.ref}`, details: [event.reason] };
    default:
      return null;
  }
}
