/** Opens the knowledge graph of the repository around a folder, for programs outside of a dispatch. */
import { mkdir } from "node:fs/promises";
import { environment, programPath } from "../../config/env.ts";
import { stateHome, type StateHome } from "../../config/home.ts";
import { openRepository } from "../../git/repository.ts";
import { settledHome } from "../../git/settle-store.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Graph } from "./graph.ts";
import { openHomeGraph } from "./home-graph.ts";
import { openWithDialogues, type Dialogues } from "./dialogue-graph.ts";

export interface RepositoryGraph {
  /** Top level of the repository's main checkout. */
  readonly root: string;
  /** The state home as it is now; missing until something is stored. */
  readonly home: () => StateHome;
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
  const createHome = async () => {
    const home = await settledHome(repository, { env, cwd });
    await mkdir(home.root, { recursive: true, mode: 0o700 });
    return home;
  };
  return {
    root: repository.root,
    home: () => stateHome({ repository: repository.id, env, cwd }),
    open: async () => openHomeGraph(await createHome(), systemClock),
    openWithDialogues: async (observe) =>
      openWithDialogues({ home: await createHome(), clock: systemClock }, { sees: () => true, observe }),
  };
}
