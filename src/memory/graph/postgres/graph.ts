import type { PostgresStore } from "../../../journal/postgres/store.ts";
import { addObservations, createEntities, createRelations, type GraphRows } from "../additions.ts";
import type { Graph } from "../graph.ts";
import { mergeInto, numberRepeats } from "../merge.ts";
import { graphContent } from "./content.ts";
import { deleteEntities, deleteObservations, deleteRelations } from "./deletions.ts";
import { readDraft, type DraftScope } from "./draft.ts";
import { writeGraph } from "./write.ts";

/** The knowledge graph of a repository on PostgreSQL. Closing it closes the store. */
export function postgresGraph(store: PostgresStore): Graph {
  /** Reads the rows that the call asks for, decides in memory, and writes what is new in bulk. */
  const add = <T>(scope: DraftScope, decide: (rows: GraphRows) => T): Promise<T> =>
    writeGraph(store, async (on) => {
      const draft = await readDraft(on, scope);
      const result = decide(draft);
      await draft.write();
      return result;
    });

  return {
    createEntities: (given) =>
      add({ entities: given.map(({ name }) => ({ name, contents: [] })) }, (rows) =>
        createEntities(rows, given),
      ),
    createRelations: (relations) => add({ relations }, (rows) => createRelations(rows, relations)),
    addObservations: (additions) =>
      add(
        { entities: additions.map(({ entityName, contents }) => ({ name: entityName, contents })) },
        (rows) => addObservations(rows, additions),
      ),
    deleteEntities: (names) => writeGraph(store, (on) => deleteEntities(on, names)),
    deleteObservations: (deletions) => writeGraph(store, (on) => deleteObservations(on, deletions)),
    deleteRelations: (relations) => writeGraph(store, (on) => deleteRelations(on, relations)),
    merge(content, seen) {
      // Outside of the transaction, which may run twice.
      const numbered = numberRepeats(content, seen);
      const entities = content.entities.map(({ name, observations }) => ({ name, contents: observations }));
      return add({ entities, relations: content.relations }, (rows) => mergeInto(rows, numbered));
    },
    ...graphContent(store),
    close: () => store.close(),
  };
}
