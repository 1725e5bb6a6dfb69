/** Public keys as text: what an operator copies from a host, and what the register of keys stores. */
import { createPublicKey, type KeyObject } from "node:crypto";
import { AppError } from "../lib/errors.ts";

/** The PEM (SPKI) of a public key, with a line break at its end. */
export function pemOf(publicKey: KeyObject): string {
  return publicKey.export({ type: "spki", format: "pem" }).toString();
}

/**
 * Reads a public key that a person gives.
 * @param name of the file, for messages
 * @throws key_invalid for anything but one ed25519 public key, also for a private key
 */
export function readPublicKey(text: string, name: string): KeyObject {
  if (text.includes("PRIVATE KEY"))
    throw new AppError("key_invalid", `${name} has a private key, which must never leave its host`, {
      hint: "Call `mettle keys show` on the host of the key: it prints the public key.",
    });
  const key = publicKeyOf(text);
  if (key === null) throw new AppError("key_invalid", `${name} has no public key in PEM`, { hint: printIt });
  if (key.asymmetricKeyType !== "ed25519")
    throw new AppError(
      "key_invalid",
      `${name} has a key of the type ${key.asymmetricKeyType}; records are signed with ed25519`,
      { hint: printIt },
    );
  return key;
}

const printIt = "Call `mettle keys show` on the host of the key, and pass on its output unchanged.";

/** One block of PEM and nothing else, so that nobody enrols another key than the one that they see. */
const onePem = /^\s*-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----\s*$/u;

function publicKeyOf(text: string): KeyObject | null {
  if (!onePem.test(text)) return null;
  try {
    return createPublicKey({ key: text, format: "pem" });
  } catch {
    return null; // not a key
  }
}
