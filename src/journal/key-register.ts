/**
 * The register of the keys that may sign records in a shared store: one for the whole database, since a worker works for many
 * repositories (SCL-08). A local store has none: its records are signed with the one key of its state home.
 */
import { AppError } from "../lib/errors.ts";

/** A key as an operator names it. */
export interface NamedKey {
  /** `sha256:…` of the public key. */
  readonly id: string;
  /** The name of its worker, which `mettle verify` prints. */
  readonly name: string;
  /** SPKI in PEM. */
  readonly publicKey: string;
}

export interface EnrolledKey extends NamedKey {
  readonly enrolled: KeyAct;
  /** Null: it may sign. */
  readonly revoked: KeyAct | null;
}

export interface KeyAct {
  /** Who did it, as the host of that person names them. */
  readonly by: string;
  /** ISO 8601, by the server's clock. */
  readonly at: string;
}

/** A name stays with its key for good, and a revoked key stays revoked: the database itself refuses anything else. */
export interface KeyRegister {
  /** In the order in which they were enrolled. */
  list(): Promise<readonly EnrolledKey[]>;
  find(id: string): Promise<EnrolledKey | null>;
  /** Enrols the key if the register has none. @returns null: it has some */
  enrolFirst(key: NamedKey, by: string): Promise<EnrolledKey | null>;
  /**
   * Enrols a key; the same key under the same name changes nothing.
   * @param from the key of the host where the operator is. It must be enrolled. If no key may sign, it is enrolled too.
   * @throws key_name_taken, key_already_enrolled, key_revoked, key_unenrolled
   */
  enrol(key: NamedKey, from: NamedKey, by: string): Promise<EnrolledKey>;
  /**
   * Revokes a key; one that is revoked stays as it is.
   * @throws key_unknown; key_unenrolled and key_revoked for the key of the host where the operator is
   */
  revoke(name: string, from: string, by: string): Promise<EnrolledKey>;
}

/** Names are printed and typed: letters, digits, dot, dash and underscore. */
const validName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/u;

/** @throws usage */
export function assertKeyName(name: string): void {
  if (validName.test(name)) return;
  throw new AppError("usage", `${JSON.stringify(name)} is no name of a worker`, {
    hint: "Use up to 63 letters, digits, dots, dashes and underscores, beginning with a letter or digit.",
  });
}

/** The name of a host as that of its key. */
export function keyNameOf(host: string): string {
  const name = host
    .replace(/[^A-Za-z0-9._-]+/gu, "-")
    .replace(/^[^A-Za-z0-9]+/u, "")
    .slice(0, 63);
  return name === "" ? "host" : name;
}

/** The key may sign, or why not. @throws key_unenrolled, key_revoked */
export function assertMaySign(found: EnrolledKey | null): asserts found is EnrolledKey {
  if (found === null)
    throw new AppError("key_unenrolled", "the key of this host is not enrolled in the shared store", {
      hint: "Call `mettle keys show > KEY.pem` here, then `mettle keys enrol NAME KEY.pem` on a host whose key is enrolled. If `mettle keys list` has no key, call `mettle keys enrol NAME` here.",
    });
  if (found.revoked === null) return;
  throw new AppError("key_revoked", `the key of this host, ${found.name}, ${revokedText(found.revoked)}`, {
    hint: "Move keys/evidence.pem out of the state home, so that a new key is made, and have it enrolled under a new name.",
    detail: { name: found.name, key: found.id },
  });
}

/** `was revoked by anna@build-1 at 2026-…`. */
export function revokedText({ by, at }: KeyAct): string {
  return `was revoked by ${by} at ${at}`;
}
