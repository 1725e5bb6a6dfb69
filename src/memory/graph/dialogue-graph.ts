/**
 * The knowledge graph, extended by the dialogues of runs: each is an entity of type plan_loop or tdd_loop, named by its session, with
 * its OBS lines as observations (TDP-55). They come from the store of observations and are not rows of the graph. Dialogues are
 * append-only: additions go through `observe`.
 */
import { AppError } from "../../lib/errors.ts";
import type { Dialogue } from "../../journal/dialogues.ts";
import { printObservation } from "../../journal/observation-line.ts";
import type { StateHome } from "../../config/home.ts";
import { openHomeObservations } from "../../journal/home-store.ts";
import { checkObservation, type Observations } from "../../journal/observations.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Graph, GraphContent } from "./graph.ts";
import { openHomeGraph } from "./home-graph.ts";
import type { AdditionResult, Addition, Entity } from "./shapes.ts";

export interface Dialogues {
  /** Whether the caller may see the dialogue: within a dispatch only its own (TDP-54). */
  readonly sees: (dialogue: Dialogue) => boolean;
  /** Adds to the dialogue of the open dispatch. @returns the OBS line; rejects if the session is another one */
  readonly observe: (session: string, content: string) => Promise<string>;
}

export async function openWithDialogues(
  { home, clock }: { readonly home: StateHome; readonly clock: Clock },
  dialogues: Dialogues,
): Promise<Graph> {
  const [graph, store] = await Promise.all([openHomeGraph(home, clock), openHomeObservations(home, clock)]);
  return withDialogues(graph, store, dialogues);
}

/** Closing it closes both stores. */
export function withDialogues(graph: Graph, store: Observations, { sees, observe }: Dialogues): Graph {
  const all = () => store.dialogues();
  /** Adds the visible dialogues, and hides entities of the graph with the name of any dialogue. */
  const split = async (content: GraphContent, wanted: (entity: Entity) => boolean): Promise<GraphContent> => {
    const dialogues = await all();
    if (dialogues.length === 0) return content;
    const names = new Set(dialogues.map(({ name }) => name));
    const seen = await Promise.all(dialogues.filter(sees).map(entityOf));
    return {
      entities: [...content.entities.filter(({ name }) => !names.has(name)), ...seen.filter(wanted)],
      relations: content.relations,
    };
  };
  const entityOf = async ({ name, kind }: Dialogue): Promise<Entity> => {
    const lines = await store.query({ session: name, round: null, agent: null, at: null });
    return { name, entityType: kind, observations: lines.map(printObservation) };
  };
  /** Adds relations of dialogues: the graph has returned only those of its own entities. */
  const related = async (content: GraphContent): Promise<GraphContent> => {
    const names = new Set(content.entities.map(({ name }) => name));
    const isOfDialogue = (await all()).some(({ name }) => names.has(name));
    if (!isOfDialogue) return content;
    const { relations } = await graph.read();
    return { ...content, relations: relations.filter(({ from, to }) => names.has(from) || names.has(to)) };
  };
  const assertNone = async (names: readonly string[]) => {
    const found = (await all()).find(({ name }) => names.includes(name));
    if (found !== undefined) throw appendOnly(found.name);
  };

  return {
    ...graph,
    async createEntities(given) {
      const names = new Set((await all()).map(({ name }) => name));
      return graph.createEntities(given.filter(({ name }) => !names.has(name)));
    },
    async addObservations(additions) {
      const dialogues = new Map((await all()).map((dialogue) => [dialogue.name, dialogue]));
      const observed = additions.filter(({ entityName }) => dialogues.has(entityName));
      const kept = additions.filter(({ entityName }) => !dialogues.has(entityName));
      for (const addition of observed) assertOpen(dialogues.get(addition.entityName), addition);
      const added = new Map<Addition, AdditionResult>();
      const results = kept.length === 0 ? [] : await graph.addObservations(kept);
      for (const [index, addition] of kept.entries()) {
        const result = results[index];
        if (result !== undefined) added.set(addition, result);
      }
      for (const addition of observed) {
        const { entityName, contents } = addition;
        const lines: string[] = [];
        for (const content of contents) lines.push(await observe(entityName, content));
        added.set(addition, { entityName, addedObservations: lines });
      }
      return additions.flatMap((addition) => added.get(addition) ?? []);
    },
    async deleteEntities(names) {
      await assertNone(names);
      return graph.deleteEntities(names);
    },
    async deleteObservations(deletions) {
      await assertNone(deletions.map(({ entityName }) => entityName));
      return graph.deleteObservations(deletions);
    },
    read: async () => split(await graph.read(), () => true),
    async search(query) {
      const wanted = query.toLowerCase();
      const hasIt = ({ name, entityType, observations }: Entity) =>
        [name, entityType, ...observations].some((text) => text.toLowerCase().includes(wanted));
      return related(await split(await graph.search(query), hasIt));
    },
    open: async (names) => related(await split(await graph.open(names), ({ name }) => names.includes(name))),
    async close() {
      await Promise.all([graph.close(), store.close()]);
    },
  };
}

/** Called for all additions before the first is written. */
function assertOpen(dialogue: Dialogue | undefined, { entityName, contents }: Addition): void {
  if (dialogue?.closed != null)
    throw new AppError("session_closed", `the dialogue ${entityName} has ended`, {
      hint: "it can be read; add to the dialogue of the open dispatch",
    });
  for (const content of contents) checkObservation({ session: entityName, round: 0, agent: "MT", content });
}

function appendOnly(name: string): AppError {
  return new AppError("dialogue_is_append_only", `${name} is a dialogue and cannot be changed or deleted`, {
    hint: "only add_observations on the dialogue of the open dispatch is allowed",
  });
}

export function foreignSession(session: string, own: string | null): AppError {
  return new AppError("foreign_session", `session ${session} is not that of the open dispatch`, {
    hint: own === null ? "call next" : `add to ${own}`,
  });
}
