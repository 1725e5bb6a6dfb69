/**
 * The keys of a host: its own, and those by which records are verified. In a local store that is one key. In a shared store the
 * register decides which keys count (SCL-08, docs/adr/0038-the-register-of-a-shared-store-decides-which-keys-count.md).
 */
import { userInfo } from "node:os";
import { currentHost } from "../config/owner.ts";
import type { KeyLoader, SigningKey } from "../evidence/keys.ts";
import { pemOf, readPublicKey } from "../evidence/public-key.ts";
import { onlyKey, registeredKeys, type TrustedKeys } from "../evidence/trusted-keys.ts";
import { assertMaySign, keyNameOf, type KeyRegister, type NamedKey } from "../journal/key-register.ts";

export interface HostKeys {
  /** The register of a shared store; null: the store is local. */
  readonly register: KeyRegister | null;
  /** The key of this host, whether or not it may sign. */
  readonly ownKey: KeyLoader;
  /**
   * The key to sign with. In a shared store the register is read at each call, so that a revocation counts at once.
   * @throws key_unenrolled, key_revoked
   */
  readonly key: KeyLoader;
  /** The keys by which records are verified. Reads the register once; its answer does not change. */
  readonly trusted: () => Promise<TrustedKeys>;
}

export function hostKeys(ownKey: KeyLoader, register: KeyRegister | null): HostKeys {
  if (register === null)
    return { register, ownKey, key: ownKey, trusted: async () => onlyKey((await ownKey()).publicKey) };
  return {
    register,
    ownKey,
    async key() {
      const key = await ownKey();
      assertMaySign(await register.find(key.id));
      return key;
    },
    trusted: async () => trustedIn(register),
  };
}

async function trustedIn(register: KeyRegister): Promise<TrustedKeys> {
  const keys = await register.list();
  return registeredKeys(
    keys.map(({ name, publicKey, revoked }) => ({
      name,
      revoked,
      publicKey: readPublicKey(publicKey, `the register of keys, at ${name},`),
    })),
  );
}

/**
 * Before a host writes its first records: enrols its key if the register has none, so that a first host needs no operator.
 * @returns the name under which it was enrolled now; null: nothing was done
 * @throws key_unenrolled, key_revoked
 */
export async function readyToSign({ register, ownKey, key }: HostKeys): Promise<string | null> {
  if (register === null) return null;
  const own = await ownKey();
  const known = await register.find(own.id);
  const first =
    known === null ? await register.enrolFirst(keyOfHost(own), `${operator()} (first use)`) : null;
  await key();
  return first?.name ?? null;
}

/** The key of this host, under the name that it gets when it is the first one. */
export function keyOfHost({ id, publicKey }: SigningKey): NamedKey {
  return { id, name: keyNameOf(currentHost().name), publicKey: pemOf(publicKey) };
}

/** Who enrols or revokes, as the register keeps it. */
export function operator(): string {
  return `${userInfo().username}@${currentHost().name}`;
}
