import type { GraphRows } from "../additions.ts";
import type { Entity, Relation } from "../shapes.ts";
import {
  insertEntities,
  insertRelations,
  readContents,
  readCounts,
  readEntities,
  type NewObservation,
} from "./draft-rows.ts";
import type { GraphWrite } from "./write.ts";

/** The part of the graph that a call asks for. */
export interface DraftScope {
  /** Names, with the contents of which it asks whether the entity has them. */
  readonly entities?: readonly { readonly name: string; readonly contents: readonly string[] }[];
  readonly relations?: readonly Relation[];
}

/** That part in memory, and what the call adds to it, so that many rows are written by one statement. */
export interface Draft extends GraphRows {
  write(): Promise<void>;
}

interface DraftEntity {
  /** Those that were asked for, and those that were added. */
  readonly contents: Set<string>;
  nextPlace: number;
}

export async function readDraft(
  on: GraphWrite,
  { entities = [], relations = [] }: DraftScope,
): Promise<Draft> {
  const idsOf = new Map<string, readonly number[]>();
  const drafts = new Map<number, DraftEntity>();
  for (const { id, name, nextPlace } of await readEntities(
    on,
    entities.map(({ name }) => name),
  )) {
    idsOf.set(name, [...(idsOf.get(name) ?? []), id]);
    drafts.set(id, { contents: new Set(), nextPlace });
  }
  const asked = entities.flatMap(({ name, contents }) =>
    (idsOf.get(name) ?? []).flatMap((entity) => contents.map((content) => ({ entity, content }))),
  );
  for (const { entity, content } of await readContents(on, asked)) drafts.get(entity)?.contents.add(content);
  const counts = new Map<string, number>();
  for (const { relation, count } of await readCounts(on, relations)) counts.set(keyOf(relation), count);
  const newEntities: Entity[] = [];
  const newObservations: NewObservation[] = [];
  const newRelations: Relation[] = [];

  const append = (entity: number, draft: DraftEntity, contents: readonly string[]) => {
    for (const content of contents) {
      newObservations.push({ entity, place: draft.nextPlace++, content });
      draft.contents.add(content);
    }
  };

  return {
    entities: {
      idsOf: (name) => idsOf.get(name) ?? [],
      create(entity) {
        newEntities.push(entity);
        // Counted from -1 down until the insert gives the next ids.
        const id = -newEntities.length;
        const draft = { contents: new Set<string>(), nextPlace: 0 };
        drafts.set(id, draft);
        idsOf.set(entity.name, [...(idsOf.get(entity.name) ?? []), id]);
        append(id, draft, entity.observations);
      },
      observe(entity, contents) {
        const draft = drafts.get(entity);
        if (draft === undefined) return [];
        const added = contents.filter((content) => !draft.contents.has(content));
        append(entity, draft, added);
        return added;
      },
    },
    relations: {
      count: (relation) => counts.get(keyOf(relation)) ?? 0,
      create(relation) {
        newRelations.push(relation);
        counts.set(keyOf(relation), (counts.get(keyOf(relation)) ?? 0) + 1);
      },
    },
    async write() {
      if (newEntities.length + newObservations.length > 0)
        await insertEntities(on, newEntities, newObservations);
      if (newRelations.length > 0) await insertRelations(on, newRelations);
    },
  };
}

const keyOf = ({ from, to, relationType }: Relation) => JSON.stringify([from, to, relationType]);
