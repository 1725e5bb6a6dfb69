/** The cycle.failed event: the procedure, the phase, and the evidence of the failure (TDP-26 to 28). */
import type { EventOf, RunEvent } from "../../log/run-event.ts";
import type { RunView } from "../../log/run-view.ts";
import { numberOfItem } from "./cycle.ts";
import type { Change } from "../../run/session.ts";

type Kind = EventOf<"cycle.failed">["kind"];

export function failedCycles({ before, after, view, key, settlement, records }: Change): readonly RunEvent[] {
  if (key === null) return [];
  return Object.values(after.frames).flatMap((frame): readonly RunEvent[] => {
    const number = numberOfItem(frame.parent?.item);
    const kind = kinds[frame.outcome ?? ""];
    if (number === null || kind === undefined || before.frames[frame.id]?.outcome != null) return [];
    const judged = settlement.facts?.find((fact) => fact.type === "gate.judged");
    return [
      {
        type: "cycle.failed",
        cycle: number,
        phase: phaseOf(view, key),
        kind,
        fault: kind === "test" ? faultOf(judged?.findings ?? []) : null,
        what:
          kind === "agent"
            ? settlement.outcome
            : (rowOf(judged?.findings ?? []) ?? judged?.reasons[0]?.split(":")[0] ?? settlement.outcome),
        why: settlement.text ?? "",
        failing: [...new Set(records.flatMap(({ failing }) => failing))],
        record: records.at(-1)?.id ?? null,
        snapshot: { seq: view.seq, commit: view.head.branch ?? view.started?.base ?? "" },
      },
    ];
  });
}

const kinds: Readonly<Record<string, Kind>> = {
  "failed.agent": "agent",
  "failed.test": "test",
  "failed.quality": "quality",
};

/** The phase of the agent's work, which the gate judges. */
function phaseOf({ commands, order }: RunView, key: string): string {
  const frame = commands[key]?.command.frame;
  const phases = order.slice(0, order.indexOf(key) + 1).flatMap((each) => {
    const command = commands[each]?.command;
    return command?.frame === frame && command?.phase !== undefined ? [command.phase] : [];
  });
  return phases.at(-1) ?? "";
}

/** The first failed row of the gate (TDP-28). */
function rowOf(findings: readonly string[]): string | null {
  return findings.find((finding) => finding.startsWith("row: "))?.slice("row: ".length) ?? null;
}

/** The gate's classification (TDP-27). */
function faultOf(findings: readonly string[]): EventOf<"cycle.failed">["fault"] {
  const fault = findings.find((finding) => finding.startsWith("test_failure: "))?.split(" ")[1] ?? "";
  return fault === "qa" || fault === "de" ? fault : "undetermined";
}
