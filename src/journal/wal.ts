/**
 * Checks the write-ahead log of `mettle.db` before SQLite opens it. SQLite reads frames up to the first invalid one and
 * discards the rest: right after a crash during the last write, but a loss of committed data if the log is damaged
 * earlier. Source of the format: sqlite.org/fileformat2.html, section 4.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

const headerBytes = 32;
const frameBytes = 24;
const magic = 0x377f0682;
/** Another process may write during a read; real damage is present in every read. */
const maxReads = 3;
const pauseMs = 50;

/** Why SQLite would lose data of the log, or null. */
export async function walDamage(file: string): Promise<string | null> {
  let found: string | null = null;
  for (let read = 0; read < maxReads; read += 1) {
    const log = await readFile(`${file}-wal`).catch(() => null); // missing, or SQLite reports the error
    const now = log === null ? null : damageIn(log);
    if (now === null || (read > 0 && now !== found)) return null;
    found = now;
    await pause(pauseMs);
  }
  return found;
}

/**
 * One transaction may end after the first invalid frame, if a crash interrupted its write. Two or more mean that the log
 * is damaged before its end.
 */
function damageIn(log: Buffer): string | null {
  if (log.length < headerBytes + frameBytes) return null;
  const header = headerOf(log);
  const step = frameBytes + header.page;
  if (!header.isSound) {
    const salts = log.subarray(headerBytes + 8, headerBytes + 16);
    const ends = commitsAfter(log, headerBytes, { step, salts });
    return ends > 1 ? `the head of its log is damaged, and ${ends} transactions follow it` : null;
  }
  let sum = header.sum;
  for (let at = headerBytes; at + step <= log.length; at += step) {
    const frame = log.subarray(at, at + step);
    // Frames after the newest one are left over from an older log.
    const isOurs = frame.subarray(8, 16).equals(header.salts);
    const next = checksum(
      checksum(sum, frame.subarray(0, 8), header.isBig),
      frame.subarray(frameBytes),
      header.isBig,
    );
    if (isOurs && next[0] === frame.readUInt32BE(16) && next[1] === frame.readUInt32BE(20)) {
      sum = next;
      continue;
    }
    const ends = commitsAfter(log, at, { step, salts: header.salts });
    return ends > 1 ? `its log is damaged at byte ${at}, and ${ends} transactions follow it` : null;
  }
  return null;
}

type Sum = readonly [number, number];

function headerOf(log: Buffer) {
  const word = log.readUInt32BE(0);
  const isBig = word === magic + 1;
  const sum = checksum([0, 0], log.subarray(0, 24), isBig);
  const isSound =
    (isBig || word === magic) && sum[0] === log.readUInt32BE(24) && sum[1] === log.readUInt32BE(28);
  return {
    isSound,
    isBig,
    sum,
    salts: log.subarray(16, 24),
    page: isSound ? log.readUInt32BE(8) : defaultPageBytes,
  };
}

/** Page size of a database made by Mettle. */
const defaultPageBytes = 4096;

/** Counts the frames that end a transaction: they have a nonzero database size. */
function commitsAfter(log: Buffer, from: number, { step, salts }: { step: number; salts: Buffer }): number {
  let ends = 0;
  for (let at = from; at + step <= log.length; at += step)
    if (log.subarray(at + 8, at + 16).equals(salts) && log.readUInt32BE(at + 4) > 0) ends += 1;
  return ends;
}

function checksum([first, second]: Sum, bytes: Buffer, isBig: boolean): Sum {
  let [one, two] = [first, second];
  const word = (at: number) => (isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    one = (one + word(at) + two) >>> 0;
    two = (two + word(at + 4) + one) >>> 0;
  }
  return [one, two];
}
