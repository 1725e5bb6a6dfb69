/** The public keys by which records are verified, and whose they are: the one key of a state home, or the register of a shared store. */
import type { KeyObject } from "node:crypto";
import { keyId } from "./keys.ts";

/** Who signed a record. */
export interface Signer {
  /** Id of the key. */
  readonly key: string;
  /** The name of the worker as an operator enrolled it; null where keys have no names. */
  readonly worker: string | null;
}

export type KeyStanding =
  | { readonly type: "trusted"; readonly publicKey: KeyObject; readonly signer: Signer }
  | { readonly type: "unknown" | "revoked"; readonly why: string };

export interface TrustedKeys {
  /** @param id of a key, as an envelope names it */
  find(id: string): KeyStanding;
  /** Whether a record can be of a key that does not count any more. */
  readonly hasRevoked: boolean;
}

export function onlyKey(publicKey: KeyObject): TrustedKeys {
  const own = keyId(publicKey);
  return {
    find: (id) =>
      id === own
        ? { type: "trusted", publicKey, signer: { key: own, worker: null } }
        : { type: "unknown", why: "it was signed with a key other than the current one" },
    hasRevoked: false,
  };
}

interface NamedKey {
  /** Of its worker. */
  readonly name: string;
  readonly publicKey: KeyObject;
  /** Null: it counts. */
  readonly revoked?: { readonly by: string; readonly at: string } | null;
}

/** @param other why a record of another key is refused */
export function namedKeys(keys: readonly NamedKey[], other: (id: string) => string): TrustedKeys {
  const known = new Map(keys.map((key) => [keyId(key.publicKey), key]));
  return {
    find(id) {
      const found = known.get(id);
      if (found === undefined) return { type: "unknown", why: other(id) };
      const { name, publicKey, revoked = null } = found;
      if (revoked === null) return { type: "trusted", publicKey, signer: { key: id, worker: name } };
      const when = "a record from before is refused too, since only its signer says when it was made";
      return {
        type: "revoked",
        why: `it was signed with the key ${id} of ${name}, which was revoked by ${revoked.by} at ${revoked.at}; ${when}`,
      };
    },
    hasRevoked: keys.some(({ revoked = null }) => revoked !== null),
  };
}

/** The register of a shared store. A record of a revoked key is refused whenever it says that it was made: that is its signer's word. */
export function registeredKeys(keys: readonly NamedKey[]): TrustedKeys {
  return namedKeys(keys, (id) => `it was signed with the key ${id}, which is not enrolled`);
}

/** A record of a named worker. */
export interface SignedRecord {
  readonly record: string;
  readonly worker: string;
  /** Id of the key. */
  readonly key: string;
}

/** The worker of each record; empty where keys have no names. */
export function signedRecords(
  records: readonly { readonly id: string }[],
  signers: readonly Signer[],
): readonly SignedRecord[] {
  return records.flatMap(({ id }, index) => {
    const signer = signers[index];
    return signer === undefined || signer.worker === null
      ? []
      : [{ record: id, worker: signer.worker, key: signer.key }];
  });
}
