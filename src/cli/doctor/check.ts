/** The type of a check of `mettle doctor`: one file each in this folder; no check changes anything. */
import type { Env } from "../../config/env.ts";
import type { StateHome } from "../../config/home.ts";
import type { Settings } from "../../config/settings.ts";
import type { Repository } from "../../git/repository.ts";
import type { AppError } from "../../lib/errors.ts";

export interface DoctorFinding {
  readonly name: string;
  /** `fail`: a run could not start; `warn`: a run works with a limitation; else `ok`. */
  readonly state: "ok" | "warn" | "fail";
  readonly seen: string;
  /** What to type or change; null if nothing has to be done. */
  readonly help: string | null;
}

/** The machine and the folder, read once. */
export interface DoctorContext {
  readonly cwd: string;
  readonly env: Env;
  readonly path: string;
  readonly platform: string;
  /** Of the Node.js that runs this. */
  readonly nodeVersion: string;
  /** Null outside a repository, or if git does not work; then `repositoryError` is the reason. */
  readonly repository: Repository | null;
  readonly repositoryError: AppError | null;
  /** The commit that a run would start from, or the reason why there is none. */
  readonly head: string | AppError | null;
  /** The defaults if `mettle.yaml` is missing or invalid; if invalid, `settingsError` is the reason. */
  readonly settings: Settings;
  readonly settingsError: AppError | null;
  /** The parent of all state homes. */
  readonly stateRoot: string;
  /** Null outside a repository. */
  readonly home: StateHome | null;
}

export interface DoctorCheck {
  readonly name: string;
  /** A run cannot start without it, so an error of the check is a `fail`, else a `warn`. */
  readonly needed: boolean;
  /** Returns no finding if there is nothing to check. An AppError that it throws becomes its finding. */
  readonly examine: (context: DoctorContext) => Promise<readonly Omit<DoctorFinding, "name">[]>;
}

export const ok = (seen: string): Omit<DoctorFinding, "name"> => ({ state: "ok", seen, help: null });
export const warn = (seen: string, help: string): Omit<DoctorFinding, "name"> => ({
  state: "warn",
  seen,
  help,
});
export const fail = (seen: string, help: string): Omit<DoctorFinding, "name"> => ({
  state: "fail",
  seen,
  help,
});
