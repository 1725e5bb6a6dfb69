/** Writes what the journal says into σ₄ and σ₅. Nothing is ever read back as state: a person's edit is only told of. */
import type { MemoryNumber } from "../../notation/reference.ts";
import { changeFile } from "./change-file.ts";
import { memoryPath } from "./files.ts";
import { project, projectedHash } from "./region.ts";
import { templateOf } from "./templates.ts";

export type ProjectedName = "σ₄" | "σ₅";

export interface ProjectedPart {
  readonly written: boolean;
  /** What a person had made of the part, now overwritten: to be kept and warned of. */
  readonly edited: string | null;
  /** The next call's `lastProjected`. */
  readonly hash: string;
}

/**
 * A file that is gone is made anew, markers that are gone come back.
 * @param lastProjected `hash` of the last call; null when that is not known
 */
export async function projectPart(
  root: string,
  name: ProjectedName,
  text: string,
  lastProjected: string | null,
): Promise<ProjectedPart> {
  const memory: MemoryNumber = name === "σ₄" ? 4 : 5;
  let edited: string | null = null;
  const { written } = await changeFile(root, memoryPath(memory), (before) => {
    const after = project(before ?? Buffer.from(templateOf(memory)), { text, lastProjected });
    edited = after.edited;
    return after.bytes;
  });
  return { written, edited, hash: projectedHash(text) };
}
