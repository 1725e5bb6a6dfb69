import { randomBytes, randomInt } from "node:crypto";

const letters = "abcdefghjkmnpqrstvwxyz23456789";

/** A short random id that is easy to read and type, e.g. `k7m2xq`; `length` characters of 30. */
export function newId(length = 6): string {
  let id = "";
  for (const byte of randomBytes(length)) id += letters[byte % letters.length];
  return id;
}

/** A random element of a non-empty list. */
export function pick<Value>(from: readonly Value[]): Value {
  const found = from[randomInt(from.length)];
  if (found === undefined) throw new TypeError("nothing to pick from");
  return found;
}

/** A secret token that is never shown; `mask` of lib/mask.ts recognizes its format. */
export function newToken(): string {
  return `mettle_${randomBytes(32).toString("hex")}`;
}
