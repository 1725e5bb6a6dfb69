/**
 * JSON payloads in parts: a field that is larger than 16 KiB is stored under its own address, and in its place stands
 * `{"$part": address}`. Who reads by a JSON pointer opens the parts on its path and no others (V3-56, 57).
 */
import { AppError } from "../lib/errors.ts";
import { canonicalJson } from "../lib/hash.ts";
import type { Payloads } from "./payloads.ts";

/** Bytes of a field that stays in its place. */
export const mostInline = 16 << 10;

const mark = "$part";
type Reader = Pick<Payloads, "text">;
type Fields = Readonly<Record<string, unknown>>;

/** The same value has the same address, whatever the order of its keys. */
export async function putJson(payloads: Payloads, value: unknown): Promise<string> {
  return payloads.put(canonicalJson(await divided(payloads, value)));
}

export async function readJson(payloads: Reader, address: string): Promise<unknown> {
  return whole(payloads, JSON.parse(await payloads.text(address)));
}

/** @param pointer RFC 6901; throws `pointer_not_found` where it leads nowhere */
export async function readPointer(
  payloads: Reader,
  { ref, pointer }: { readonly ref: string; readonly pointer: string },
): Promise<unknown> {
  const missing = () =>
    new AppError("pointer_not_found", `${pointer} leads nowhere in ${ref}`, {
      hint: "a pointer has the form /field/0/field, and ~1 in it stands for a slash; an empty one is the whole payload",
    });
  if (pointer !== "" && !pointer.startsWith("/")) throw missing();
  let found: unknown = JSON.parse(await payloads.text(ref));
  for (const step of pointer.split("/").slice(1)) {
    found = await opened(payloads, found);
    const name = escaped(step.replaceAll("~1", "/").replaceAll("~0", "~"));
    if (Array.isArray(found) && !/^\d+$/u.test(name)) throw missing();
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) throw missing();
    found = (found as Fields)[name];
  }
  return whole(payloads, found);
}

async function divided(payloads: Payloads, value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => field(payloads, item)));
  return isFields(value) ? mapped(value, escaped, (inner) => field(payloads, inner)) : value;
}

async function field(payloads: Payloads, value: unknown): Promise<unknown> {
  const isLarge = value !== undefined && Buffer.byteLength(canonicalJson(value)) > mostInline;
  return isLarge ? { [mark]: await putJson(payloads, value) } : divided(payloads, value);
}

async function opened(payloads: Reader, value: unknown): Promise<unknown> {
  const part = isFields(value) ? value[mark] : undefined;
  return typeof part === "string" ? (JSON.parse(await payloads.text(part)) as unknown) : value;
}

async function whole(payloads: Reader, value: unknown): Promise<unknown> {
  const inner = await opened(payloads, value);
  if (Array.isArray(inner)) return Promise.all(inner.map((item) => whole(payloads, item)));
  return isFields(inner) ? mapped(inner, unescaped, (each) => whole(payloads, each)) : inner;
}

async function mapped(
  fields: Fields,
  name: (key: string) => string,
  value: (inner: unknown) => Promise<unknown>,
): Promise<Fields> {
  const entries = Object.entries(fields).map(
    async ([key, inner]) => [name(key), await value(inner)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** A field that has the mark's own name is no part. */
function escaped(name: string): string {
  return /^\$+part$/u.test(name) ? `$${name}` : name;
}

function unescaped(name: string): string {
  return /^\$\$+part$/u.test(name) ? name.slice(1) : name;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
