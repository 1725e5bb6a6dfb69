/** The knowledge graph of the repository that a folder lies in, for programs outside a dispatch. */
import { mkdir } from "node:fs/promises";
import { environment, variable } from "../../config/env.ts";
import { stateHome } from "../../config/home.ts";
import { openRepository } from "../../git/repository.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Graph } from "./graph.ts";
import { openGraph } from "./open.ts";
import { openWithDialogues, type Dialogues } from "./dialogue-graph.ts";

export interface GraphHere {
  /** Top level of the repository's main checkout. */
  readonly root: string;
  /** Folder of the state; there only when something was kept. */
  readonly home: string;
  /** Opens the store, making it where it is missing. Close it when done. */
  readonly open: () => Promise<Graph>;
  /** With every dialogue of the repository as an entity, which `observe` adds to. */
  readonly openWithDialogues: (observe: Dialogues["observe"]) => Promise<Graph>;
}

export async function graphHere(cwd: string): Promise<GraphHere> {
  const env = environment();
  const repository = await openRepository(cwd, {
    path: variable("PATH", env) ?? "/usr/bin:/bin",
    mayBeEmpty: true,
  });
  const home = stateHome({ repository: repository.id, env, cwd }).root;
  const made = async () => {
    await mkdir(home, { recursive: true, mode: 0o700 });
    return { home, clock: systemClock };
  };
  return {
    root: repository.root,
    home,
    open: async () => openGraph(await made()),
    openWithDialogues: async (observe) => openWithDialogues(await made(), { sees: () => true, observe }),
  };
}
