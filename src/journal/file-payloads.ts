import { mkdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeAtomically } from "../lib/files.ts";
import { sha256 } from "../lib/hash.ts";
import { hexOf, payloadCorrupt, payloadMissing } from "./payload-error.ts";
import type { Payloads } from "./payloads.ts";
import { storeError } from "./store-error.ts";

/** Payloads as files `<folder>/ab/<hex>`; a file with its final name is complete and synced. */
export function filePayloads(folder: string): Payloads {
  const fileOf = (address: string): string => {
    const hex = hexOf(address);
    return join(folder, hex.slice(0, 2), hex);
  };

  const get = async (address: string): Promise<Buffer> => {
    const file = fileOf(address);
    const bytes = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
      throw cause.code === "ENOENT" ? payloadMissing(address) : storeError(cause, file);
    });
    if (sha256(bytes) !== address) throw payloadCorrupt(address);
    return bytes;
  };

  return {
    async put(data) {
      const address = sha256(data);
      const file = fileOf(address);
      try {
        // Replaces a damaged file.
        if (!(await isIntact(file, address))) {
          await mkdir(dirname(file), { recursive: true, mode: 0o700 });
          await writeAtomically(file, data, { mode: 0o600 });
        }
      } catch (cause) {
        throw storeError(cause, file);
      }
      return address;
    },
    get,
    text: async (address) => (await get(address)).toString("utf8"),
    has: async (address) => {
      const found = await stat(fileOf(address)).catch(() => null); // absent and unreadable count the same
      return found?.isFile() ?? false;
    },
  };
}

async function isIntact(file: string, address: string): Promise<boolean> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return bytes !== null && sha256(bytes) === address;
}
