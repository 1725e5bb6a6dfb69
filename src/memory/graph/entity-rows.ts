/** The rows of entities and their observations. The caller holds a transaction. */
import { checksum } from "../../journal/checksum.ts";
import type { Statements } from "../../journal/statements.ts";
import type { Entity } from "./shapes.ts";
import { firstObservation, namePlace, numbers, textsOf, typePlace } from "./texts.ts";

/** SQL that builds the JSON of one entity: one row per observation would cost most of the time. */
const asJson = `'{"name":' || name || ',"entityType":' || type || ',"observations":[' || coalesce((
  SELECT group_concat(content, ',') FROM (SELECT content FROM graph_observations WHERE entity = e.id ORDER BY place)
), '') || ']}'`;

export function entityRows(sql: Statements) {
  const texts = textsOf(sql);
  const has = (entity: number, json: string) => placesWith(entity, json).length > 0;
  const placesWith = (entity: number, json: string) =>
    numbers(
      sql.each(
        "SELECT place FROM graph_observations WHERE entity = ? AND mark = ? AND content = ?",
        entity,
        checksum(json),
        json,
      ),
    );
  const append = (entity: number, from: number, contents: readonly string[]) => {
    for (const [index, content] of contents.entries()) {
      const json = JSON.stringify(content);
      const place = from + index;
      sql.run(
        "INSERT INTO graph_observations (entity, place, mark, content) VALUES (?, ?, ?, ?)",
        entity,
        place,
        checksum(json),
        json,
      );
      texts.keep(entity, place, content);
    }
  };
  const drop = (entity: number) => {
    texts.dropAll(entity);
    sql.run("DELETE FROM graph_observations WHERE entity = ?", entity);
    sql.run("DELETE FROM graph_entities WHERE id = ?", entity);
  };

  return {
    /** Ids of all entities with this name, oldest first. */
    idsOf: (name: string): readonly number[] =>
      numbers(sql.each("SELECT id FROM graph_entities WHERE name = ? ORDER BY id", JSON.stringify(name))),

    create({ name, entityType, observations }: Entity): void {
      const [row] = sql.first(
        "INSERT INTO graph_entities (name, type) VALUES (?, ?) RETURNING id",
        JSON.stringify(name),
        JSON.stringify(entityType),
      ) ?? [0];
      const entity = Number(row);
      texts.keep(entity, namePlace, name);
      texts.keep(entity, typePlace, entityType);
      append(entity, firstObservation, observations);
    },

    /** Adds the new observations and returns them; a new one that is given twice is added twice. */
    observe(entity: number, contents: readonly string[]): readonly string[] {
      const added = contents.filter((content) => !has(entity, JSON.stringify(content)));
      const [last] = sql.first(
        "SELECT coalesce(max(place), ?) FROM graph_observations WHERE entity = ?",
        firstObservation - 1,
        entity,
      ) ?? [firstObservation - 1];
      append(entity, Number(last) + 1, added);
      return added;
    },

    forget(entity: number, contents: readonly string[]): void {
      for (const place of contents.flatMap((content) => placesWith(entity, JSON.stringify(content)))) {
        texts.drop(entity, place);
        sql.run("DELETE FROM graph_observations WHERE entity = ? AND place = ?", entity, place);
      }
    },

    drop,
    entitiesWith: texts.entitiesWith,

    all: (): Entity[] =>
      parsed(
        sql.first(`SELECT group_concat(${asJson}, ',') FROM (SELECT * FROM graph_entities ORDER BY id) e`),
      ),
    /** In insertion order. */
    some: (ids: readonly number[]): Entity[] =>
      parsed(
        sql.first(
          `SELECT group_concat(${asJson}, ',') FROM (
             SELECT * FROM graph_entities WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id
           ) e`,
          JSON.stringify(ids),
        ),
      ),
  };
}

/** Parses rows without validation, because Mettle has written them. */
export function parsed<Item>(row: readonly unknown[] | null): Item[] {
  const text = row?.[0];
  return typeof text === "string" ? JSON.parse(`[${text}]`) : [];
}
