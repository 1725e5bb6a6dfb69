import { AppError } from "../lib/errors.ts";
import type { RunContext } from "./context.ts";

/** Null where the payload is missing or does not have its address. */
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
