/** Where Claude Code keeps a conversation: `projects/FOLDER/ID.jsonl` in its home, one folder for each workspace. */
import { access, copyFile, mkdir, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Agent } from "../agent.ts";

/** Its configuration home in the home of a role. */
export function folderIn(home: string): string {
  return join(home, "claude");
}

export async function transcriptsOf(folder: string, id: string): Promise<readonly string[]> {
  const projects = join(folder, "projects");
  const names = await readdir(projects).catch(() => []); // nobody has spoken here yet
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

/** It finds a conversation by its id in whatever project's folder of its home the transcript lies (research, agents 2). */
export async function copyTranscripts(asked: {
  readonly from: string;
  readonly to: string;
  readonly id: string;
}): Promise<void> {
  for (const file of await transcriptsOf(asked.from, asked.id)) {
    const folder = join(asked.to, "projects", basename(dirname(file)));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await copyFile(file, join(folder, basename(file)));
  }
}

/** A home of its own for each role and node means that what is forked is nearly always a copy. */
export const forksOfClaude: NonNullable<Agent["forks"]> = async ({ id, from }, home) => {
  if ((await transcriptsOf(folderIn(from), id)).length === 0) return null;
  return from === home ? "native" : "copied";
};
