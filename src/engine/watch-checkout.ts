/**
 * Records the paths that change in the user's checkout during a run. It never undoes or blocks a change (ORC-07, ORC-61): a
 * person may be working there, and an agent without a sandbox can write there.
 */
import { lstat } from "node:fs/promises";
import { join, relative } from "node:path";
import { bankFolder } from "../memory/bank/files.ts";
import { compareFingerprints, fingerprintUpTo } from "../git/checkout/fingerprint.ts";
import { checkoutStatus } from "../git/checkout/uncommitted.ts";
import type { RunContext } from "../run/context.ts";
import { documentFolder } from "../run/documents/names.ts";

export interface CheckoutWatch {
  /** Journals what has changed since the last call. @param key of the command that has just ended */
  note(key: string): Promise<void>;
}

/** Path that differs from HEAD -> what the file system says about it. */
type Stamps = Readonly<Record<string, string>>;

/** Continues from the last snapshot of any process, so that changes while the run waits are recorded too. */
export async function watchCheckout(context: RunContext): Promise<CheckoutWatch> {
  const { session, run, started } = context;
  // In referee mode the roles work in the checkout; their writes are checked when they report.
  if (started.front === "referee") return { note: async () => undefined };
  const { journal } = session.ports;
  const kept = await journal.readView(run, view);
  let last: Snapshot | null = isStamps(kept?.value) ? null : await takeSnapshot(context, null);
  let before = last?.stamps ?? (isStamps(kept?.value) ? kept.value : {});
  return {
    async note(key) {
      if ((await last?.isSame()) === true) return;
      // A failed snapshot is retried at the next call; it must not lose the agent's result.
      const now = await takeSnapshot(context, last?.ignored ?? null).catch(() => null);
      last = now;
      if (now === null) return;
      const paths = await changedSince(context, before, now.stamps);
      before = now.stamps;
      await journal.writeView(run, view, session.view.seq, before);
      if (paths.length > 0) await session.record([{ type: "outside.write", key, place: "checkout", paths }]);
    },
  };
}

const view = "checkout-1";
const maxPaths = 100;

/** Up to so many files, reading their metadata is cheaper than starting git. */
const maxFiles = 5_000;

interface Snapshot {
  readonly stamps: Stamps;
  readonly ignored: ReadonlySet<string>;
  /** Whether no file was written since, so that git need not run. False if unknown. */
  isSame(): Promise<boolean>;
}

/** @param ignored paths from an earlier snapshot; null at the first one, which `isSame` never confirms */
async function takeSnapshot(context: RunContext, ignored: ReadonlySet<string> | null): Promise<Snapshot> {
  const { repository, home } = context;
  const own = [documentFolder, bankFolder, relative(repository.checkout, home.root)];
  const skipped = new Set([".git", ...own, ...(ignored ?? [])]);
  const files = () => fingerprintUpTo(repository.checkout, { ignore: (path) => skipped.has(path), maxFiles });
  // Files first, so that the next snapshot sees what is written while git runs.
  const seen = ignored && (await files());
  const status = await checkoutStatus(repository);
  const theirs = status.changed.filter((path) => !own.some((folder) => path.startsWith(`${folder}/`)));
  const stamps = await Promise.all(theirs.map(async (path) => [path, await stampOf(context, path)] as const));
  return {
    stamps: Object.fromEntries(stamps),
    ignored: new Set(status.ignored),
    async isSame() {
      const now = seen && (await files());
      return seen !== null && now !== null && compareFingerprints(seen, now).length === 0;
    },
  };
}

/** Compares stamps: a path that no longer differs from HEAD may only have been committed. */
async function changedSince(context: RunContext, before: Stamps, now: Stamps): Promise<string[]> {
  const paths: string[] = [];
  for (const path of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const was = before[path];
    const is = now[path] ?? (await stampOf(context, path));
    if (was !== is) paths.push(path);
  }
  return paths.sort().slice(0, maxPaths);
}

async function stampOf({ repository }: RunContext, path: string): Promise<string> {
  try {
    const { mode, size, mtimeNs, ino } = await lstat(join(repository.checkout, path), { bigint: true });
    return `${mode} ${size} ${mtimeNs} ${ino}`;
  } catch {
    return "gone"; // deleted, or not ours to read
  }
}

function isStamps(value: unknown): value is Stamps {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
