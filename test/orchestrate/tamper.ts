/** Copies of a world's state home, tampered with by somebody who knows the file formats. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { systemClock } from "../../src/lib/clock.ts";
import { checksum } from "../../src/journal/checksum.ts";
import { openStore } from "../../src/journal/store.ts";
import { openHost } from "../../src/run/host.ts";
import { openRun } from "../../src/families/open-run.ts";
import { verifyRun, type RunVerification } from "../../src/verify/verify-run.ts";
import type { World } from "./world.ts";

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
  store.db.exec("DROP TRIGGER events_keep");
  const [at] = store.db.prepare("SELECT at FROM events WHERE run = ? AND seq = ?").raw().get(run, seq) as [
    string,
  ];
  const text = JSON.stringify(data);
  store.db
    .prepare("UPDATE events SET type = ?, data = ?, crc = ? WHERE run = ? AND seq = ?")
    .run(type, text, checksum(run, seq, at, type, text), run, seq);
  await store.close();
}
