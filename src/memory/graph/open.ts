/** The knowledge graph in the repository's `mettle.db`, beside the journal. */
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

/** SQLite's own 2 MiB hold a graph of some thousand entities; a larger one would be read anew by every call. */
const cacheKiB = 32 * 1024;

export async function openGraph(options: GraphOptions): Promise<Graph> {
  const store = await openStore(options);
  store.db.exec(`PRAGMA cache_size = -${cacheKiB}`);
  const sql = statements(store.db);
  const entities = entityRows(sql);
  const relations = relationRows(sql);

  /** Only relations of what was found. */
  const withRelations = (found: Entity[]): GraphContent => ({
    entities: found,
    relations: found.length === 0 ? [] : relations.of([...new Set(found.map(({ name }) => name))]),
  });
  const firstOf = (name: string): number => {
    const [entity] = entities.idsOf(name);
    if (entity !== undefined) return entity;
    // The message is server-memory's, which clients read.
    throw new AppError("entity_unknown", `Entity with name ${name} not found`, {
      hint: "Create it with create_entities, or look for its name with search_nodes.",
    });
  };

  return {
    createEntities: (given) =>
      store.write(() => {
        // All are looked for before one is written: what one call names twice is kept twice, as server-memory does.
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
      // Counted once, although the transaction may run again.
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
