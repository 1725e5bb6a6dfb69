/** Reads what a repository remembers, in parts that a page can hold. Writes nothing. */
import { existsSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { StateHome } from "../config/home.ts";
import { hasStore, openHomeObservations } from "../journal/home-store.ts";
import type { Observations } from "../journal/observations.ts";
import type { Clock } from "../lib/clock.ts";
import { bankStates } from "../memory/bank/bank-state.ts";
import { bankFolder, readBank } from "../memory/bank/files.ts";
import type { GraphContent } from "../memory/graph/graph.ts";
import { openHomeGraph } from "../memory/graph/home-graph.ts";
import { cleaned } from "../views/model/clean.ts";
import type {
  BankModel,
  DialogueModel,
  GraphModel,
  MemoryModel,
  ObservationModel,
} from "../views/model/memory-model.ts";

export interface MemoryPlace {
  /** The checkout with the memory bank; null: it is gone. */
  readonly folder: string | null;
  readonly home: StateHome;
  readonly clock: Clock;
}

const maxFiles = 100;
const maxFileChars = 200_000;
const maxEntities = 200;
const maxRelations = 500;
const maxObservations = 20;
const maxObservationChars = 2_000;
const maxDialogues = 500;
const maxLines = 2_000;

/** @param query what entities must contain; empty: everything */
export async function readMemory(place: MemoryPlace, query: string): Promise<MemoryModel> {
  const [bank, dialogues, graph] = await Promise.all([
    place.folder === null ? null : readBankModel(place.folder),
    withObservations(place, [], dialoguesOf),
    readGraph(place, query),
  ]);
  return cleaned<MemoryModel>({ bank, dialogues, graph });
}

async function readBankModel(folder: string): Promise<BankModel> {
  try {
    const files = await readBank(folder);
    const shown = files.length === 0 ? [] : bankStates(files).slice(0, maxFiles);
    return {
      exists: existsSync(join(folder, bankFolder)),
      fault: null,
      files: await Promise.all(
        shown.map(async ({ text, ...file }) => ({
          ...file,
          text: text.slice(0, maxFileChars),
          cut: text.length > maxFileChars,
          changedAt: (await lstat(join(folder, file.path)).catch(() => null))?.mtime.toISOString() ?? null,
        })),
      ),
    };
  } catch (error) {
    return { exists: true, files: [], fault: error instanceof Error ? error.message : String(error) };
  }
}

async function dialoguesOf(store: Observations): Promise<readonly DialogueModel[]> {
  const all = (await store.dialogues()).toReversed().slice(0, maxDialogues);
  return Promise.all(
    all.map(async (dialogue) => ({
      ...dialogue,
      observations: (await linesOf(store, dialogue.name)).length,
    })),
  );
}

/** The observations of one dialogue, in order of writing. */
export async function readDialogue(place: MemoryPlace, name: string): Promise<readonly ObservationModel[]> {
  return cleaned(
    await withObservations(place, [], async (store) =>
      (await linesOf(store, name)).map(({ id, round, agent, at, content }) => ({
        id,
        round,
        agent,
        at,
        content,
      })),
    ),
  );
}

function linesOf(store: Observations, session: string) {
  return store.query({ session, round: null, agent: null, at: null }, { limit: maxLines });
}

/** A store that does not exist is not made. */
async function withObservations<Value>(
  { home, clock }: MemoryPlace,
  none: Value,
  read: (store: Observations) => Promise<Value>,
): Promise<Value> {
  if (!hasStore(home)) return none;
  const store = await openHomeObservations(home, clock);
  try {
    return await read(store);
  } finally {
    await store.close();
  }
}

async function readGraph({ home, clock }: MemoryPlace, query: string): Promise<GraphModel> {
  if (!hasStore(home)) return { entities: 0, relations: 0, found: 0, shown: [], links: [] };
  const graph = await openHomeGraph(home, clock);
  try {
    const all = await graph.read();
    return graphModel(all, query === "" ? all : await graph.search(query));
  } finally {
    await graph.close();
  }
}

function graphModel(all: GraphContent, { entities, relations }: GraphContent): GraphModel {
  const shown = entities.slice(0, maxEntities);
  const names = new Set(shown.map(({ name }) => name));
  return {
    entities: all.entities.length,
    relations: all.relations.length,
    found: entities.length,
    shown: shown.map(({ name, entityType, observations }) => ({
      name,
      type: entityType,
      observations: observations.slice(0, maxObservations).map((text) => text.slice(0, maxObservationChars)),
      more: Math.max(0, observations.length - maxObservations),
    })),
    links: relations
      .filter(({ from, to }) => names.has(from) || names.has(to))
      .slice(0, maxRelations)
      .map(({ from, to, relationType }) => ({ from, to, type: relationType })),
  };
}
