/** The key that signs evidence: created once per state home, mode 0600 in a folder of mode 0700, never shown to an agent. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from "node:crypto";
import { chmod, link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../lib/errors.ts";

export interface SigningKey {
  /** `sha256:…` of the public key; identifies the key in an envelope. */
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const fileName = "evidence.pem";

/** Loads the key at its first use; commands that sign nothing do not wait for it. */
export type KeyLoader = () => Promise<SigningKey>;

export function keyLoader(dir: string): KeyLoader {
  let key: Promise<SigningKey> | null = null;
  return () => (key ??= createOrLoadKey(dir));
}

/** The key of this folder. Processes that start at the same time get the same key. */
export async function createOrLoadKey(dir: string): Promise<SigningKey> {
  const file = join(dir, fileName);
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const pem = (await readExisting(file)) ?? (await create(dir, file));
    await chmod(file, 0o600);
    return signingKey(createPrivateKey(pem));
  } catch (error) {
    throw new AppError("state_unwritable", `the evidence key ${file} cannot be used`, {
      hint: "make the folder writable, or move the file away to have a new key made",
      cause: error,
    });
  }
}

/** The id of a public key, as in envelopes. */
export function keyId(publicKey: KeyObject): string {
  const der = publicKey.export({ type: "spki", format: "der" });
  return `sha256:${createHash("sha256").update(der).digest("hex")}`;
}

function signingKey(privateKey: KeyObject): SigningKey {
  if (privateKey.asymmetricKeyType !== "ed25519") throw new TypeError("the key is not an ed25519 key");
  const publicKey = createPublicKey(privateKey);
  return { id: keyId(publicKey), privateKey, publicKey };
}

async function readExisting(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** Writes a temporary file and links it into place: readers see a complete key, and the first process wins. */
async function create(dir: string, file: string): Promise<string> {
  const { privateKey } = generateKeyPairSync("ed25519");
  const own = join(dir, `.${randomUUID()}`);
  await writeFile(own, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600, flush: true });
  try {
    await link(own, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await rm(own, { force: true });
  }
  return readFile(file, "utf8");
}
