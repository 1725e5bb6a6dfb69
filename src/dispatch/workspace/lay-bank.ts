/**
 * The memory bank in an agent's workspace. A worktree holds it as it was committed; the run's own lies in the main checkout,
 * where it is written from the journal. It is laid over the other before the agent starts, and taken back before its work is
 * read, where the agent left it alone: it is no work of the agent's.
 */
import { lstat, mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { sha256 } from "../../lib/hash.ts";
import { hasMemoryBank, readBank } from "../../memory/bank/files.ts";
import type { RunContext } from "../../run/context.ts";

const Note = z.record(z.string(), z.object({ laid: z.string(), before: z.base64().nullable() }));
type Note = z.infer<typeof Note>;

/** Beside the agent's home and not in it, so that it survives a crash and no confined agent writes it. */
function noteOf({ home, run }: RunContext, path: string): string {
  return join(home.homes, run, `${basename(path)}.bank.json`);
}

/** Nothing in a protocol without a memory bank. @param path of the workspace */
export async function layBank(context: RunContext, path: string): Promise<void> {
  if (!hasMemoryBank(context.protocol)) return;
  const note: Note = {};
  const files = await readBank(context.repository.root);
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

/** Done twice it changes nothing; what an agent made of a file stays. */
export async function takeBankBack(context: RunContext, path: string): Promise<void> {
  if (!hasMemoryBank(context.protocol)) return;
  const text = await readFile(noteOf(context, path), "utf8").catch(() => "{}"); // nothing was laid
  for (const [name, { laid, before }] of Object.entries(readNote(text))) {
    const now = await bytesAt(path, name);
    if (now === null || now === "other" || sha256(now) !== laid) continue;
    const place = join(path, name);
    await (before === null ? rm(place) : writeFile(place, Buffer.from(before, "base64")));
  }
}

/** A note that a crash cut short names nothing: what was laid then counts as the agent's. */
function readNote(text: string): Note {
  try {
    return Note.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

/** null: nothing is there; `other`: no ordinary file of this folder. */
async function bytesAt(path: string, name: string): Promise<Buffer | null | "other"> {
  const place = join(path, name);
  const file = await lstat(place).catch(() => null);
  if (file === null) return null;
  const isHere = (await realpath(dirname(place))) === join(await realpath(path), dirname(name));
  return file.isFile() && isHere ? readFile(place) : "other";
}
