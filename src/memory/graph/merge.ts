/** Merges the content of a file into the graph. Merging the same file again adds nothing. */
import type { GraphRows } from "./additions.ts";
import type { GraphContent, MergeCounts, SeenCounts } from "./graph.ts";
import type { Entity, Relation } from "./shapes.ts";

/** Each item with the number of equal items before it in the file. */
interface NumberedContent {
  readonly entities: readonly (readonly [Entity, number])[];
  readonly relations: readonly (readonly [Relation, number])[];
}

export function numberRepeats({ entities, relations }: GraphContent, seen: SeenCounts): NumberedContent {
  const before = (key: string) => {
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return count;
  };
  return {
    entities: entities.map((entity) => [entity, before(JSON.stringify(entity.name))] as const),
    relations: relations.map((relation) => {
      const { from, to, relationType } = relation;
      return [relation, before(JSON.stringify([from, to, relationType]))] as const;
    }),
  };
}

export function mergeInto(rows: GraphRows, { entities, relations }: NumberedContent): MergeCounts {
  const merged = { entities: 0, observations: 0, relations: 0 };
  for (const [entity, before] of entities) {
    const existing = rows.entities.idsOf(entity.name)[before];
    if (existing === undefined) {
      rows.entities.create(entity);
      merged.entities += 1;
      merged.observations += entity.observations.length;
    } else {
      merged.observations += rows.entities.observe(existing, [...new Set(entity.observations)]).length;
    }
  }
  for (const [relation, before] of relations) {
    if (rows.relations.count(relation) > before) continue;
    rows.relations.create(relation);
    merged.relations += 1;
  }
  return merged;
}
