/** The full text index of the graph: every name, type and observation in lower case, by trigrams. */
import type { Statements } from "../../journal/statements.ts";
import { fold, placeholder, searchable } from "./fold.ts";

/** Positions of an entity's texts: its name, its type, then its observations. */
export const namePlace = 0;
export const typePlace = 1;
export const firstObservation = 2;
/** The id of a text is the entity's id times this plus its position; exact for fewer than 2^29 entities. */
const placesOfEntity = 2 ** 24;

export function textsOf(sql: Statements) {
  return {
    keep(entity: number, place: number, text: string): void {
      sql.run("INSERT INTO graph_texts (rowid, text) VALUES (?, ?)", idOf(entity, place), searchable(text));
    },
    drop(entity: number, place: number): void {
      sql.run("DELETE FROM graph_texts WHERE rowid = ?", idOf(entity, place));
    },
    dropAll(entity: number): void {
      // By id and not by range: an entity has few positions, and they are known.
      const places = [
        namePlace,
        typePlace,
        ...numbers(sql.each("SELECT place FROM graph_observations WHERE entity = ?", entity)),
      ];
      for (const place of places) sql.run("DELETE FROM graph_texts WHERE rowid = ?", idOf(entity, place));
    },

    /** Ids of the entities with the query in one of their texts; null if the index cannot answer. */
    entitiesWith(query: string): readonly number[] | null {
      const wanted = fold(query);
      if (wanted.includes(placeholder) || searchable(query) !== wanted) return null;
      const found = numbers(candidates(sql, wanted)).map((id) => Math.floor(id / placesOfEntity));
      return [...new Set(found)].toSorted((a, b) => a - b);
    },
  };
}

/** More trigrams only narrow a result that `instr` checks anyway. */
const maxTriples = 16;

/** The index needs three letters; a shorter query scans every text. */
function candidates(sql: Statements, wanted: string): Iterable<unknown> {
  const letters = [...wanted];
  if (letters.length < 3) return sql.each("SELECT id FROM graph_texts_content WHERE instr(c0, ?)", wanted);
  return sql.each(
    "SELECT rowid FROM graph_texts WHERE graph_texts MATCH ? AND instr(text, ?)",
    triplesOf(letters).join(" AND "),
    wanted,
  );
}

/** Adjacent trigrams and the last one: overlapping ones cost a read and exclude little. */
function triplesOf(letters: readonly string[]): readonly string[] {
  const last = letters.length - 3;
  const starts = [...letters.keys()].filter((at) => at === last || (at < last && at % 3 === 0));
  const triples = starts.map((at) => letters.slice(at, at + 3).join(""));
  return [...new Set(triples)].slice(-maxTriples).map((triple) => `"${triple.replaceAll('"', '""')}"`);
}

function idOf(entity: number, place: number): number {
  return entity * placesOfEntity + place;
}

export function numbers(rows: Iterable<unknown>): number[] {
  const found: number[] = [];
  for (const row of rows) if (Array.isArray(row)) found.push(Number(row[0]));
  return found;
}
