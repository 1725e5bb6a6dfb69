/** The rows of relations. The caller holds a transaction. */
import type { Statements } from "../../journal/statements.ts";
import { parsed } from "./entity-rows.ts";
import type { Relation } from "./shapes.ts";

const asJson = `'{"from":' || source || ',"to":' || target || ',"relationType":' || type || '}'`;
const same = "source = ? AND target = ? AND type = ?";

export function relationRows(sql: Statements) {
  return {
    count(relation: Relation): number {
      const [found] =
        sql.first(`SELECT count(*) FROM graph_relations WHERE ${same}`, ...values(relation)) ?? [];
      return Number(found);
    },
    create: (relation: Relation) =>
      sql.run("INSERT INTO graph_relations (source, target, type) VALUES (?, ?, ?)", ...values(relation)),
    drop: (relation: Relation) => sql.run(`DELETE FROM graph_relations WHERE ${same}`, ...values(relation)),
    dropOf(name: string): void {
      sql.run("DELETE FROM graph_relations WHERE source = ?", JSON.stringify(name));
      sql.run("DELETE FROM graph_relations WHERE target = ?", JSON.stringify(name));
    },

    all: (): Relation[] =>
      parsed(
        sql.first(`SELECT group_concat(${asJson}, ',') FROM (SELECT * FROM graph_relations ORDER BY id)`),
      ),
    /** The relations with at least one end among the names, in insertion order. */
    of: (names: readonly string[]): Relation[] => {
      const wanted = JSON.stringify(names.map((name) => JSON.stringify(name)));
      return parsed(
        sql.first(
          `SELECT group_concat(${asJson}, ',') FROM (
             SELECT * FROM graph_relations WHERE id IN (
               SELECT id FROM graph_relations WHERE source IN (SELECT value FROM json_each(?))
               UNION SELECT id FROM graph_relations WHERE target IN (SELECT value FROM json_each(?))
             ) ORDER BY id
           )`,
          wanted,
          wanted,
        ),
      );
    },
  };
}

function values({ from, to, relationType }: Relation): readonly string[] {
  return [from, to, relationType].map((text) => JSON.stringify(text));
}
