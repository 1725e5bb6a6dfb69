/** Inputs and outputs of the knowledge graph's calls: the nine tools of server-memory, by name. */
import * as z from "zod";

export const Entity = z.object({
  name: z.string().describe("The name of the entity"),
  entityType: z.string().describe("The type of the entity"),
  observations: z.array(z.string()).describe("An array of observation contents associated with the entity"),
});
export const Relation = z.object({
  from: z.string().describe("The name of the entity where the relation starts"),
  to: z.string().describe("The name of the entity where the relation ends"),
  relationType: z.string().describe("The type of the relation"),
});
const Addition = z.object({
  entityName: z.string().describe("The name of the entity to add the observations to"),
  contents: z.array(z.string()).describe("An array of observation contents to add"),
});
const AdditionResult = z.object({ entityName: z.string(), addedObservations: z.array(z.string()) });
const Deletion = z.object({
  entityName: z.string().describe("The name of the entity containing the observations"),
  observations: z.array(z.string()).describe("An array of observations to delete"),
});

export type Entity = z.infer<typeof Entity>;
export type Relation = z.infer<typeof Relation>;
export type Addition = z.infer<typeof Addition>;
export type AdditionResult = z.infer<typeof AdditionResult>;
export type Deletion = z.infer<typeof Deletion>;

const content = z.object({ entities: z.array(Entity), relations: z.array(Relation) });
const done = z.object({ success: z.boolean(), message: z.string() });

export const graphShapes = {
  create_entities: {
    input: z.object({ entities: z.array(Entity) }),
    output: z.object({ entities: z.array(Entity) }),
  },
  create_relations: {
    input: z.object({ relations: z.array(Relation) }),
    output: z.object({ relations: z.array(Relation) }),
  },
  add_observations: {
    input: z.object({ observations: z.array(Addition) }),
    output: z.object({ results: z.array(AdditionResult) }),
  },
  delete_entities: {
    input: z.object({ entityNames: z.array(z.string()).describe("An array of entity names to delete") }),
    output: done,
  },
  delete_observations: { input: z.object({ deletions: z.array(Deletion) }), output: done },
  delete_relations: {
    input: z.object({ relations: z.array(Relation).describe("An array of relations to delete") }),
    output: done,
  },
  read_graph: { input: z.object({}), output: content },
  search_nodes: {
    input: z.object({
      query: z
        .string()
        .describe("The search query to match against entity names, types, and observation content"),
    }),
    output: content,
  },
  open_nodes: {
    input: z.object({ names: z.array(z.string()).describe("An array of entity names to retrieve") }),
    output: content,
  },
} as const;

export type GraphCall = keyof typeof graphShapes;

export function isGraphCall(name: string): name is GraphCall {
  return Object.hasOwn(graphShapes, name);
}
