/**
 * The workspace of a gate outside any run: its own folders below the state root, with an object store that borrows from the
 * repository. It never writes to the repository, even when killed; the next gate removes its leftovers.
 */
import { resultFiles } from "./result-files.ts";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { sharedFolder, stateRoot } from "../config/home.ts";
import { currentProcess } from "../config/owner.ts";
import { keyLoader, type KeyLoader } from "../evidence/keys.ts";
import { borrowStore } from "../git/objects/borrowed-store.ts";
import type { Repository } from "../git/repository.ts";
import { filePayloads } from "../journal/file-payloads.ts";
import type { Payloads } from "../journal/payloads.ts";
import { AppError } from "../lib/errors.ts";
import { newId } from "../lib/ids.ts";
import { checkoutsFolder, makeCheckoutsFolder } from "../proof/checkout/checkouts-folder.ts";
import { sweepCheckouts } from "../proof/checkout/checkout.ts";
import type { BaselineCache } from "../proof/ports.ts";
import type { Host } from "../run/context.ts";
import { hostOf } from "../run/host.ts";
import type { OpenedRepository } from "./open-for-gate.ts";

export interface GatePlace {
  /** New objects go to the store of this place. */
  readonly repository: Repository;
  readonly payloads: Payloads;
  /** Temporary key of this gate: it only chains its records. */
  readonly key: KeyLoader;
  readonly cache: BaselineCache;
  /** Results of mutants, which outlive this gate. */
  readonly results: BaselineCache;
  readonly home: { readonly worktrees: string };
  readonly host: Host;
}

/** Creates the place, runs `work` in it and removes it, also after an error. */
export async function withGatePlace<Value>(
  { repository, env, path, cwd }: OpenedRepository,
  work: (place: GatePlace) => Promise<Value>,
): Promise<Value> {
  const worktrees = sharedFolder(stateRoot({ env, cwd }), "gates");
  // Named like a checkout, so that `sweepCheckouts` removes it too.
  const name = `proof.${currentProcess().pid}.${newId()}`;
  const folder = join(await checkoutsFolder(worktrees), name);
  try {
    await makePlace(worktrees, folder);
    await sweepCheckouts(worktrees);
    return await work({
      repository: await borrowStore(repository, join(folder, "store")),
      payloads: filePayloads(join(folder, "payloads")),
      key: keyLoader(join(folder, "keys")),
      cache: memoryCache(),
      results: resultFiles(sharedFolder(stateRoot({ env, cwd }), "mutants")),
      home: { worktrees },
      host: hostOf(env, path),
    });
  } finally {
    // The next gate sweeps what cannot be removed now.
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

async function makePlace(worktrees: string, folder: string): Promise<void> {
  try {
    await makeCheckoutsFolder(worktrees);
    await mkdir(folder, { mode: 0o700 });
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    unwritable(folder, cause);
  }
}

function memoryCache(): BaselineCache {
  const known = new Map<string, string>();
  return {
    get: (key) => Promise.resolve(known.get(key) ?? null),
    put: (key, value) => Promise.resolve(void known.set(key, value)),
  };
}

function unwritable(folder: string, cause: unknown): never {
  throw new AppError("state_unwritable", `the folder ${folder} cannot be created`, {
    hint: "set METTLE_HOME to a writable folder",
    cause,
  });
}
