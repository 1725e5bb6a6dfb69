import type { Database } from "libsql";

export type Row = readonly unknown[];

/** Prepared statements by their text, each made once. Rows come as lists of values. */
export interface Statements {
  run(text: string, ...values: readonly unknown[]): void;
  first(text: string, ...values: readonly unknown[]): Row | null;
  /** Read it to the end: a statement left in the middle keeps its lock. */
  each(text: string, ...values: readonly unknown[]): Iterable<unknown>;
}

export function statements(db: Database): Statements {
  const prepare = (text: string) => {
    const statement = db.prepare(text);
    return statement.reader ? statement.raw() : statement;
  };
  const prepared = new Map<string, ReturnType<typeof prepare>>();
  const get = (text: string) => {
    const known = prepared.get(text) ?? prepare(text);
    prepared.set(text, known);
    return known;
  };
  return {
    run: (text, ...values) => void get(text).run(...values),
    first: (text, ...values) => asRow(get(text).get(...values)),
    each: (text, ...values) => get(text).iterate(...values),
  };
}

export function asRow(value: unknown): Row | null {
  return Array.isArray(value) ? value : null;
}
