import { crc32 } from "node:zlib";

/** CRC-32 of a row's fields: finds damage, not malice; malice is what the signed evidence chain is for. */
export function checksum(...fields: readonly (string | number)[]): number {
  return crc32(fields.join("\u0000"));
}
