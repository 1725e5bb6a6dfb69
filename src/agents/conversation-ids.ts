/** Some programs give their conversations ids of their own; which of ours is which of theirs is kept in their home. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Conversation } from "./agent.ts";

/** @param folder configuration home of the agent */
export function conversationIds(folder: string) {
  const names = join(folder, "mettle-conversations");
  return {
    /** The program's own id, null where it has never said one. */
    async find(id: string): Promise<string | null> {
      try {
        return await readFile(join(names, id), "utf8");
      } catch {
        return null; // never begun here
      }
    },
    async keep(id: string, own: string): Promise<void> {
      await mkdir(names, { recursive: true, mode: 0o700 });
      await writeFile(join(names, id), own);
    },
    /** What a dispatch said before Mettle was killed is not gone on with. */
    async begin({ type, id }: Conversation): Promise<void> {
      if (type !== "resume") await rm(join(names, id), { force: true });
    },
  };
}
