import { environment, programPath } from "../../config/env.ts";
import { stateHome, stateRoot } from "../../config/home.ts";
import { defaultSettings, loadSettings } from "../../config/settings.ts";
import { gitVersion, headCommit, openRepository } from "../../git/repository.ts";
import { AppError } from "../../lib/errors.ts";
import type { DoctorContext } from "./check.ts";

/** Reads the machine and the folder of the call. Errors become fields, which the checks report. */
export async function readContext(cwd: string): Promise<DoctorContext> {
  const env = environment();
  const path = programPath(env);
  // An old git may not support the options that find a repository, so its version is checked first.
  const opening = gitVersion(path).then(() => openRepository(cwd, { path, mayBeEmpty: true }));
  const opened = await valueOrError(opening);
  const repository = opened instanceof AppError ? null : opened;
  const settings =
    repository === null ? defaultSettings() : await valueOrError(loadSettings(repository.root));
  return {
    cwd,
    env,
    path,
    platform: process.platform,
    nodeVersion: process.versions.node,
    repository,
    repositoryError: opened instanceof AppError ? opened : null,
    head: repository === null ? null : await valueOrError(headCommit(repository)),
    settings: settings instanceof AppError ? defaultSettings() : settings,
    settingsError: settings instanceof AppError ? settings : null,
    stateRoot: stateRoot({ env, cwd }),
    home: repository === null ? null : stateHome({ repository: repository.id, env, cwd }),
  };
}

async function valueOrError<Value>(promise: Promise<Value>): Promise<Value | AppError> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
