/** Long lists in pieces: a live page draws few rows and more on demand; a page to keep draws as much as it may at once. */
import { createContext, type ComponentChildren } from "preact";
import { useContext, useState } from "preact/hooks";
import { countText } from "./words.ts";

/** Whether someone can ask for more rows, by the script of the page. */
export const IsLive = createContext(false);

/** Rows at first, and those that one click adds; of large ones fewer. */
const small = { first: 25, more: 200 };
const large = { first: 5, more: 20 };

export interface PiecesProps<Row> {
  readonly of: readonly Row[];
  /** The most that a page without a script draws. */
  readonly max: number;
  /** The rows are in order of time: the newest are drawn. */
  readonly newest?: boolean | undefined;
  readonly isLarge?: boolean;
  /** The command that shows what is left out. */
  readonly command?: string | undefined;
  readonly children: (shown: readonly Row[]) => ComponentChildren;
}

export function InPieces<Row>(props: PiecesProps<Row>) {
  const { of: rows, max, newest = false, isLarge = false, command, children } = props;
  const isLive = useContext(IsLive);
  const [added, setAdded] = useState(0);
  const { first, more } = isLarge ? large : small;
  const count = isLive ? first + added : max;
  const left = Math.max(0, rows.length - count);
  const words = countText(left, newest ? "earlier row" : "more row");
  const rest =
    left === 0 ? null : isLive ? (
      <p class="rest">
        <button type="button" onClick={() => setAdded(added + more)}>
          {left <= more ? `Show ${words}` : `Show ${more} of ${words}`}
        </button>
      </p>
    ) : (
      <LeftOut words={words} command={command} />
    );
  return (
    <>
      {newest ? rest : null}
      {children(newest ? rows.slice(left) : rows.slice(0, count))}
      {newest ? null : rest}
    </>
  );
}

/** Says what is left out, and how to see it. */
export function Rest({ count, command }: { readonly count: number; readonly command?: string }) {
  return count <= 0 ? null : <LeftOut words={countText(count, "more row")} command={command} />;
}

function LeftOut({ words, command }: { readonly words: string; readonly command?: string | undefined }) {
  return (
    <p class="rest">
      {words} left out
      {command === undefined ? (
        "."
      ) : (
        <>
          : <code>{command}</code>
        </>
      )}
    </p>
  );
}
