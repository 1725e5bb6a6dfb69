/** The rows of every gate of a run, from its verdicts; for a gate without rows its checks (TDP-35, TDP-38). */
import type { Row, Verdict } from "../../gates/verdict.ts";
import type { EventOf } from "../../log/run-event.ts";
import type { Payloads } from "../../journal/payloads.ts";
import type { GateRows } from "../../views/gate/gate-rows.ts";
import type { RunView } from "../../log/run-view.ts";
import { numberOfItem } from "./cycle.ts";

export async function gateRows(
  view: RunView,
  payloads: Pick<Payloads, "text">,
): Promise<readonly GateRows[]> {
  const gates = await Promise.all(
    view.judged.map(async (judged) => {
      // A verified address guarantees the type that it was stored with.
      const verdict = JSON.parse(await payloads.text(judged.ref)) as Verdict;
      return { judged, verdict, rows: verdict.rows ?? verdict.checks.map(asRow) };
    }),
  );
  return gates.map(({ judged, verdict, rows }, at) => {
    const command = view.commands[judged.key]?.command;
    const later = gates
      .slice(at + 1)
      .findLast(
        (other) => view.commands[other.judged.key]?.command.frame === command?.frame && isLast(other.judged),
      );
    return {
      gate: judged.gate,
      key: judged.key,
      phase: command?.phase ?? null,
      cycle: command === undefined ? null : cycleOf(view, command.frame),
      verdict: verdict.verdict,
      outcome: verdict.outcome,
      rows: rows.map((row) => withReview(withRecord(view, judged, row), later?.rows ?? [])),
    };
  });
}

function asRow({ name, verdict, reason }: Verdict["checks"][number]): Row {
  return { name, mark: verdict, basis: "record", why: reason };
}

/** The verdict was made before its record was numbered, so the record under the gate's key is authoritative. */
function withRecord(view: RunView, { key }: EventOf<"gate.judged">, row: Row): Row {
  const own = view.records.filter((record) => record.key === key).map(({ id }) => id);
  const last = own.at(-1);
  return last === undefined || own.includes(row.record ?? "") ? row : { ...row, record: last };
}

function isLast({ gate }: EventOf<"gate.judged">): boolean {
  return gate === "refactor";
}

/** The minimality of GREEN is reviewed with the implementation in the following refactoring. */
function withReview(row: Row, later: readonly Row[]): Row {
  if (row.mark !== "review" || row.name !== "Minimal implementation") return row;
  const reviews = later.find(({ name }) => name.startsWith("DE refactor"))?.reviews ?? [];
  const [review] = reviews;
  if (review === undefined) return row;
  return {
    ...row,
    reviews,
    mark: review.status === "APPROVED" ? "pass" : "review",
    why: `${review.reviewer} reviewed the implementation`,
  };
}

/** The number of the cycle that owns the frame. */
function cycleOf({ commands }: RunView, frame: string): number | null {
  const spawn = Object.values(commands).find(
    ({ command }) => command.type === "spawn" && command.child === frame,
  )?.command;
  return spawn?.type === "spawn" ? numberOfItem(spawn.item) : null;
}
