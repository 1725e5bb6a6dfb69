import { sha256 } from "../../lib/hash.ts";
import { hexOf, payloadCorrupt, payloadMissing } from "../payload-error.ts";
import type { Payloads } from "../payloads.ts";
import type { PostgresStore } from "./store.ts";

/** The port of payloads on PostgreSQL. */
export function postgresPayloads({ repository, sql }: PostgresStore): Payloads {
  const get = async (address: string): Promise<Buffer> => {
    const [row] = await sql(
      "SELECT bytes FROM mettle.payloads WHERE repository = $1 AND hash = decode($2, 'hex')",
      repository,
      hexOf(address),
    );
    const bytes = row?.[0];
    if (!Buffer.isBuffer(bytes)) throw payloadMissing(address);
    if (sha256(bytes) !== address) throw payloadCorrupt(address);
    return bytes;
  };

  return {
    async put(data) {
      const address = sha256(data);
      const hex = hexOf(address);
      const intact = await sql(
        `SELECT FROM mettle.payloads
         WHERE repository = $1 AND hash = decode($2, 'hex') AND sha256(bytes) = hash`,
        repository,
        hex,
      );
      // Replaces damaged bytes.
      if (intact.length === 0)
        await sql(
          `INSERT INTO mettle.payloads (repository, hash, bytes) VALUES ($1, decode($2, 'hex'), $3)
           ON CONFLICT (repository, hash) DO UPDATE SET bytes = excluded.bytes`,
          repository,
          hex,
          Buffer.from(data),
        );
      return address;
    },
    get,
    text: async (address) => (await get(address)).toString("utf8"),
    async has(address) {
      const found = await sql(
        "SELECT FROM mettle.payloads WHERE repository = $1 AND hash = decode($2, 'hex')",
        repository,
        hexOf(address),
      );
      return found.length > 0;
    },
  };
}
