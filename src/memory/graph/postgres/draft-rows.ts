/** The rows that a draft reads and writes. */
import { searchable, placeholder } from "../fold.ts";
import type { Entity, Relation } from "../shapes.ts";
import { marked } from "./marks.ts";
import type { GraphWrite } from "./write.ts";

/** Of an entity that is not inserted yet, the id is -1 for the first, -2 for the second and so on. */
export interface NewObservation {
  readonly entity: number;
  readonly place: number;
  readonly content: string;
}

/** Oldest first. */
export async function readEntities({ sql, repository }: GraphWrite, names: readonly string[]) {
  if (names.length === 0) return [];
  const { json, marks } = marked(names);
  const rows = await sql(
    `SELECT id, name, (
       SELECT coalesce(max(place), -1) + 1 FROM mettle.graph_observations WHERE repository = $1 AND entity = one.id
     )
     FROM mettle.graph_entities AS one
     WHERE repository = $1 AND (mark, name) IN (SELECT * FROM unnest($2::bigint[], $3::text[])) ORDER BY id`,
    repository,
    marks,
    json,
  );
  return rows.map(([id, name, nextPlace]) => ({
    id: Number(id),
    name: textOf(name),
    nextPlace: Number(nextPlace),
  }));
}

/** Those of the contents that their entity has. */
export async function readContents(
  { sql, repository }: GraphWrite,
  asked: readonly { readonly entity: number; readonly content: string }[],
) {
  if (asked.length === 0) return [];
  const { json, marks } = marked(asked.map(({ content }) => content));
  const rows = await sql(
    `SELECT DISTINCT one.entity, one.content FROM mettle.graph_observations AS one
     JOIN unnest($2::int[], $3::bigint[], $4::text[]) AS asked (entity, mark, content) USING (entity, mark, content)
     WHERE one.repository = $1`,
    repository,
    asked.map(({ entity }) => entity),
    marks,
    json,
  );
  return rows.map(([entity, content]) => ({ entity: Number(entity), content: textOf(content) }));
}

/** How often each of the relations is there; those that are not are left out. */
export async function readCounts({ sql, repository }: GraphWrite, relations: readonly Relation[]) {
  if (relations.length === 0) return [];
  const { sources, targets, types } = endsOf(relations);
  const rows = await sql(
    `SELECT source, target, type, count(*) FROM mettle.graph_relations
     WHERE repository = $1 AND (source_mark, source, target, type) IN (
       SELECT * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[])
     ) GROUP BY source, target, type`,
    repository,
    sources.marks,
    sources.json,
    targets.json,
    types.json,
  );
  return rows.map(([source, target, type, count]) => ({
    relation: { from: textOf(source), to: textOf(target), relationType: textOf(type) },
    count: Number(count),
  }));
}

/** Inserts the entities under the next ids, and the observations. */
export async function insertEntities(
  { sql, repository }: GraphWrite,
  entities: readonly Entity[],
  observations: readonly NewObservation[],
): Promise<void> {
  const names = marked(entities.map(({ name }) => name));
  const contents = marked(observations.map(({ content }) => content));
  await sql(
    `WITH last AS (SELECT coalesce(max(id), 0) AS id FROM mettle.graph_entities WHERE repository = $1),
     made AS (
       INSERT INTO mettle.graph_entities (repository, id, mark, name, type, folded)
       SELECT $1, last.id + line.nth, mark, name, type, folded
       FROM last, unnest($2::bigint[], $3::text[], $4::text[], $5::text[])
         WITH ORDINALITY AS line (mark, name, type, folded, nth)
     )
     INSERT INTO mettle.graph_observations (repository, entity, place, mark, content, folded)
     SELECT $1, CASE WHEN entity < 0 THEN last.id - entity ELSE entity END, place, mark, content, folded
     FROM last, unnest($6::int[], $7::int[], $8::bigint[], $9::text[], $10::text[])
       AS line (entity, place, mark, content, folded)`,
    repository,
    names.marks,
    names.json,
    marked(entities.map(({ entityType }) => entityType)).json,
    // No query that the store answers alone has the placeholder, so none is found across name and type.
    entities.map(({ name, entityType }) => [name, entityType].map(searchable).join(placeholder)),
    observations.map(({ entity }) => entity),
    observations.map(({ place }) => place),
    contents.marks,
    contents.json,
    observations.map(({ content }) => searchable(content)),
  );
}

export async function insertRelations(
  { sql, repository }: GraphWrite,
  relations: readonly Relation[],
): Promise<void> {
  const { sources, targets, types } = endsOf(relations);
  await sql(
    `INSERT INTO mettle.graph_relations (repository, id, source_mark, source, target_mark, target, type)
     SELECT $1, last.id + line.nth, source_mark, source, target_mark, target, type
     FROM (SELECT coalesce(max(id), 0) AS id FROM mettle.graph_relations WHERE repository = $1) AS last,
       unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[])
         WITH ORDINALITY AS line (source_mark, source, target_mark, target, type, nth)`,
    repository,
    sources.marks,
    sources.json,
    targets.marks,
    targets.json,
    types.json,
  );
}

function endsOf(relations: readonly Relation[]) {
  return {
    sources: marked(relations.map(({ from }) => from)),
    targets: marked(relations.map(({ to }) => to)),
    types: marked(relations.map(({ relationType }) => relationType)),
  };
}

function textOf(json: unknown): string {
  return String(JSON.parse(String(json)));
}
