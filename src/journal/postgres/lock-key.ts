import { createHash } from "node:crypto";

/** The number of an advisory lock of PostgreSQL, which has no names: equal for the same repository and name on each host. */
export function lockKey(repository: string, name: string): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([repository, name]))
    .digest();
  return digest.readBigInt64BE().toString();
}
