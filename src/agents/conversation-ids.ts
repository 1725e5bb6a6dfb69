/** Maps our conversation ids to the ids of programs that choose their own. The mapping is kept in the agent's home. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Conversation } from "./agent.ts";

/** @param folder configuration home of the agent */
export function conversationIds(folder: string) {
  const names = join(folder, "mettle-conversations");
  return {
    /** The program's id; null: unknown. */
    async find(id: string): Promise<string | null> {
      try {
        return await readFile(join(names, id), "utf8");
      } catch {
        return null; // no such conversation
      }
    },
    async keep(id: string, own: string): Promise<void> {
      await mkdir(names, { recursive: true, mode: 0o700 });
      await writeFile(join(names, id), own);
    },
    /** Forgets the conversation of a killed dispatch. */
    async begin({ type, id }: Conversation): Promise<void> {
      if (type !== "resume") await rm(join(names, id), { force: true });
    },
  };
}
