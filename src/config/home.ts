import { isAbsolute, join, resolve } from "node:path";
import { environment, userHome, variable, type Env } from "./env.ts";
import { storePlace, type StorePlace } from "./store-place.ts";

/** The folders of one repository's state, outside the repository and its worktrees (CORE-95). Nothing is created. */
export interface StateHome {
  readonly root: string;
  readonly journal: string;
  readonly payloads: string;
  readonly worktrees: string;
  /** Configuration homes of agents. */
  readonly homes: string;
  readonly keys: string;
  /** File with the git directory that the state belongs to. */
  readonly owner: string;
  /** Where runs are stored: in this folder, or in a store that hosts share. */
  readonly store: StorePlace;
}

export interface StateHomeOptions {
  /** The repository's id, the same for all its worktrees. */
  readonly repository: string;
  readonly env?: Env;
  /** Base of relative values; default: the current folder. */
  readonly cwd?: string;
}

export function stateHome({
  repository,
  env = environment(),
  cwd = process.cwd(),
}: StateHomeOptions): StateHome {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(repository)) throw new Error(`not a repository id: ${repository}`);
  const root = join(stateRoot({ env, cwd }), repository);
  return {
    root,
    journal: join(root, "mettle.db"),
    payloads: join(root, "payloads"),
    worktrees: join(root, "worktrees"),
    homes: join(root, "homes"),
    keys: join(root, "keys"),
    owner: join(root, "git-dir"),
    store: storePlace(root),
  };
}

/** `$METTLE_HOME`, else `$XDG_STATE_HOME/mettle`, else `~/.local/state/mettle`: the parent of all state homes. */
export function stateRoot({
  env = environment(),
  cwd = process.cwd(),
}: Omit<StateHomeOptions, "repository"> = {}): string {
  const own = variable("METTLE_HOME", env);
  if (own !== null) return resolve(cwd, own);
  const shared = variable("XDG_STATE_HOME", env);
  // The XDG specification requires to ignore a relative value.
  if (shared !== null && isAbsolute(shared)) return join(shared, "mettle");
  return join(userHome(env), ".local", "state", "mettle");
}

/** What all repositories of this user share, in folders beside the state homes: results, usage limits, use by day. */
export const sharedNames = ["answers", "limits", "mutants", "used"] as const;

/** @param root the parent of all state homes @param name `gates` has the checkouts of gates that run now, `worker` what identifies a worker */
export function sharedFolder(root: string, name: (typeof sharedNames)[number] | "gates" | "worker"): string {
  return join(root, name);
}
