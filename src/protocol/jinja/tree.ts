/** The syntax tree of a Jinja template, and the error of parsing, checking and rendering. */
export type Expression =
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  | { readonly kind: "name"; readonly name: string; readonly line: number }
  | { readonly kind: "field"; readonly of: Expression; readonly name: string; readonly line: number }
  | { readonly kind: "index"; readonly of: Expression; readonly at: number; readonly line: number }
  | { readonly kind: "not"; readonly of: Expression }
  | { readonly kind: "and" | "or"; readonly left: Expression; readonly right: Expression }
  | Comparison
  | { readonly kind: "choice"; readonly if: Expression; readonly yes: Expression; readonly no: Expression }
  | FilterCall;

export interface Comparison {
  readonly kind: "compare";
  readonly operator: Operator;
  readonly left: Expression;
  readonly right: Expression;
  readonly line: number;
}

export const operators = ["==", "!=", "<", "<=", ">", ">=", "in", "not in"] as const;
export type Operator = (typeof operators)[number];

export interface FilterCall {
  readonly kind: "filter";
  readonly name: string;
  readonly of: Expression;
  /** Only literals: positional ones under `0`, named ones under their names. */
  readonly args: ReadonlyMap<string, string | number>;
  readonly line: number;
}

export interface For {
  readonly kind: "for";
  /** One name, or two to destructure pairs. */
  readonly names: readonly string[];
  readonly of: Expression;
  readonly body: Body;
  readonly otherwise: Body;
  readonly line: number;
}

export type Statement =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "print"; readonly value: Expression; readonly line: number }
  /** A value alone between two fence lines. */
  | {
      readonly kind: "fenced";
      readonly ticks: number;
      readonly info: string;
      readonly value: Expression;
      readonly line: number;
    }
  | {
      readonly kind: "if";
      readonly branches: readonly { readonly condition: Expression; readonly body: Body }[];
      readonly otherwise: Body;
    }
  | For;

export type Body = readonly Statement[];

export class JinjaFault extends Error {
  override readonly name = "JinjaFault";
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}
