/** Horizontal bars of several parts, one row for each thing; each value is an attribute, so that a test reads what is drawn. */
import { Label } from "./label.tsx";

export interface BarPart {
  /** Names the colour and the kind of value. */
  readonly kind: string;
  readonly value: number;
  readonly title: string;
}

export interface BarRow {
  readonly id: string;
  readonly label: string;
  /** What its symbols mean. */
  readonly words?: string;
  readonly note: string;
  readonly parts: readonly BarPart[];
}

export interface BarsProps {
  /** Name of the picture, for tests and screen readers. */
  readonly name: string;
  readonly title: string;
  readonly rows: readonly BarRow[];
  readonly keys: readonly { readonly kind: string; readonly words: string }[];
}

const rowHeight = 40;

export function Bars({ name, title, rows, keys }: BarsProps) {
  const longest = Math.max(...rows.map(({ parts }) => sumOf(parts)), 0);
  return (
    <figure class="picture">
      <svg
        role="img"
        aria-label={title}
        width="100%"
        height={rows.length * rowHeight + 2}
        data-picture={name}
      >
        {rows.map((row, index) => (
          <Bar key={row.id} row={row} y={index * rowHeight} longest={longest} />
        ))}
      </svg>
      <figcaption>
        {keys.map(({ kind, words }) => (
          <span key={kind} class={`key ${kind}`}>
            {words}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function Bar({ row, y, longest }: { readonly row: BarRow; readonly y: number; readonly longest: number }) {
  const { id, label, words = "", note, parts } = row;
  let at = 0;
  return (
    <g data-bar={id}>
      <Label y={y + 15} name={label} words={words} />
      <text x="100%" y={y + 15} class="note" text-anchor="end">
        {note}
      </text>
      <rect x="0" y={y + 22} width="100%" height="8" rx="3" class="track" />
      {parts.map(({ kind, value, title }) => {
        const x = at;
        at += value;
        if (value <= 0 || longest <= 0) return null;
        return (
          <rect
            key={kind}
            x={`${percent(x / longest)}%`}
            y={y + 22}
            width={`${percent(value / longest)}%`}
            height="8"
            class={`bar ${kind}`}
            data-kind={kind}
            data-value={value}
          >
            <title>{title}</title>
          </rect>
        );
      })}
    </g>
  );
}

function sumOf(parts: readonly BarPart[]): number {
  return parts.reduce((sum, { value }) => sum + value, 0);
}

function percent(share: number): number {
  return Math.round(share * 10_000) / 100;
}
