/** Results of mutants, kept below the state root from one gate to the next. They may be deleted at any time. */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../lib/hash.ts";
import { newId } from "../lib/ids.ts";
import type { BaselineCache } from "../proof/ports.ts";

/** A folder that cannot be written only loses the saved time. */
export function resultFiles(folder: string): BaselineCache {
  const fileOf = (key: string) => join(folder, `${sha256(key).slice("sha256:".length)}.json`);
  return {
    get: (key) => readFile(fileOf(key), "utf8").catch(() => null), // not known
    put: (key, value) => write(folder, fileOf(key), value).catch(() => undefined), // see above
  };
}

const maxFiles = 500;

async function write(folder: string, file: string, value: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const aside = join(folder, `${newId(12)}.new`);
  await writeFile(aside, value, { mode: 0o600 });
  await rename(aside, file);
  const names = await readdir(folder);
  if (names.length <= maxFiles) return;
  const aged = await Promise.all(
    names.map(async (name) => ({
      name,
      at: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0,
    })),
  );
  for (const { name } of aged.toSorted((a, b) => a.at - b.at).slice(0, maxFiles / 2))
    await rm(join(folder, name), { force: true });
}
