import {
  createRepository as create,
  type TempRepository,
  type TempRepositoryOptions,
} from "../../src/testing/temp-repository.ts";
import { afterFile } from "./folder.ts";

export type { TempRepository };

/** A repository that is removed after the last test of this file. */
export async function createRepository(options?: TempRepositoryOptions): Promise<TempRepository> {
  const repository = await create(options);
  afterFile(() => repository.remove());
  return repository;
}
