import { crc32 } from "node:zlib";

/** CRC-32 of a row's fields: it detects damage; the signed evidence chain detects tampering. */
export function checksum(...fields: readonly (string | number)[]): number {
  return crc32(fields.join("\u0000"));
}
