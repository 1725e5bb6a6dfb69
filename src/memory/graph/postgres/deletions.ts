import type { Deletion, Relation } from "../shapes.ts";
import { marked } from "./marks.ts";
import type { GraphWrite } from "./write.ts";

/** Each is one statement. */
export async function deleteEntities(
  { sql, repository }: GraphWrite,
  names: readonly string[],
): Promise<void> {
  const { json, marks } = marked(names);
  await sql(
    `WITH given AS (SELECT * FROM unnest($2::bigint[], $3::text[]) AS line (mark, name)),
     gone AS (
       DELETE FROM mettle.graph_entities WHERE repository = $1 AND (mark, name) IN (TABLE given) RETURNING id
     ),
     forgotten AS (
       DELETE FROM mettle.graph_observations WHERE repository = $1 AND entity IN (SELECT id FROM gone)
     )
     DELETE FROM mettle.graph_relations WHERE repository = $1 AND id IN (
       SELECT id FROM mettle.graph_relations WHERE repository = $1 AND (source_mark, source) IN (TABLE given)
       UNION SELECT id FROM mettle.graph_relations WHERE repository = $1 AND (target_mark, target) IN (TABLE given)
     )`,
    repository,
    marks,
    json,
  );
}

/** Of the oldest entity with the name. */
export async function deleteObservations(
  { sql, repository }: GraphWrite,
  deletions: readonly Deletion[],
): Promise<void> {
  const pairs = deletions.flatMap(({ entityName, observations }) =>
    observations.map((content) => ({ name: entityName, content })),
  );
  const names = marked(pairs.map(({ name }) => name));
  const contents = marked(pairs.map(({ content }) => content));
  await sql(
    `WITH given AS (
       SELECT * FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[]) AS line (name_mark, name, mark, content)
     ),
     oldest AS (
       SELECT name, min(id) AS entity FROM mettle.graph_entities
       WHERE repository = $1 AND (mark, name) IN (SELECT name_mark, name FROM given) GROUP BY name
     )
     DELETE FROM mettle.graph_observations AS one USING given JOIN oldest USING (name)
     WHERE one.repository = $1 AND one.entity = oldest.entity AND one.mark = given.mark AND one.content = given.content`,
    repository,
    names.marks,
    names.json,
    contents.marks,
    contents.json,
  );
}

export async function deleteRelations(
  { sql, repository }: GraphWrite,
  relations: readonly Relation[],
): Promise<void> {
  const from = marked(relations.map((one) => one.from));
  await sql(
    `DELETE FROM mettle.graph_relations
     WHERE repository = $1 AND (source_mark, source, target, type) IN (
       SELECT * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[])
     )`,
    repository,
    from.marks,
    from.json,
    marked(relations.map(({ to }) => to)).json,
    marked(relations.map(({ relationType }) => relationType)).json,
  );
}
