/** What a worker has on its host: an id, a key, and folders for the runs that it does. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { environment, userHome, variable } from "../config/env.ts";
import { sharedFolder, stateRoot } from "../config/home.ts";
import { currentHost } from "../config/owner.ts";
import { markShared, neededUrl, storePlace, type SharedPlace } from "../config/store-place.ts";
import { keyLoader, type KeyLoader } from "../evidence/keys.ts";

export interface WorkerPlace {
  /** Random id of this state root: of all hosts only one has it. */
  readonly id: string;
  /** For people, and unique: the host's name and the beginning of the id. */
  readonly name: string;
  readonly url: string;
  readonly key: KeyLoader;
  /** The folder of the key. */
  readonly keys: string;
  /** The clone and mirror of each run and repository. Outside of the state, which agents cannot see. */
  readonly clones: string;
}

/** Makes them at the first start. @throws store_url_missing, state_unwritable */
export async function workerPlace(): Promise<WorkerPlace> {
  const url = neededUrl("the jobs of a worker");
  const root = sharedFolder(stateRoot(), "worker");
  markShared(root, { repository: workers });
  const place = storePlace(root);
  const id = place.kind === "postgres" ? place.home : "";
  const cache = variable("XDG_CACHE_HOME") ?? join(userHome(environment()), ".cache");
  const clones = join(cache, "mettle", "worker", id);
  await mkdir(clones, { recursive: true, mode: 0o700 });
  const name = `${currentHost().name}-${id.slice(0, 6)}`;
  const keys = join(root, "keys");
  return { id, name, url, key: keyLoader(keys), keys, clones };
}

/** The store as of one repository. */
export function storeOf({ id, url }: WorkerPlace, repository: string): SharedPlace {
  return { kind: "postgres", repository, home: id, url };
}

/** In the store, the claims of workers are beside those of repositories, under a name that no repository has. */
export const workers = "*workers";
