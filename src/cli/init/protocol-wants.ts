/** What a protocol wants of a repository: a memory bank, with σ₆ or without, and the files of a session. */
import { AppError } from "../../lib/errors.ts";
import { nearest } from "../../lib/nearest.ts";
import type { BankOptions } from "../../memory/bank/templates.ts";
import { loadProtocol } from "../../protocol/load.ts";
import { wireOf } from "../../notation/modes.ts";
import { readLibrary, type LibraryPlaces } from "../../engine/start/library.ts";
import type { SessionWanted } from "./plan.ts";

export interface ProtocolWants {
  readonly bank: BankOptions | null;
  readonly session: SessionWanted | null;
}

/** Nothing of both for a protocol other than dptr, riper and what builds on them. */
export async function wantsOf(name: string, places: LibraryPlaces): Promise<ProtocolWants> {
  const { protocols } = await readLibrary(places);
  if (!protocols.has(name)) {
    const near = nearest(name, [...protocols.keys()]);
    throw new AppError("protocol_unknown", `there is no protocol ${name}`, {
      hint: near === null ? "mettle protocol list" : `did you mean ${near}?`,
    });
  }
  const { bases, features } = loadProtocol(name, protocols);
  const wire = wireOf({ name, bases });
  if (wire === null) return { bank: null, session: null };
  return { bank: { protection: features["protection"] === true }, session: { protocol: name, wire } };
}
