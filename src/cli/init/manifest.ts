/** The list of what init wrote, kept in the state home, so that `--remove` removes exactly that. */
import { mkdir, readFile, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { AppError } from "../../lib/errors.ts";
import { writeAtomically } from "../../lib/files.ts";
import { parseJson } from "../../lib/json.ts";

const Edit = z.object({
  /** The whole text before; null if there was no file. */
  before: z.string().nullable(),
  /** sha256 of the text that init wrote. */
  after: z.string(),
});

const Manifest = z.object({
  version: z.literal(1),
  /** Path -> sha256 of the files that init made. */
  files: z.record(z.string(), z.string()),
  edits: z.record(z.string(), Edit),
  /** Folders that init made, parents first. */
  folders: z.array(z.string()).readonly(),
  /** The topmost folder of the state home that init made, if any. */
  stateFolder: z.string().nullable(),
});
export type Manifest = z.infer<typeof Manifest>;

export async function readManifest(state: string): Promise<Manifest | null> {
  const file = place(state);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    return null; // init never ran for this state home.
  }
  const parsed = Manifest.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new AppError("version_unsupported", `${file} is not a list of what this version's init wrote`, {
    hint: "use the version of mettle that wrote it, or delete it and remove init's files by hand",
  });
}

export async function writeManifest(state: string, manifest: Manifest): Promise<void> {
  try {
    const made = await mkdir(state, { recursive: true, mode: 0o700 });
    const stateFolder = manifest.stateFolder ?? made ?? null;
    await writeAtomically(place(state), `${JSON.stringify({ ...manifest, stateFolder }, null, 2)}\n`);
  } catch (cause) {
    throw new AppError("state_unwritable", `${place(state)} cannot be written`, {
      hint: "set METTLE_HOME to a folder that can be written",
      cause,
    });
  }
}

/** Deletes the list, and the empty folders of the state home that init made. */
export async function deleteManifest(state: string, manifest: Manifest): Promise<void> {
  await rm(place(state), { force: true });
  const top = manifest.stateFolder;
  if (top === null) return;
  for (let folder = state; folder.startsWith(top); folder = dirname(folder)) {
    if (!(await removeEmpty(folder))) return;
  }
}

export async function removeEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch {
    return false; // Not empty, or missing.
  }
}

function place(state: string): string {
  return join(state, "init.json");
}
