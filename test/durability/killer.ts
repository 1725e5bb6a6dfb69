/** Starts and drives a run in a process of its own that dies by SIGKILL at a chosen append of the journal. */
import { cp, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { run as runProcess, type RunResult } from "../../src/process/run.ts";
import type { DriveResult, World } from "../orchestrate/world.ts";
import { bundleProgram } from "../support/bundle.ts";

/** Whether to kill at each point instead of three. */
export const deep = process.env["METTLE_DEEP"] !== undefined;

export interface Killer {
  /** Drives `run` until the nth append of this process: `before` kills with its effects done and nothing journaled. */
  drive(options: KillOptions): Promise<RunResult>;
}

export interface KillOptions {
  readonly repository: string;
  readonly home: string;
  readonly run: string;
  /**
   * From 1; 0 never kills. Or a file of appends at which a process has died, one a line: it dies at the first that is not
   * there, and adds it. Called until it does not die, it has died at each append once.
   */
  readonly at: number | string;
  readonly when: "before" | "after";
}

const program = `
import { appendFileSync, readFileSync } from "node:fs";
import { standIn } from "./src/cli/demo/world.ts";
import { drive } from "./src/engine/drive.ts";
import { openHost } from "./src/run/host.ts";
import { finishRun, prepareRun } from "./src/engine/lifecycle.ts";
import { openRun } from "./src/families/open-run.ts";

const [repository, home, run, at, when] = process.argv.slice(2);
const real = await openHost(repository, { METTLE_HOME: home, METTLE_SANDBOX: "off", METTLE_MUTATION_BUDGET: "0" });
let appends = 0;
const die = () => process.kill(process.pid, "SIGKILL");
const isLedger = Number.isNaN(Number(at));
const died = new Set(isLedger ? readFileSync(at, "utf8").split("\\n") : []);
const seen = new Map();
function isLast(events) {
  if (!isLedger) return appends === Number(at);
  const what = events.map(({ type, data }) => type + " " + (data.key ?? data.node ?? "")).join(", ");
  seen.set(what, (seen.get(what) ?? 0) + 1);
  const name = what + " #" + seen.get(what);
  if (died.has(name)) return false;
  appendFileSync(at, name + "\\n");
  return true;
}
const host = {
  ...real,
  journal: {
    ...real.journal,
    async append(...given) {
      appends += 1;
      const dies = isLast(given[2]);
      if (dies && when === "before") die();
      const stored = await real.journal.append(...given);
      if (dies) die();
      return stored;
    },
  },
};
await host.journal.claim(run, host.me);
const context = await openRun(host, { run });
await prepareRun(context);
const end = await drive(context, { signal: new AbortController().signal, answer: (ask) => standIn(context, ask) });
await finishRun(context, end);
console.log(JSON.stringify({ end, appends }));
await host.journal.close();
`;

export async function makeKiller(): Promise<Killer> {
  const bundle = await bundleProgram(program);
  // Files that other processes load by path: as in scripts/build.mjs.
  const sources = packageRoot("src");
  for (const name of await readdir(sources, { recursive: true }))
    if (/\.(?:mjs|py|ini)$/.test(name) && !name.includes("fixtures/"))
      await cp(join(sources, name), join(dirname(bundle.file), basename(name)));
  return {
    drive: ({ repository, home, run, at, when }) =>
      runProcess(process.execPath, [bundle.file, repository, home, run, String(at), when], {
        cwd: repository,
        env: { PATH: process.env["PATH"] ?? "", HOME: home },
        timeoutMs: 600_000,
      }),
  };
}

/** Drives a run that nothing disturbs. @returns the number of its appends */
export async function countAppends(
  killer: Killer,
  { repository, home }: World,
  run: string,
): Promise<number> {
  const ran = await killer.drive({ repository: repository.dir, home, run, at: 0, when: "after" });
  expect(ran.exitCode, ran.stderr.toString()).toBe(0);
  return (JSON.parse(ran.stdout.toString()) as { appends: number }).appends;
}

export interface Point {
  readonly at: number;
  readonly when: "before" | "after";
}

/**
 * The points of each run to kill: one of all of them, or three of one run, other ones each day. Each is counted from the one
 * before it, where the process began that dies there.
 * @param parts of a run; the three points are in the first three
 */
export function pointsOfRuns(appends: number, parts = 3): readonly (readonly Point[])[] {
  if (deep)
    return Array.from({ length: appends }, (_, index) => index + 1).flatMap((at) => [
      [{ at, when: "before" } as const],
      [{ at, when: "after" } as const],
    ]);
  const day = Math.floor(Date.now() / 86_400_000);
  const step = Math.floor(appends / parts);
  return [
    [
      { at: 1 + (day % step), when: "before" },
      { at: Math.max(1, step - 2), when: "after" },
      { at: Math.max(1, step - 3), when: "before" },
    ],
  ];
}

/** Kills the process of a run at each of these points in turn, each resumed where the one before it died, then drives its rest. */
export async function killAndResume(
  killer: Killer,
  world: World,
  run: string,
  points: readonly Point[],
): Promise<{ readonly driven: DriveResult; readonly about: string }> {
  const about = points.map(({ at, when }) => `${when} append ${at}`).join(", then ");
  for (const { at, when } of points) {
    const ran = await killer.drive({ repository: world.repository.dir, home: world.home, run, at, when });
    expect(ran.signal, `${about}: ${ran.stderr.toString()}`).toBe("SIGKILL");
  }
  const claim = await world.host.journal.claim(run, world.host.me);
  const driven = await world.drive(run);
  await claim.release();
  return { driven, about };
}
