/**
 * A bundle: the evidence of a run or a gate in one file, to be verified on another machine (PRV-14). Its JSON is canonical, so
 * that a bundle has one spelling. Pure.
 */
import { createPublicKey, type KeyObject } from "node:crypto";
import * as z from "zod";
import { AppError } from "../../lib/errors.ts";
import { canonicalJson } from "../../lib/hash.ts";
import { isObject, parseJson } from "../../lib/json.ts";
import { issuesText } from "../../lib/plain-issues.ts";
import { refuseNewer } from "../../lib/refuse-newer.ts";
import type { SigningKey } from "../keys.ts";
import { namedKeys, onlyKey, type TrustedKeys } from "../trusted-keys.ts";
import { readEnvelope, signEnvelope, SignedEnvelope } from "../sign.ts";
import { Statement } from "./statement.ts";

const statementType = "application/vnd.mettle.bundle.v1+json";
const bundleType = "mettle evidence bundle";

/** The largest bundle that is read, in bytes. */
export const maxBundleBytes = 128 * 1024 * 1024;

const Bundle = z.object({
  type: z.literal(bundleType),
  /** 2: records of several keys, which the statement names; older versions of Mettle would call them forged. */
  version: z.union([z.literal(1), z.literal(2)]),
  /** The ed25519 public key: DER (SPKI) in base64. */
  key: z.string(),
  statement: SignedEnvelope,
  /** The signed records, in the order of the chain. */
  envelopes: z.array(z.unknown()),
  /** Address -> text: the full output of each record, masked as stored. */
  payloads: z.record(z.string(), z.string()),
});

export interface Bundle extends Omit<z.infer<typeof Bundle>, "key"> {
  readonly key: KeyObject;
}

export interface BundleParts {
  readonly statement: Statement;
  readonly envelopes: readonly unknown[];
  readonly payloads: ReadonlyMap<string, string>;
}

/** The text of a bundle file. */
export function writeBundle({ statement, envelopes, payloads }: BundleParts, key: SigningKey): string {
  const bundle: z.infer<typeof Bundle> = {
    type: bundleType,
    version: versionFor(statement),
    key: derOf(key.publicKey),
    statement: signEnvelope(statementType, canonicalJson(statement), key),
    envelopes: [...envelopes],
    payloads: Object.fromEntries(payloads),
  };
  return `${canonicalJson(bundle)}\n`;
}

/** @param file its name, for messages. @throws bundle_invalid, version_unsupported */
export function readBundle(text: string, file: string): Bundle {
  const value = parseJson(text);
  if (!isObject(value) || value["type"] !== bundleType)
    throw bundleInvalid(`${file} is not an evidence bundle, or was cut`);
  refuseNewer(value, { what: file, known: 2 });
  const parsed = Bundle.safeParse(value);
  if (!parsed.success) throw bundleInvalid(`${file}: ${issuesText(parsed.error)}`);
  if (`${canonicalJson(value)}\n` !== text)
    throw bundleInvalid(`${file} is not spelled as Mettle writes it: a key occurs twice, or it was edited`);
  return { ...parsed.data, key: publicKeyOf(parsed.data.key, file) };
}

export function bundleInvalid(message: string): AppError {
  return new AppError("bundle_invalid", message, {
    hint: "write it again: `mettle prove … --bundle-out FILE`, or `mettle verify RUN --bundle-out FILE`",
  });
}

function publicKeyOf(text: string, file: string): KeyObject {
  try {
    const key = createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" });
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // Not a key; reported below.
  }
  throw bundleInvalid(`${file} has no ed25519 public key`);
}

/** One spelling: a bundle of one key stays in version 1. */
export function versionFor({ signers }: Pick<Statement, "signers">): Bundle["version"] {
  return signers === undefined ? 1 : 2;
}

/** A public key as a bundle has it. */
export function derOf(publicKey: KeyObject): string {
  return publicKey.export({ type: "spki", format: "der" }).toString("base64");
}

/** The keys that the records may be signed with. @throws bundle_invalid */
export function keysOfBundle({ key }: Pick<Bundle, "key">, { signers }: Statement): TrustedKeys {
  if (signers === undefined) return onlyKey(key);
  return namedKeys(
    signers.map(({ worker, key: der }) => ({
      name: worker,
      publicKey: publicKeyOf(der, "the statement of the bundle"),
    })),
    (id) => `it was signed with the key ${id}, which the bundle does not name`,
  );
}

/** Null if the statement is not signed with the bundle's key. @throws bundle_invalid, version_unsupported */
export function readStatement({ statement, key }: Bundle): Statement | null {
  const text = statement.payloadType === statementType ? readEnvelope(statement, key) : null;
  if (text === null) return null;
  const value = parseJson(text);
  refuseNewer(value, { what: "the statement of the bundle", known: 1 });
  const parsed = Statement.safeParse(value);
  if (!parsed.success) throw bundleInvalid(`the statement of the bundle: ${issuesText(parsed.error)}`);
  return parsed.data;
}
