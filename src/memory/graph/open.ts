/** Opens the knowledge graph in the repository's `mettle.db`, beside the journal. */
import { statements } from "../../journal/statements.ts";
import { openStore, type StoreOptions } from "../../journal/store.ts";
import { addObservations, createEntities, createRelations } from "./additions.ts";
import { entityRows } from "./entity-rows.ts";
import { containing } from "./fold.ts";
import type { Graph, GraphContent } from "./graph.ts";
import { numberRepeats, mergeInto } from "./merge.ts";
import { relationRows } from "./relation-rows.ts";
import type { Entity } from "./shapes.ts";

export type GraphOptions = Pick<StoreOptions, "home" | "clock" | "lockTimeoutMs">;

/** SQLite's default of 2 MiB holds some thousand entities; every call would read a larger graph from disk again. */
const cacheKiB = 32 * 1024;

export async function openGraph(options: GraphOptions): Promise<Graph> {
  const store = await openStore(options);
  store.db.exec(`PRAGMA cache_size = -${cacheKiB}`);
  const sql = statements(store.db);
  const entities = entityRows(sql);
  const relations = relationRows(sql);
  const rows = { entities, relations };

  /** Adds the relations of the found entities. */
  const withRelations = (found: Entity[]): GraphContent => ({
    entities: found,
    relations: found.length === 0 ? [] : relations.of([...new Set(found.map(({ name }) => name))]),
  });

  return {
    createEntities: (given) => store.write(() => createEntities(rows, given)),
    createRelations: (given) => store.write(() => createRelations(rows, given)),
    addObservations: (additions) => store.write(() => addObservations(rows, additions)),
    deleteEntities: (names) =>
      store.write(() => {
        for (const name of names) {
          for (const entity of entities.idsOf(name)) entities.drop(entity);
          relations.dropOf(name);
        }
      }),
    deleteObservations: (deletions) =>
      store.write(() => {
        for (const { entityName, observations } of deletions) {
          const [entity] = entities.idsOf(entityName);
          if (entity !== undefined) entities.forget(entity, observations);
        }
      }),
    deleteRelations: (given) =>
      store.write(() => {
        for (const relation of given) relations.drop(relation);
      }),

    read: () => store.read(() => ({ entities: entities.all(), relations: relations.all() })),
    search: (query) =>
      store.read(() => {
        const ids = query === "" ? null : entities.entitiesWith(query);
        return withRelations(ids === null ? entities.all().filter(containing(query)) : entities.some(ids));
      }),
    open: (names) =>
      store.read(() =>
        withRelations(entities.some([...new Set(names)].flatMap((name) => entities.idsOf(name)))),
      ),
    merge: (content, seen) => {
      // Outside of the transaction, which may run twice.
      const counted = numberRepeats(content, seen);
      return store.write(() => mergeInto(rows, counted));
    },
    close: () => store.close(),
  };
}
