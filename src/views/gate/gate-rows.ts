/** The quality gates of a run as text: a mark for each row and its basis. Pure. */
import { safeLine } from "../../lib/safe-text.ts";

export interface GateRows {
  readonly gate: string;
  readonly key: string;
  readonly phase: string | null;
  /** Starts at 1; null outside cycles. */
  readonly cycle: number | null;
  readonly verdict: string;
  readonly outcome: string;
  readonly rows: readonly GateRow[];
}

export interface GateRow {
  readonly name: string;
  readonly mark: "pass" | "fail" | "inconclusive" | "review";
  readonly basis: "record" | "review";
  readonly record?: string;
  readonly numbers?: Readonly<Record<string, number | string>>;
  readonly reviews?: readonly {
    readonly reviewer: string;
    readonly status: string;
    readonly session: string;
    readonly round: number;
  }[];
  readonly why: string;
}

const marks = { pass: "✅", fail: "❌", inconclusive: "❔", review: "⚠️" } as const;

export function gateRowsText(gates: readonly GateRows[]): string {
  if (gates.length === 0) return "no gate was judged yet";
  return gates.map((gate) => [heading(gate), ...gate.rows.flatMap(rowLines)].join("\n")).join("\n\n");
}

function heading({ gate, key, phase, cycle, outcome }: GateRows): string {
  const where = [cycle === null ? null : `cycle ${cycle}`, phase, key].filter((part) => part !== null);
  return `${gate} ${outcome}  (${where.join(", ")})`;
}

function rowLines({ name, mark, record, numbers = {}, reviews = [], why }: GateRow): readonly string[] {
  const measured = Object.entries(numbers).map(([key, value]) => `${key} ${value}`);
  return [
    `  ${marks[mark]} ${name}${record === undefined ? "" : `  ${record}`}`,
    ...(why === "" ? [] : [`     ${safeLine(why)}`]),
    ...(measured.length === 0 ? [] : [`     ${safeLine(measured.join(", "))}`]),
    ...reviews.map(
      ({ reviewer, status, session, round }) =>
        `     ${reviewer} ${status}, ${session === "" ? `round ${round}` : `OBS[S${session},R${round}]`}`,
    ),
  ];
}
