/** The name of a row of a picture: its symbol with what that means, on a phone only the meaning. */

export interface LabelProps {
  readonly y: number;
  /** The node or cycle that it belongs to. */
  readonly place?: string | null;
  readonly name: string;
  /** What its symbols mean; empty where the name says it. */
  readonly words?: string;
}

export function Label({ y, place = null, name, words = "" }: LabelProps) {
  return (
    <text x="0" y={y} class="label">
      {place === null ? "" : `${place}: `}
      {words === "" ? (
        name
      ) : (
        <>
          {/* An en space, which goes with the symbol. */}
          <tspan class="sign">{`${name}\u2002`}</tspan>
          <tspan class="note words">{words}</tspan>
        </>
      )}
    </text>
  );
}
