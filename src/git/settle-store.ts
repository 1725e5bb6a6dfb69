/**
 * Where the runs of a repository are stored is decided once, by `mettle.yaml`, when its state home is made (SCL-01). Afterwards the
 * marker counts, and a run that starts with other settings is refused.
 */
import { existsSync } from "node:fs";
import { stateHome, type StateHome, type StateHomeOptions } from "../config/home.ts";
import { readOwnFile } from "../config/own-file.ts";
import { settingsFile } from "../config/settings-file.ts";
import { sharedName } from "../config/shared-name.ts";
import { markShared, type SharedName } from "../config/store-place.ts";
import type { Store } from "../config/store-schema.ts";
import { AppError } from "../lib/errors.ts";
import { text, tryGit } from "./git.ts";
import { inStore, type Repository } from "./repository.ts";

export interface SettleOptions extends Omit<StateHomeOptions, "repository"> {
  /** Of a worker: the repository's name in the shared store, and the id of its host. */
  readonly shared?: SharedName | undefined;
}

/**
 * The state home of a repository, for a program that may create something in it.
 * @throws store_unnamed, config_invalid, state_unwritable
 */
export async function settledHome(
  repository: Repository,
  { shared, ...options }: SettleOptions,
): Promise<StateHome> {
  const where = { ...options, repository: repository.id };
  const home = stateHome(where);
  if (home.store.kind === "postgres" || existsSync(home.journal)) return home;
  if (shared !== undefined) {
    markShared(home.root, shared);
    return stateHome(where);
  }
  const store = await statedStore(repository.root);
  if (store?.kind !== "postgres") return home;
  markShared(home.root, { repository: await sharedNameOf(repository, store) });
  return stateHome(where);
}

/** @throws store_mismatch if the settings of a run that starts say another store than that of the state home */
export function refuseOtherStore({ root, store }: StateHome, stated: Store | undefined): void {
  const wanted = stated ?? { kind: "local" };
  const isSame =
    wanted.kind === "postgres"
      ? store.kind === "postgres" && (wanted.repository ?? store.repository) === store.repository
      : store.kind === "local";
  if (isSame) return;
  const [named, asked] = [wordsOf(store), wordsOf(wanted)];
  throw new AppError("store_mismatch", `${settingsFile} says store: ${asked}, and the runs are in ${named}`, {
    hint: "Set `store` back, or end the runs and let this host begin anew with `mettle clean --all --yes`.",
    detail: { home: root, stated: asked, found: named },
  });
}

function wordsOf(store: Store): string {
  if (store.kind === "local") return "local";
  return store.repository === undefined ? "postgres" : `postgres, as ${store.repository}`;
}

/** Reads the settings, whose library takes long to load, only where they speak of a store. */
async function statedStore(root: string): Promise<Store | undefined> {
  const file = await readOwnFile(root, settingsFile);
  if (file === null || !new TextDecoder().decode(file).includes("store")) return undefined;
  const { loadSettings } = await import("../config/settings.ts");
  return (await loadSettings(root)).store;
}

/** The name that the settings, or else the remote `origin`, give a repository in the shared store. @throws store_unnamed */
export async function sharedNameOf(
  repository: Repository,
  stated: Extract<Store, { kind: "postgres" }>,
): Promise<string> {
  if (stated.repository !== undefined) return stated.repository;
  // As it is written there: what a user's settings make of it differs from host to host.
  const answer = await tryGit(inStore(repository), ["config", "--get", "remote.origin.url"]);
  const name = sharedName(text(answer.stdout));
  if (name !== null) return name;
  throw new AppError(
    "store_unnamed",
    "store: postgres needs a name of the repository that is equal on all hosts, and no remote origin gives one",
    { hint: `in ${settingsFile}: store: { kind: postgres, repository: acme/shop }` },
  );
}
