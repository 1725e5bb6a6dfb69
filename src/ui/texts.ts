/** A stored text, or a part of it: long ones are sent in parts. */
import type { Payloads } from "../journal/payloads.ts";
import type { TextPart } from "../page/app/wire.ts";

export const maxPartBytes = 1_048_576;

/** The part begins and ends between characters. */
export async function textPart(
  payloads: Payloads,
  { address, from }: { readonly address: string; readonly from: number },
): Promise<TextPart> {
  return partOf(await payloads.get(address), from);
}

export function partOf(bytes: Buffer, wanted: number): TextPart {
  const from = characterStart(bytes, Math.min(Math.max(0, wanted), bytes.length));
  const to = characterStart(bytes, Math.min(from + maxPartBytes, bytes.length));
  return { text: bytes.subarray(from, to).toString("utf8"), total: bytes.length, from, to };
}

/** The start of the character that the byte belongs to; bytes of UTF-8 that continue one are `10xxxxxx`. */
function characterStart(bytes: Buffer, at: number): number {
  let start = at;
  while (start > at - 4 && start > 0 && start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80)
    start -= 1;
  return start;
}
