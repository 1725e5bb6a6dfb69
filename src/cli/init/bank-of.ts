/** Whether a protocol keeps a memory bank in the repository, and with σ₆ or without. */
import { AppError } from "../../lib/errors.ts";
import { nearest } from "../../lib/nearest.ts";
import type { BankOptions } from "../../memory/bank/templates.ts";
import { loadProtocol } from "../../protocol/load.ts";
import { readLibrary, type LibraryPlaces } from "../../runtime/library.ts";

/** null for a protocol without one: only dptr, riper and what builds on them have one. */
export async function bankOf(name: string, places: LibraryPlaces): Promise<BankOptions | null> {
  const { protocols } = await readLibrary(places);
  if (!protocols.has(name)) {
    const near = nearest(name, [...protocols.keys()]);
    throw new AppError("protocol_unknown", `there is no protocol ${name}`, {
      hint: near === null ? "mettle protocol list" : `did you mean ${near}?`,
    });
  }
  const { bases, features } = loadProtocol(name, protocols);
  return [name, ...bases].includes("dptr") ? { protection: features["protection"] === true } : null;
}
