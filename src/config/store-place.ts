/**
 * Where the runs of a repository are stored: in its state home, or in a PostgreSQL that hosts share (SCL-01). A marker in the state
 * home decides, not `mettle.yaml`, so that neither a branch with other settings nor an agent splits the history.
 */
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../lib/errors.ts";
import { newId } from "../lib/ids.ts";
import { fieldsOf, parseJson } from "../lib/json.ts";
import { storeUrl, storeVariable } from "./env.ts";

export type StorePlace = { readonly kind: "local" } | SharedPlace;

export interface SharedPlace {
  readonly kind: "postgres";
  /** The repository's name in the store, equal on all hosts. */
  readonly repository: string;
  /** Random id of this state home: of two hosts with one name, only one has it. */
  readonly home: string;
  /** May hold a password: never in a message. Null: not set, so that nothing can be opened. */
  readonly url: string | null;
}

/** @param root the state home; reads one small file @throws state_unwritable if the file is damaged */
export function storePlace(root: string): StorePlace {
  const text = readMarker(root);
  if (text === null) return { kind: "local" };
  const { kind, repository, home } = fieldsOf(parseJson(text));
  if (kind === "postgres" && typeof repository === "string" && typeof home === "string")
    return { kind, repository, home, url: storeUrl() };
  throw new AppError("state_unwritable", `${join(root, markerName)} does not say where the store is`, {
    hint: "Restore the file from a backup, or remove it and start a run: it is made again from mettle.yaml.",
  });
}

/** The repository's name in the store, and the id of the state home; default: a new one. */
export interface SharedName {
  readonly repository: string;
  readonly home?: string;
}

/** Says for good that the runs of this state home are in a shared store. Of several writers the first one counts. */
export function markShared(root: string, { repository, home = newId(16) }: SharedName): void {
  const marker = join(root, markerName);
  const draft = `${marker}.${newId()}`;
  mkdirSync(root, { recursive: true, mode: 0o700 });
  try {
    const text = JSON.stringify({ kind: "postgres", repository, home });
    writeFileSync(draft, `${text}\n`, { mode: 0o600 });
    linkSync(draft, marker);
  } catch (cause) {
    if (readMarker(root) === null)
      throw new AppError("state_unwritable", `${marker} cannot be written`, {
        hint: "set METTLE_HOME to a folder that can be written",
        cause,
      });
  } finally {
    rmSync(draft, { force: true });
  }
}

/** @throws store_url_missing */
export function urlOf({ url, repository }: SharedPlace): string {
  return neededUrl(`the runs of ${repository}`, url);
}

/** @param what is in the store, for the message; a plural @throws store_url_missing */
export function neededUrl(what: string, url: string | null = storeUrl()): string {
  if (url !== null) return url;
  throw new AppError("store_url_missing", `${what} are in PostgreSQL, and no URL says where`, {
    hint: `export ${storeVariable}=postgres://USER:PASSWORD@HOST:PORT/DATABASE`,
  });
}

const markerName = "store";

function readMarker(root: string): string | null {
  try {
    return readFileSync(join(root, markerName), "utf8");
  } catch (error) {
    // Anything but a missing file would hide a shared store, and another history would begin.
    if (error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR"].includes(String(error.code)))
      return null;
    throw new AppError("state_unwritable", `${join(root, markerName)} cannot be read`, {
      hint: "Make the state home readable for this user, or set METTLE_HOME to another folder.",
      cause: error,
    });
  }
}
