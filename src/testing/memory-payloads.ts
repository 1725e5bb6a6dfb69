import { payloadCorrupt, payloadMissing, hexOf } from "../journal/payload-error.ts";
import type { Payloads } from "../journal/payloads.ts";
import { sha256 } from "../lib/hash.ts";

/** Payloads in memory. `damage` and `lose` simulate a bad disk. */
export interface MemoryPayloads extends Payloads {
  damage(address: string): void;
  lose(address: string): void;
}

export function memoryPayloads(): MemoryPayloads {
  const kept = new Map<string, Buffer>();

  const get = async (address: string): Promise<Buffer> => {
    hexOf(address);
    const bytes = kept.get(address);
    if (bytes === undefined) throw payloadMissing(address);
    if (sha256(bytes) !== address) throw payloadCorrupt(address);
    return Buffer.from(bytes);
  };

  return {
    put: async (data) => {
      const address = sha256(data);
      kept.set(address, Buffer.from(data));
      return address;
    },
    get,
    text: async (address) => (await get(address)).toString("utf8"),
    has: async (address) => kept.has(`sha256:${hexOf(address)}`),
    damage: (address) => void kept.set(address, Buffer.from("damaged")),
    lose: (address) => void kept.delete(address),
  };
}
