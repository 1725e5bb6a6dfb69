/** The quality gates of a run as a person reads them: a mark for each row, and what the mark rests on. Pure. */
import { safeLine } from "../../lib/safe-text.ts";

export interface GateShown {
  readonly gate: string;
  readonly key: string;
  readonly phase: string | null;
  /** From 1; null outside the cycles. */
  readonly cycle: number | null;
  readonly verdict: string;
  readonly outcome: string;
  readonly rows: readonly RowShown[];
}

export interface RowShown {
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

export function gateRowsText(gates: readonly GateShown[]): string {
  if (gates.length === 0) return "no gate was judged yet";
  return gates.map((gate) => [headOf(gate), ...gate.rows.flatMap(rowLines)].join("\n")).join("\n\n");
}

function headOf({ gate, key, phase, cycle, outcome }: GateShown): string {
  const where = [cycle === null ? null : `cycle ${cycle}`, phase, key].filter((part) => part !== null);
  return `${gate} ${outcome}  (${where.join(", ")})`;
}

function rowLines({ name, mark, record, numbers = {}, reviews = [], why }: RowShown): readonly string[] {
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
