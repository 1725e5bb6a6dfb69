/** Opens the knowledge graph of the repository around a folder, for programs outside of a dispatch. */
import { mkdir } from "node:fs/promises";
import { environment, programPath } from "../../config/env.ts";
import { stateHome } from "../../config/home.ts";
import { openRepository } from "../../git/repository.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Graph } from "./graph.ts";
import { openGraph } from "./open.ts";
import { openWithDialogues, type Dialogues } from "./dialogue-graph.ts";

export interface RepositoryGraph {
  /** Top level of the repository's main checkout. */
  readonly root: string;
  /** The state home; missing until something is stored. */
  readonly home: string;
  /** Opens the store, or creates it. The caller closes it. */
  readonly open: () => Promise<Graph>;
  /** Also shows every dialogue of the repository as an entity; `observe` adds to it. */
  readonly openWithDialogues: (observe: Dialogues["observe"]) => Promise<Graph>;
}

export async function repositoryGraph(cwd: string): Promise<RepositoryGraph> {
  const env = environment();
  const repository = await openRepository(cwd, {
    path: programPath(env),
    mayBeEmpty: true,
  });
  const home = stateHome({ repository: repository.id, env, cwd }).root;
  const createHome = async () => {
    await mkdir(home, { recursive: true, mode: 0o700 });
    return { home, clock: systemClock };
  };
  return {
    root: repository.root,
    home,
    open: async () => openGraph(await createHome()),
    openWithDialogues: async (observe) =>
      openWithDialogues(await createHome(), { sees: () => true, observe }),
  };
}
