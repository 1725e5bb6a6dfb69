/** DSSE: an envelope around bytes, signed with ed25519 over its pre-authentication encoding. Independent of records. */
import { type KeyObject, sign, verify } from "node:crypto";
import * as z from "zod";
import { keyId, type SigningKey } from "./keys.ts";

export const SignedEnvelope = z.object({
  payloadType: z.string(),
  /** Base64. */
  payload: z.string(),
  signatures: z.array(z.object({ keyid: z.string(), sig: z.string() })).min(1),
});
export type SignedEnvelope = z.infer<typeof SignedEnvelope>;

export function signEnvelope(payloadType: string, payload: string, key: SigningKey): SignedEnvelope {
  const body = Buffer.from(payload, "utf8");
  const sig = sign(null, encoding(payloadType, body), key.privateKey).toString("base64");
  return { payloadType, payload: body.toString("base64"), signatures: [{ keyid: key.id, sig }] };
}

/** Returns the payload when one signature is valid for this key, else null. */
export function readEnvelope(envelope: SignedEnvelope, publicKey: KeyObject): string | null {
  const body = Buffer.from(envelope.payload, "base64");
  if (body.toString("base64") !== envelope.payload) return null; // another base64 spelling of the same bytes
  const id = keyId(publicKey);
  const message = encoding(envelope.payloadType, body);
  const good = envelope.signatures.some(
    ({ keyid, sig }) => keyid === id && verify(null, message, publicKey, Buffer.from(sig, "base64")),
  );
  return good ? body.toString("utf8") : null;
}

/** DSSE's PAE: type and body with their lengths, so that different pairs never encode to the same bytes. */
function encoding(payloadType: string, body: Buffer): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${body.length} `;
  return Buffer.concat([Buffer.from(head, "utf8"), body]);
}
