/** Opens the repository that a gate judges, with the user's environment. */
import { environment, programPath, type Env } from "../config/env.ts";
import { openRepository, type Repository } from "../git/repository.ts";

export interface OpenedRepository {
  /** The folder in which the command was called. */
  readonly cwd: string;
  readonly repository: Repository;
  readonly env: Env;
  readonly path: string;
}

export async function openForGate(cwd: string): Promise<OpenedRepository> {
  const env = environment();
  const path = programPath(env);
  return { cwd, repository: await openRepository(cwd, { path, user: env, mayBeBare: true }), env, path };
}
