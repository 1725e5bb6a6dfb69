import type { PostgresStore } from "../../../journal/postgres/store.ts";
import { containing, fold, placeholder, searchable } from "../fold.ts";
import type { Graph, GraphContent } from "../graph.ts";
import { marked } from "./marks.ts";

/** What the calls that read find. Each is one statement, and so one state of the graph. */
export function graphContent({ repository, sql }: PostgresStore): Pick<Graph, "read" | "search" | "open"> {
  /** @param where the entities that are wanted; with null all, and all relations too */
  const select = async (where: string | null, ...values: readonly unknown[]): Promise<GraphContent> => {
    const rows = await sql(
      `WITH found AS MATERIALIZED (
         SELECT id, mark, name, type FROM mettle.graph_entities WHERE repository = $1 AND ${where ?? "true"}
       )
       SELECT false AS is_relation, id,
         '{"name":' || name || ',"entityType":' || type || ',"observations":[' || coalesce(contents, '') || ']}'
       FROM found LEFT JOIN (
         SELECT entity, string_agg(content, ',' ORDER BY place) AS contents FROM mettle.graph_observations
         WHERE repository = $1 ${where === null ? "" : "AND entity IN (SELECT id FROM found)"} GROUP BY entity
       ) AS seen ON seen.entity = found.id
       UNION ALL
       SELECT true, id, '{"from":' || source || ',"to":' || target || ',"relationType":' || type || '}'
       FROM mettle.graph_relations
       WHERE repository = $1 ${where === null ? "" : `AND id IN (${ofFound("source")} UNION ${ofFound("target")})`}
       ORDER BY is_relation, id`,
      repository,
      ...values,
    );
    return { entities: parsed(rows, false), relations: parsed(rows, true) };
  };

  return {
    read: () => select(null),
    open(names) {
      const { json, marks } = marked(names);
      return select("(mark, name) IN (SELECT * FROM unnest($2::bigint[], $3::text[]))", marks, json);
    },
    async search(query) {
      // At its ends a half of a surrogate pair may belong to a whole pair in a text.
      const wanted = searchable(fold(query).replace(/^\p{Surrogate}|\p{Surrogate}$/gu, ""));
      const found = await select(
        `id IN (
           SELECT id FROM mettle.graph_entities WHERE repository = $1 AND strpos(folded, $2) > 0
           UNION SELECT entity FROM mettle.graph_observations WHERE repository = $1 AND strpos(folded, $2) > 0
         )`,
        wanted,
      );
      const isExact = wanted === fold(query) && !wanted.includes(placeholder);
      return isExact ? found : narrowed(found, query);
    },
  };
}

/** The ids of relations with this end among the found entities. */
function ofFound(end: "source" | "target"): string {
  return `SELECT one.id FROM mettle.graph_relations AS one JOIN found ON found.mark = one.${end}_mark AND found.name = one.${end}
    WHERE one.repository = $1`;
}

/** Parses rows without validation, because Mettle has written them. */
function parsed<Item>(rows: readonly (readonly unknown[])[], isRelation: boolean): readonly Item[] {
  const texts = rows.filter(([which]) => which === isRelation).map(([, , json]) => String(json));
  return JSON.parse(`[${texts.join(",")}]`);
}

function narrowed({ entities, relations }: GraphContent, query: string): GraphContent {
  const found = entities.filter(containing(query));
  const names = new Set(found.map(({ name }) => name));
  return { entities: found, relations: relations.filter(({ from, to }) => names.has(from) || names.has(to)) };
}
