/**
 * Copies the run's current memory bank from the main checkout over the committed one in an agent's workspace. Restores the
 * files that the agent did not change before its work is read, since they are not the agent's work.
 */
import { lstat, mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import * as z from "zod";
import { sha256 } from "../../lib/hash.ts";
import { parseJson } from "../../lib/json.ts";
import { hasMemoryBank, readBank } from "../../memory/bank/files.ts";
import type { RunContext } from "../../run/context.ts";

const Note = z.record(z.string(), z.object({ laid: z.string(), before: z.base64().nullable() }));
type Note = z.infer<typeof Note>;

/** The note is beside the agent's home, so it survives a crash and a confined agent cannot write it. */
function noteOf({ home, run }: RunContext, path: string): string {
  return join(home.homes, run, `${basename(path)}.bank.json`);
}

/**
 * Does nothing in a protocol without a memory bank.
 * @param path of the workspace
 * @param told a text as the agent may read it
 */
export async function copyMemoryBank(
  context: RunContext,
  path: string,
  told: (text: string) => string,
): Promise<void> {
  if (!hasMemoryBank(context.protocol)) return;
  const note: Note = {};
  const files = (await readBank(context.repository.root)).map((file) => ({ ...file, text: told(file.text) }));
  for (const file of files) {
    const before = await bytesAt(path, file.path);
    if (before === "other" || before?.toString("utf8") === file.text) continue;
    note[file.path] = { laid: sha256(file.text), before: before?.toString("base64") ?? null };
  }
  await writeFile(noteOf(context, path), JSON.stringify(note));
  for (const file of files.filter((one) => Object.hasOwn(note, one.path))) {
    await mkdir(dirname(join(path, file.path)), { recursive: true });
    await writeFile(join(path, file.path), file.text);
  }
}

/** Restores the unchanged files and keeps the agent's changes. Idempotent. */
export async function restoreMemoryBank(context: RunContext, path: string): Promise<void> {
  if (!hasMemoryBank(context.protocol)) return;
  const text = await readFile(noteOf(context, path), "utf8").catch(() => "{}"); // nothing was copied
  for (const [name, { laid, before }] of Object.entries(readNote(text))) {
    const now = await bytesAt(path, name);
    if (now === null || now === "other" || sha256(now) !== laid) continue;
    const place = join(path, name);
    await (before === null ? rm(place) : writeFile(place, Buffer.from(before, "base64")));
  }
}

/** A note that a crash truncated is empty: the copied files then count as the agent's work. */
function readNote(text: string): Note {
  return Note.safeParse(parseJson(text)).data ?? {};
}

/** @returns null if there is no file, `other` if it is no regular file of this folder */
async function bytesAt(path: string, name: string): Promise<Buffer | null | "other"> {
  const place = join(path, name);
  const file = await lstat(place).catch(() => null);
  if (file === null) return null;
  const isHere = (await realpath(dirname(place))) === join(await realpath(path), dirname(name));
  return file.isFile() && isHere ? readFile(place) : "other";
}
