import { randomBytes } from "node:crypto";

const letters = "abcdefghjkmnpqrstvwxyz23456789";

/** A short random id that is easy to read and type, e.g. `k7m2xq`; `length` characters of 30. */
export function newId(length = 6): string {
  let id = "";
  for (const byte of randomBytes(length)) id += letters[byte % letters.length];
  return id;
}
