/** A run continues only with keys that count, so that no work is done that could not be verified. */
import { join } from "node:path";
import { SignedEnvelope } from "../evidence/sign.ts";
import type { KeyStanding, TrustedKeys } from "../evidence/trusted-keys.ts";
import { AppError } from "../lib/errors.ts";
import type { RunContext } from "./context.ts";
import { storedText } from "./stored-text.ts";

/**
 * @throws key_lost in a local store, whose records all have one key; in a shared store key_unenrolled and key_revoked, for the key of
 * this host and for those of the records that the run has
 */
export async function assertSigningKey(context: RunContext): Promise<void> {
  const { session, home } = context;
  if (home.store.kind === "local") return assertSameKey(context);
  await session.ports.key();
  await assertRecordsCount(context, await session.ports.trusted());
}

async function assertSameKey(context: RunContext): Promise<void> {
  const { session, home, run } = context;
  const last = session.view.records.at(-1);
  const keys = last === undefined ? [] : await keysOf(context, last.envelope);
  if (keys.length === 0 || keys.includes((await session.ports.key()).id)) return;
  throw new AppError("key_lost", `the key that signed the records of run ${run} is gone`, {
    hint: `put ${join(home.keys, "evidence.pem")} back from a copy; without it no result of this run can be verified, so end it with \`mettle abort ${run}\` and begin anew`,
  });
}

/** Without a revoked key in the register only the last record is read. */
async function assertRecordsCount(context: RunContext, trusted: TrustedKeys): Promise<void> {
  const { records } = context.session.view;
  const read = trusted.hasRevoked ? records : records.slice(-1);
  for (let at = 0; at < read.length; at += readsAtOnce) {
    const some = read.slice(at, at + readsAtOnce);
    const keys = await Promise.all(some.map(({ envelope }) => keysOf(context, envelope)));
    for (const [index, { id }] of some.entries()) {
      const [first, ...more] = (keys[index] ?? []).map((key) => trusted.find(key));
      if (first === undefined || [first, ...more].some(({ type }) => type === "trusted")) continue;
      throw refused(context.run, id, first);
    }
  }
}

const readsAtOnce = 8;

function refused(run: string, record: string, standing: KeyStanding): AppError {
  const isRevoked = standing.type === "revoked";
  const why = standing.type === "trusted" ? "" : standing.why;
  const end = `end the run with \`mettle abort ${run}\` and begin anew`;
  return new AppError(
    isRevoked ? "key_revoked" : "key_unenrolled",
    `no result of run ${run} can be verified: record ${record}: ${why}`,
    {
      hint: isRevoked
        ? `A revoked key stays revoked, so ${end}.`
        : `If it is the key of a worker of yours, have it enrolled with \`mettle keys enrol NAME FILE\`; else ${end}.`,
    },
  );
}

/** The ids of the keys that an envelope names; none for a missing or damaged one, which `verify` reports. */
async function keysOf(context: RunContext, envelope: string): Promise<readonly string[]> {
  const text = await storedText(context, envelope);
  const read = text === null ? null : SignedEnvelope.safeParse(JSON.parse(text));
  return read?.success === true ? read.data.signatures.map(({ keyid }) => keyid) : [];
}
