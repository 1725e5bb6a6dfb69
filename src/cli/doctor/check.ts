/** What a check of `mettle doctor` is: one file each in this folder, a look that changes nothing. */
import type { Env } from "../../config/env.ts";
import type { StateHome } from "../../config/home.ts";
import type { Settings } from "../../config/settings.ts";
import type { Repository } from "../../git/repository.ts";
import type { AppError } from "../../lib/errors.ts";

export interface Finding {
  readonly name: string;
  /** `fail` where a run could not start, `warn` where something is given up, `ok` else. */
  readonly state: "ok" | "warn" | "fail";
  readonly seen: string;
  /** What to type or change; null where nothing has to be done. */
  readonly help: string | null;
}

/** This machine and this folder, read once. */
export interface Place {
  readonly cwd: string;
  readonly env: Env;
  readonly path: string;
  readonly platform: string;
  /** Of the node that runs this. */
  readonly nodeVersion: string;
  /** Null outside a repository, or where git cannot be asked; `refused` says why. */
  readonly repository: Repository | null;
  readonly refused: AppError | null;
  /** The commit that a run would start from, or why there is none. */
  readonly head: string | AppError | null;
  /** The defaults where `mettle.yaml` is missing or broken; then `fault` says why. */
  readonly settings: Settings;
  readonly fault: AppError | null;
  /** The parent of all state homes. */
  readonly stateRoot: string;
  /** Null outside a repository. */
  readonly home: StateHome | null;
}

export interface Check {
  readonly name: string;
  /** A run cannot start without it, so that a look that fails is a `fail`. */
  readonly needed: boolean;
  /** An AppError that it throws is its finding. Nothing is said where there is nothing to look at. */
  readonly look: (place: Place) => Promise<readonly Omit<Finding, "name">[]>;
}

export const ok = (seen: string): Omit<Finding, "name"> => ({ state: "ok", seen, help: null });
export const warn = (seen: string, help: string): Omit<Finding, "name"> => ({ state: "warn", seen, help });
export const fail = (seen: string, help: string): Omit<Finding, "name"> => ({ state: "fail", seen, help });
