/** Writes the state of the journal into σ₄ and σ₅. It is never read back: an edit by a person is only reported. */
import type { MemoryNumber } from "../../notation/memory-reference.ts";
import { changeFile } from "./change-file.ts";
import { memoryPath } from "./files.ts";
import { project, projectedHash } from "./region.ts";
import { templateOf } from "./templates.ts";

export type ProjectedName = "σ₄" | "σ₅";

export interface ProjectedPart {
  readonly written: boolean;
  /** A person's edit of the part, now overwritten, for a warning; null if there was none. */
  readonly edited: string | null;
  /** `lastProjected` of the next call. */
  readonly hash: string;
}

/**
 * Creates a missing file and restores missing markers.
 * @param lastProjected `hash` of the last call; null if unknown
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
