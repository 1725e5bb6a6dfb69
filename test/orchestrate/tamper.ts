/** Copies of a world's state home that somebody has tampered with, as one who knows the file formats would. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { systemClock } from "../../src/lib/clock.ts";
import { checksum } from "../../src/journal/checksum.ts";
import { openStore } from "../../src/journal/store.ts";
import type { Called, World } from "./world.ts";

/** The folder of the repository's state in the copy. */
type Tamper = (root: string) => Promise<void>;

/** Calls the program on a tampered copy of the state home, which is gone afterwards. */
export async function onCopy(world: World, tamper: Tamper, args: readonly string[]): Promise<Called> {
  const copy = await mkdtemp(join(world.home, "..", "mettle-tampered-"));
  try {
    await cp(world.home, copy, { recursive: true });
    await tamper(join(copy, basename(world.host.home.root)));
    return await world.cli(args, { env: { METTLE_HOME: copy } });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

export function payloadFile(root: string, address: string): string {
  const hex = address.replace("sha256:", "");
  return join(root, "payloads", hex.slice(0, 2), hex);
}

/** Turns an event into one of a type that nobody reads: its row stays whole and its content is gone. */
export async function forgetEvent(root: string, { run, seq }: { run: string; seq: number }): Promise<void> {
  const store = await openStore({ home: root, clock: systemClock });
  store.db.exec("DROP TRIGGER events_keep");
  const [at] = store.db.prepare("SELECT at FROM events WHERE run = ? AND seq = ?").raw().get(run, seq) as [
    string,
  ];
  const crc = checksum(run, seq, at, "forgotten", "{}");
  store.db
    .prepare("UPDATE events SET type = 'forgotten', data = '{}', crc = ? WHERE run = ? AND seq = ?")
    .run(crc, run, seq);
  await store.close();
}
