// Creates a repository with one run of 10,000 events.
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJournal } from "../dist/lib/journal/open.js";
import { openRepository } from "../dist/lib/git/repository.js";
import { init, loadProtocol, step } from "../dist/lib/index.js";
import { longRun } from "./long-run.mjs";

export const events = 10_000;

/** Its folder and state home; the caller removes `base`. */
export async function longJournal() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "mettle-bench-")));
  const repository = join(base, "repository");
  const identity = ["-c", "user.name=Bench", "-c", "user.email=bench@invalid"];
  execFileSync("git", ["init", "-q", repository]);
  execFileSync("git", ["-C", repository, ...identity, "commit", "-q", "--allow-empty", "-m", "Start"]);
  const { id } = await openRepository(repository, { path: process.env.PATH });
  const home = join(base, "home");
  const clock = { now: () => Date.now(), sleep: () => Promise.resolve() };
  const journal = await openJournal({ home: join(home, id), clock, alive: () => false });
  const list = longRun({ init, step, loadProtocol }, events);
  for (let at = 0; at < list.length; at += 500) await journal.append("bench", at, list.slice(at, at + 500));
  await journal.close();
  return { base, repository, home };
}
