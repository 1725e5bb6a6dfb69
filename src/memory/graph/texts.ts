/** Where a text of the graph stands: every name, type and observation in lower case, found by any three letters of it. */
import type { Statements } from "../../journal/statements.ts";

/** Texts of one entity: its name, its type, then its observations. */
export const namePlace = 0;
export const typePlace = 1;
export const firstObservation = 2;
/** Ids of texts hold the entity's id above these bits, exactly as long as there are fewer than 2^29 entities. */
const placesOfEntity = 2 ** 24;

/** SQLite cannot hold a NUL nor half a character; what stands for one in the index matches no query that is asked of it. */
const placeholder = "\ufffd";

export function textsOf(sql: Statements) {
  return {
    keep(entity: number, place: number, text: string): void {
      sql.run(
        "INSERT INTO graph_texts (rowid, text) VALUES (?, ?)",
        idOf(entity, place),
        indexable(fold(text)),
      );
    },
    drop(entity: number, place: number): void {
      sql.run("DELETE FROM graph_texts WHERE rowid = ?", idOf(entity, place));
    },
    dropAll(entity: number): void {
      // By their ids and not by a range: an entity's places are few, and known.
      const places = [
        namePlace,
        typePlace,
        ...numbers(sql.each("SELECT place FROM graph_observations WHERE entity = ?", entity)),
      ];
      for (const place of places) sql.run("DELETE FROM graph_texts WHERE rowid = ?", idOf(entity, place));
    },

    /** Ids of the entities with the query in one of their texts; null where the index cannot tell. */
    entitiesWith(query: string): readonly number[] | null {
      const wanted = fold(query);
      if (wanted.includes("\u0000") || wanted.includes(placeholder) || indexable(wanted) !== wanted)
        return null;
      const found = numbers(candidates(sql, wanted)).map((id) => Math.floor(id / placesOfEntity));
      return [...new Set(found)].toSorted((a, b) => a - b);
    },
  };
}

/** As server-memory compares. */
export function fold(text: string): string {
  return text.toLowerCase();
}

/** More would only narrow what `instr` decides anyway. */
const mostTriples = 16;

/** The index knows three letters in a row and no fewer; a shorter query reads every text. */
function candidates(sql: Statements, wanted: string): Iterable<unknown> {
  const letters = [...wanted];
  if (letters.length < 3) return sql.each("SELECT id FROM graph_texts_content WHERE instr(c0, ?)", wanted);
  return sql.each(
    "SELECT rowid FROM graph_texts WHERE graph_texts MATCH ? AND instr(text, ?)",
    triplesOf(letters).join(" AND "),
    wanted,
  );
}

/** Side by side and the last one: each further one costs a list to read and rules out little. */
function triplesOf(letters: readonly string[]): readonly string[] {
  const last = letters.length - 3;
  const starts = [...letters.keys()].filter((at) => at === last || (at < last && at % 3 === 0));
  const triples = starts.map((at) => letters.slice(at, at + 3).join(""));
  return [...new Set(triples)].slice(-mostTriples).map((triple) => `"${triple.replaceAll('"', '""')}"`);
}

function idOf(entity: number, place: number): number {
  return entity * placesOfEntity + place;
}

function indexable(text: string): string {
  return text.replaceAll("\u0000", placeholder).replace(/\p{Surrogate}/gu, placeholder);
}

export function numbers(rows: Iterable<unknown>): number[] {
  const found: number[] = [];
  for (const row of rows) if (Array.isArray(row)) found.push(Number(row[0]));
  return found;
}
