import { environment, variable } from "../../config/env.ts";
import { stateHome, stateRoot } from "../../config/home.ts";
import { defaultSettings, loadSettings } from "../../config/settings.ts";
import { gitVersion, headCommit, openRepository } from "../../git/repository.ts";
import { AppError } from "../../lib/errors.ts";
import type { Place } from "./check.ts";

/** Reads where doctor was called. Whatever is wrong there is told by the checks, so nothing operational is thrown. */
export async function readPlace(cwd: string): Promise<Place> {
  const env = environment();
  const path = variable("PATH", env) ?? "/usr/bin:/bin";
  // An old git may not even understand the questions by which a repository is found.
  const asked = gitVersion(path).then(() => openRepository(cwd, { path, mayBeEmpty: true }));
  const opened = await caught(asked);
  const repository = opened instanceof AppError ? null : opened;
  const settings = repository === null ? defaultSettings() : await caught(loadSettings(repository.root));
  return {
    cwd,
    env,
    path,
    platform: process.platform,
    nodeVersion: process.versions.node,
    repository,
    refused: opened instanceof AppError ? opened : null,
    head: repository === null ? null : await caught(headCommit(repository)),
    settings: settings instanceof AppError ? defaultSettings() : settings,
    fault: settings instanceof AppError ? settings : null,
    stateRoot: stateRoot({ env, cwd }),
    home: repository === null ? null : stateHome({ repository: repository.id, env, cwd }),
  };
}

async function caught<Value>(promise: Promise<Value>): Promise<Value | AppError> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
