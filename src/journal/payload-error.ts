import { AppError } from "../lib/errors.ts";

/** The 64 hex digits of an address. @throws payload_missing for anything else, so that it never becomes a path */
export function hexOf(address: string): string {
  const hex = /^sha256:([0-9a-f]{64})$/.exec(address)?.[1];
  if (hex === undefined) throw payloadMissing(address);
  return hex;
}

export function payloadMissing(address: string): AppError {
  return new AppError("payload_missing", `payload ${address} is not in the payload store`, {
    hint: "Restore the folder payloads/ of the state home from a backup, then resume the run.",
    retry: "safe",
    detail: { address },
  });
}

export function payloadCorrupt(address: string): AppError {
  return new AppError("payload_corrupt", `payload ${address} was changed since it was stored`, {
    hint: "Restore the folder payloads/ of the state home from a backup, then resume the run.",
    retry: "safe",
    detail: { address },
  });
}
