/** A table that becomes one card for each row on a phone. */
import type { ComponentChildren } from "preact";
import { InPieces } from "./pieces.tsx";

export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers are aligned to the right, names are in the monospace font and may break anywhere, ids are as wide as they are. */
  readonly kind?: "number" | "name" | "mark" | "id";
  /** A column in which every cell is empty is left out. */
  readonly isEmpty?: (row: Row) => boolean;
}

export interface TableProps<Row> {
  /** What the table shows; read by screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** Said instead of an empty table. */
  readonly empty?: string;
  /** The most rows of a page without a script; what is left out is counted. */
  readonly max?: number;
  /** The rows are in order of time: the newest are shown first. */
  readonly newest?: boolean;
  /** The command that shows the rest. */
  readonly rest?: string;
}

export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns: all, rows, idOf, empty, max = 500, newest, rest } = props;
  if (rows.length === 0) return <p class="none">{empty ?? "None."}</p>;
  const columns = all.filter(({ isEmpty }) => isEmpty === undefined || !rows.every(isEmpty));
  return (
    <InPieces of={rows} max={max} newest={newest} command={rest}>
      {(shown) => (
        <table>
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr>
              {columns.map(({ label, kind }) => (
                <th scope="col" key={label} class={kind}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={idOf(row)} data-row={idOf(row)}>
                {columns.map(({ label, cell, kind }) => (
                  <td key={label} class={kind} data-label={label}>
                    <div>{cell(row)}</div>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </InPieces>
  );
}
