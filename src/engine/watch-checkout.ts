/**
 * What changes in the user's checkout while a run goes on: noted with its paths, never undone, never a reason to block
 * (ORC-07, ORC-61). A person may be working there, and an agent without a sandbox could reach it.
 */
import { lstat } from "node:fs/promises";
import { join, relative } from "node:path";
import { bankFolder } from "../memory/bank/files.ts";
import { compareFingerprints, fingerprintUpTo } from "../git/checkout/fingerprint.ts";
import { checkoutStatus } from "../git/checkout/uncommitted.ts";
import type { RunContext } from "../run/context.ts";
import { documentFolder } from "../run/documents/names.ts";

export interface CheckoutWatch {
  /** Journals what has changed since the last look; `key` is what has just been done. */
  note(key: string): Promise<void>;
}

/** Path that differs from HEAD -> what the file system says about it. */
type Stamps = Readonly<Record<string, string>>;

/** What another process saw last is where this one goes on, so that work done while the run waits is noted too. */
export async function watchCheckout(context: RunContext): Promise<CheckoutWatch> {
  const { session, run, started } = context;
  // There the checkout is where the roles work, and what they may write is looked at when they report.
  if (started.front === "referee") return { note: async () => undefined };
  const { journal } = session.ports;
  const kept = await journal.readView(run, view);
  let last: Look | null = isStamps(kept?.value) ? null : await look(context, null);
  let before = last?.stamps ?? (isStamps(kept?.value) ? kept.value : {});
  return {
    async note(key) {
      if ((await last?.isSame()) === true) return;
      // What cannot be looked at now is looked at later: what an agent just did must not be lost by it.
      const now = await look(context, last?.ignored ?? null).catch(() => null);
      last = now;
      if (now === null) return;
      const paths = await changed(context, before, now.stamps);
      before = now.stamps;
      await journal.writeView(run, view, session.view.seq, before);
      if (paths.length > 0) await session.record([{ type: "outside.write", key, place: "checkout", paths }]);
    },
  };
}

const view = "checkout-1";
/** More names than these help nobody. */
const mostPaths = 100;

/** Starting git costs more than looking at so many files. */
const mostFiles = 5_000;

interface Look {
  readonly stamps: Stamps;
  readonly ignored: ReadonlySet<string>;
  /** Whether nobody has written a file since, so that git has nothing new to say. False where that is not known. */
  isSame(): Promise<boolean>;
}

/** @param ignored by an earlier look; null at the first one, after which git is always asked again */
async function look(context: RunContext, ignored: ReadonlySet<string> | null): Promise<Look> {
  const { repository, home } = context;
  const own = [documentFolder, bankFolder, relative(repository.checkout, home.root)];
  const skipped = new Set([".git", ...own, ...(ignored ?? [])]);
  const files = () =>
    fingerprintUpTo(repository.checkout, { ignore: (path) => skipped.has(path), most: mostFiles });
  // The files first: what is written while git looks is seen by the next look.
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

/** A path that no longer differs from HEAD was written only if its file is another one: a commit writes nothing. */
async function changed(context: RunContext, before: Stamps, now: Stamps): Promise<string[]> {
  const paths: string[] = [];
  for (const path of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const was = before[path];
    const is = now[path] ?? (await stampOf(context, path));
    if (was !== is) paths.push(path);
  }
  return paths.sort().slice(0, mostPaths);
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
