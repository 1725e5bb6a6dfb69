/**
 * JSON payloads in parts: a field larger than 16 KiB is stored under its own address and replaced by
 * `{"$part": address}`. Reading by a JSON pointer loads only the parts on its path (V3-56, 57).
 */
import { AppError } from "../lib/errors.ts";
import { canonicalJson } from "../lib/hash.ts";
import type { Payloads } from "./payloads.ts";

/** Maximum bytes of an inline field. */
export const maxInlineBytes = 16 << 10;

const mark = "$part";
type Reader = Pick<Payloads, "text">;
type Fields = Readonly<Record<string, unknown>>;

/** Stores a value; its address does not depend on the order of keys. */
export async function putJson(payloads: Payloads, value: unknown): Promise<string> {
  return payloads.put(canonicalJson(await splitParts(payloads, value)));
}

export async function readJson(payloads: Reader, address: string): Promise<unknown> {
  return joinParts(payloads, JSON.parse(await payloads.text(address)));
}

/** @param pointer RFC 6901 @throws pointer_not_found */
export async function readPointer(
  payloads: Reader,
  { ref, pointer }: { readonly ref: string; readonly pointer: string },
): Promise<unknown> {
  const missing = () =>
    new AppError("pointer_not_found", `${pointer} leads nowhere in ${ref}`, {
      hint: "a pointer has the form /field/0/field, with ~1 for a slash; an empty one is the whole payload",
    });
  if (pointer !== "" && !pointer.startsWith("/")) throw missing();
  let found: unknown = JSON.parse(await payloads.text(ref));
  for (const step of pointer.split("/").slice(1)) {
    found = await openPart(payloads, found);
    const name = escapeKey(step.replaceAll("~1", "/").replaceAll("~0", "~"));
    if (Array.isArray(found) && !/^\d+$/u.test(name)) throw missing();
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) throw missing();
    found = (found as Fields)[name];
  }
  return joinParts(payloads, found);
}

async function splitParts(payloads: Payloads, value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => field(payloads, item)));
  return isFields(value) ? mapFields(value, escapeKey, (inner) => field(payloads, inner)) : value;
}

async function field(payloads: Payloads, value: unknown): Promise<unknown> {
  const isLarge = value !== undefined && Buffer.byteLength(canonicalJson(value)) > maxInlineBytes;
  return isLarge ? { [mark]: await putJson(payloads, value) } : splitParts(payloads, value);
}

async function openPart(payloads: Reader, value: unknown): Promise<unknown> {
  const part = isFields(value) ? value[mark] : undefined;
  return typeof part === "string" ? (JSON.parse(await payloads.text(part)) as unknown) : value;
}

async function joinParts(payloads: Reader, value: unknown): Promise<unknown> {
  const inner = await openPart(payloads, value);
  if (Array.isArray(inner)) return Promise.all(inner.map((item) => joinParts(payloads, item)));
  return isFields(inner) ? mapFields(inner, unescapeKey, (each) => joinParts(payloads, each)) : inner;
}

async function mapFields(
  fields: Fields,
  name: (key: string) => string,
  value: (inner: unknown) => Promise<unknown>,
): Promise<Fields> {
  const entries = Object.entries(fields).map(
    async ([key, inner]) => [name(key), await value(inner)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** Escapes a field with the mark's name. */
function escapeKey(name: string): string {
  return /^\$+part$/u.test(name) ? `$${name}` : name;
}

function unescapeKey(name: string): string {
  return /^\$\$+part$/u.test(name) ? name.slice(1) : name;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
