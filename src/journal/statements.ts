import type { Database } from "libsql";

export type SqlRow = readonly unknown[];

/** Prepared statements, cached by text. Rows are lists of values. */
export interface Statements {
  run(text: string, ...values: readonly unknown[]): void;
  first(text: string, ...values: readonly unknown[]): SqlRow | null;
  /** Iterate to the end: an unfinished statement keeps its lock. */
  each(text: string, ...values: readonly unknown[]): Iterable<unknown>;
}

export function statements(db: Database): Statements {
  const prepare = (text: string) => {
    if (isSelect(text)) return prepareSelect(db, text);
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
    first: (text, ...values) => textsOf(get(text).get(...values)),
    *each(text, ...values) {
      for (const row of get(text).iterate(...values)) yield textsOf(row);
    },
  };
}

/** All rows of one select. */
export function selectAll(
  db: Database,
  text: string,
  values: readonly unknown[],
): readonly (SqlRow | null)[] {
  return prepareSelect(db, text)
    .all(...values)
    .map(textsOf);
}

export function asRow(value: unknown): SqlRow | null {
  return Array.isArray(value) ? value : null;
}

function isSelect(text: string): boolean {
  return /^\s*SELECT\b/i.test(text);
}

/**
 * Selects texts as bytes, because libsql aborts the process at invalid UTF-8. No table has blob columns. The rows of the
 * inner select keep their order.
 */
function prepareSelect(db: Database, text: string) {
  const names = db
    .prepare(text)
    .columns()
    .map((_, index) => `c${index}`);
  const values = names.map(
    (name) => `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) ELSE ${name} END`,
  );
  return db
    .prepare(`WITH found(${names.join(", ")}) AS (${text}) SELECT ${values.join(", ")} FROM found`)
    .raw();
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function textsOf(value: unknown): SqlRow | null {
  return asRow(value)?.map((item) => (item instanceof Uint8Array ? textOf(item) : item)) ?? null;
}

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw Object.assign(new Error("a text of the file is no UTF-8", { cause }), { rawCode: sqliteCorrupt });
  }
}

/** SQLite's code for a damaged file; `store-error.ts` maps it. */
const sqliteCorrupt = 11;
