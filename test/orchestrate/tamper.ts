/** Copies of a world's state home, tampered with by somebody who knows the file formats. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { listed } from "../../src/evidence/bundle/statement.ts";
import { seal } from "../../src/evidence/chain.ts";
import { parseRecord, type EvidenceRecord } from "../../src/evidence/record.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { canonicalJson } from "../../src/lib/hash.ts";
import { filePayloads } from "../../src/journal/file-payloads.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { checksum } from "../../src/journal/checksum.ts";
import { openStore } from "../../src/journal/store.ts";
import { openHost } from "../../src/run/host.ts";
import { openRun } from "../../src/families/open-run.ts";
import { verifyRun, type RunVerification } from "../../src/verify/verify-run.ts";
import { eventsOf, type World } from "./world.ts";

/** The folder of the repository's state in the copy. */
type Tamper = (root: string) => Promise<void>;

/** Uses a tampered copy of the state home, which is deleted afterwards. */
export async function onCopy<Value>(
  world: World,
  tamper: Tamper,
  use: (home: string) => Promise<Value>,
): Promise<Value> {
  const copy = await mkdtemp(join(world.home, "..", "mettle-tampered-"));
  try {
    await cp(world.home, copy, { recursive: true });
    await tamper(join(copy, basename(world.host.home.root)));
    return await use(copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** What `mettle verify` finds in a state home, without its program. */
export async function verifyIn(world: World, home: string, run: string): Promise<RunVerification> {
  const host = await openHost(world.repository.dir, { METTLE_HOME: home });
  try {
    return await verifyRun(await openRun(host, { run }));
  } finally {
    await host.journal.close();
  }
}

export function payloadFile(root: string, address: string): string {
  const hex = address.replace("sha256:", "");
  return join(root, "payloads", hex.slice(0, 2), hex);
}

/** Changes an event to an unknown type: its row stays valid and its content is ignored. */
export function forgetEvent(root: string, at: { run: string; seq: number }): Promise<void> {
  return rewriteEvent(root, { ...at, type: "forgotten", data: {} });
}

/** Changes an event's content and its checksum. */
export async function rewriteEvent(
  root: string,
  { run, seq, type, data }: { run: string; seq: number; type: string; data: object },
): Promise<void> {
  const store = await openStore({ home: root, clock: systemClock });
  store.db.exec("DROP TRIGGER IF EXISTS events_keep");
  const [at] = store.db.prepare("SELECT at FROM events WHERE run = ? AND seq = ?").raw().get(run, seq) as [
    string,
  ];
  const text = JSON.stringify(data);
  store.db
    .prepare("UPDATE events SET type = ?, data = ?, crc = ? WHERE run = ? AND seq = ?")
    .run(type, text, checksum(run, seq, at, type, text), run, seq);
  await store.close();
}

/** Changes the records of a run, and chains, signs, stores and journals them again, as its machine could. */
export async function resealRecords(
  root: string,
  { world, run }: { readonly world: World; readonly run: string },
  change: (records: EvidenceRecord[]) => void,
): Promise<void> {
  const written = eventsOf((await world.host.journal.read(run)).map(recorded), "record.written");
  const records: EvidenceRecord[] = [];
  for (const { ref } of written) records.push(parseRecord(JSON.parse(await world.host.payloads.text(ref))));
  change(records);
  const payloads = filePayloads(join(root, "payloads"));
  let previous: string | null = null;
  for (const [index, { type, seq, at: _at, ...data }] of written.entries()) {
    const changed = records[index];
    if (changed === undefined) throw new Error("records cannot be removed here");
    const record = { ...changed, previous };
    const ref = await payloads.put(canonicalJson(record));
    const envelope = await payloads.put(canonicalJson(seal(record, await world.host.key()).envelope));
    await rewriteEvent(root, { run, seq, type, data: { ...data, ...listed({ ...record, envelope }), ref } });
    previous = envelope;
  }
}
