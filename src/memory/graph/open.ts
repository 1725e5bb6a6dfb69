/** Opens the knowledge graph in the repository's `mettle.db`, beside the journal. */
import { statements } from "../../journal/statements.ts";
import { openStore, type StoreOptions } from "../../journal/store.ts";
import { AppError } from "../../lib/errors.ts";
import { entityRows } from "./entity-rows.ts";
import type { Graph, GraphContent } from "./graph.ts";
import { numberRepeats, mergeInto } from "./merge.ts";
import { relationRows } from "./relation-rows.ts";
import type { AdditionResult, Addition, Entity } from "./shapes.ts";
import { fold } from "./texts.ts";

export type GraphOptions = Pick<StoreOptions, "home" | "clock" | "lockTimeoutMs">;

/** SQLite's default of 2 MiB holds some thousand entities; every call would read a larger graph from disk again. */
const cacheKiB = 32 * 1024;

export async function openGraph(options: GraphOptions): Promise<Graph> {
  const store = await openStore(options);
  store.db.exec(`PRAGMA cache_size = -${cacheKiB}`);
  const sql = statements(store.db);
  const entities = entityRows(sql);
  const relations = relationRows(sql);

  /** Adds the relations of the found entities. */
  const withRelations = (found: Entity[]): GraphContent => ({
    entities: found,
    relations: found.length === 0 ? [] : relations.of([...new Set(found.map(({ name }) => name))]),
  });
  const firstOf = (name: string): number => {
    const [entity] = entities.idsOf(name);
    if (entity !== undefined) return entity;
    // The message is that of server-memory, because clients read it.
    throw new AppError("entity_unknown", `Entity with name ${name} not found`, {
      hint: "Create it with create_entities, or look for its name with search_nodes.",
    });
  };

  return {
    createEntities: (given) =>
      store.write(() => {
        // All names are looked up before the first write: duplicates in one call are kept, as in server-memory.
        const fresh = given.filter(({ name }) => entities.idsOf(name).length === 0);
        for (const entity of fresh) entities.create(entity);
        return fresh;
      }),
    createRelations: (given) =>
      store.write(() => {
        const fresh = given.filter((relation) => relations.count(relation) === 0);
        for (const relation of fresh) relations.create(relation);
        return fresh;
      }),
    addObservations: (additions) =>
      store.write(() =>
        additions.map(({ entityName, contents }: Addition): AdditionResult => ({
          entityName,
          addedObservations: [...entities.observe(firstOf(entityName), contents)],
        })),
      ),
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
      return store.write(() => mergeInto({ entities, relations }, counted));
    },
    close: () => store.close(),
  };
}

function containing(query: string): (entity: Entity) => boolean {
  const wanted = fold(query);
  return ({ name, entityType, observations }) =>
    [name, entityType, ...observations].some((text) => fold(text).includes(wanted));
}
