/** Writes files of a plan: under its lock, each file whole, never through a link. */
import { join } from "node:path";
import { changeFile } from "../memory/bank/change-file.ts";
import { withLock } from "./lock.ts";

export interface PlanFolder {
  /** Absolute. */
  readonly dir: string;
}

/** @param path relative to the plan, with `/` */
export type WriteFile = (path: string, text: string) => Promise<void>;

export async function withPlan<T>({ dir }: PlanFolder, work: (write: WriteFile) => Promise<T>): Promise<T> {
  return withLock(join(dir, ".lock"), () => work((path, text) => writePlanFile(dir, path, text)));
}

export async function writePlanFile(dir: string, path: string, text: string): Promise<void> {
  await changeFile(dir, path, () => Buffer.from(text));
}
