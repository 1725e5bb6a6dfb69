/** Claude Code stores a conversation in `projects/FOLDER/ID.jsonl` of its home, with one folder for each workspace. */
import { access, copyFile, mkdir, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Agent } from "../agent.ts";

/** The configuration home of Claude Code in the home of a role. */
export function folderIn(home: string): string {
  return join(home, "claude");
}

export async function transcriptsOf(folder: string, id: string): Promise<readonly string[]> {
  const projects = join(folder, "projects");
  const names = await readdir(projects).catch(() => []); // no conversation yet
  const files = names.map((name) => join(projects, name, `${id}.jsonl`));
  const there = await Promise.all(
    files.map((file) =>
      access(file).then(
        () => true,
        () => false,
      ),
    ),
  );
  return files.filter((_file, at) => there[at]);
}

/** Claude Code finds a conversation by its id in every project folder of its home. */
export async function copyTranscripts({
  from,
  to,
  id,
}: {
  readonly from: string;
  readonly to: string;
  readonly id: string;
}): Promise<void> {
  for (const file of await transcriptsOf(from, id)) {
    const folder = join(to, "projects", basename(dirname(file)));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await copyFile(file, join(folder, basename(file)));
  }
}

/** Each role and node has its own home, so most forks are copies. */
export const forksOfClaude: NonNullable<Agent["forks"]> = async ({ id, from }, home) => {
  if ((await transcriptsOf(folderIn(from), id)).length === 0) return null;
  return from === home ? "native" : "copied";
};
