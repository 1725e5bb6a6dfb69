/** A run continues only with the key that signed its records: a chain with two keys could not be verified. */
import { join } from "node:path";
import { SignedEnvelope } from "../evidence/sign.ts";
import { AppError } from "../lib/errors.ts";
import type { RunContext } from "./context.ts";
import { storedText } from "./stored-text.ts";

/** @throws key_lost before any work is done that could not be verified */
export async function assertSameKey(context: RunContext): Promise<void> {
  const { session, home, run, started } = context;
  // Each worker signs with a key of its own.
  if (started.workers !== undefined) return;
  const last = session.view.records.at(-1);
  const text = last === undefined ? null : await storedText(context, last.envelope);
  // `verify` reports missing payloads.
  const envelope = text === null ? null : SignedEnvelope.safeParse(JSON.parse(text));
  if (envelope?.success !== true) return;
  const { id } = await session.ports.key();
  if (envelope.data.signatures.some(({ keyid }) => keyid === id)) return;
  throw new AppError("key_lost", `the key that signed the records of run ${run} is gone`, {
    hint: `put ${join(home.keys, "evidence.pem")} back from a copy; without it no result of this run can be verified, so end it with \`mettle abort ${run}\` and begin anew`,
  });
}
