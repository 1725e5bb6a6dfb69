import { AppError } from "../lib/errors.ts";
import { mask } from "../lib/mask.ts";
import type { RunContext } from "./context.ts";

/** The text of a payload; null if it is missing or does not match its address. */
export async function storedText(
  { payloads }: Pick<RunContext, "payloads">,
  address: string,
): Promise<string | null> {
  try {
    return await payloads.text(address);
  } catch (error) {
    if (error instanceof AppError && error.code.startsWith("payload_")) return null;
    throw error;
  }
}

/** Masks the secrets in a text, stores it and returns its address. */
export function storeText(
  { payloads, host }: Pick<RunContext, "payloads" | "host">,
  text: string,
): Promise<string> {
  return payloads.put(mask(text, host.secrets));
}
