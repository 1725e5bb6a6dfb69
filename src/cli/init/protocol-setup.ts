/** What a protocol needs in a repository: a memory bank, with or without σ₆, and the files of a session. */
import { AppError } from "../../lib/errors.ts";
import { nearest } from "../../lib/nearest.ts";
import type { BankOptions } from "../../memory/bank/templates.ts";
import { loadProtocol } from "../../protocol/load.ts";
import { symbolSetOf } from "../../notation/modes.ts";
import { readLibrary, type LibraryPlaces } from "../../engine/start/library.ts";
import type { SessionProtocol } from "./plan.ts";

export interface ProtocolSetup {
  readonly bank: BankOptions | null;
  readonly session: SessionProtocol | null;
}

/** Both are null for protocols other than dptr, riper and protocols that extend them. */
export async function setupOf(name: string, places: LibraryPlaces): Promise<ProtocolSetup> {
  const { protocols } = await readLibrary(places);
  if (!protocols.has(name)) {
    const near = nearest(name, [...protocols.keys()]);
    throw new AppError("protocol_unknown", `there is no protocol ${name}`, {
      hint: near === null ? "mettle protocol list" : `did you mean ${near}?`,
    });
  }
  const { bases, features } = loadProtocol(name, protocols);
  const wire = symbolSetOf({ name, bases });
  if (wire === null) return { bank: null, session: null };
  return { bank: { protection: features["protection"] === true }, session: { protocol: name, wire } };
}
