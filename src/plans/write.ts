/** Changes of a plan: under its lock, each file whole, links refused. */
import { join } from "node:path";
import { changeFile } from "../memory/bank/atomic-write.ts";
import { withLock } from "./lock.ts";

export interface PlanFolder {
  /** Absolute. */
  readonly dir: string;
}

/** @param path relative to the plan, with `/` */
export type Write = (path: string, text: string) => Promise<void>;

export async function withPlan<T>({ dir }: PlanFolder, work: (write: Write) => Promise<T>): Promise<T> {
  return withLock(join(dir, ".lock"), () => work((path, text) => writeIn(dir, path, text)));
}

export async function writeIn(dir: string, path: string, text: string): Promise<void> {
  await changeFile(dir, path, () => Buffer.from(text));
}
