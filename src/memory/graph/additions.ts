/** What the calls that add do with the rows of a graph, for both stores: what is there already is not added. */
import { AppError } from "../../lib/errors.ts";
import type { Addition, AdditionResult, Entity, Relation } from "./shapes.ts";

/** The rows, inside of a transaction. */
export interface GraphRows {
  readonly entities: {
    /** Ids of all entities with this name, oldest first. */
    idsOf(name: string): readonly number[];
    create(entity: Entity): void;
    /** Adds the new observations and returns them; a new one that is given twice is added twice. */
    observe(entity: number, contents: readonly string[]): readonly string[];
  };
  readonly relations: {
    count(relation: Relation): number;
    create(relation: Relation): void;
  };
}

/** All names are looked up before the first write: duplicates in one call are kept, as in server-memory. */
export function createEntities({ entities }: GraphRows, given: readonly Entity[]): readonly Entity[] {
  const fresh = given.filter(({ name }) => entities.idsOf(name).length === 0);
  for (const entity of fresh) entities.create(entity);
  return fresh;
}

export function createRelations({ relations }: GraphRows, given: readonly Relation[]): readonly Relation[] {
  const fresh = given.filter((relation) => relations.count(relation) === 0);
  for (const relation of fresh) relations.create(relation);
  return fresh;
}

/** @throws entity_unknown */
export function addObservations(
  { entities }: GraphRows,
  additions: readonly Addition[],
): readonly AdditionResult[] {
  return additions.map(({ entityName, contents }) => {
    const [entity] = entities.idsOf(entityName);
    // The message is that of server-memory, because clients read it.
    if (entity === undefined)
      throw new AppError("entity_unknown", `Entity with name ${entityName} not found`, {
        hint: "Create it with create_entities, or look for its name with search_nodes.",
      });
    return { entityName, addedObservations: [...entities.observe(entity, contents)] };
  });
}
