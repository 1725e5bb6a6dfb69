/** Opens a run on a worker, in a clone of its own. */
import { readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { environment, programPath } from "../config/env.ts";
import { openRun } from "../families/open-run.ts";
import type { FamilyRun } from "../family/family.ts";
import { ensureRunClone } from "../git/shared/run-clone.ts";
import { openSharedStore } from "../journal/home-store.ts";
import { systemClock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { sha256 } from "../lib/hash.ts";
import { exists } from "../lib/files.ts";
import type { Recorded } from "../log/run-event.ts";
import { run as runProgram } from "../process/run.ts";
import type { Host } from "../run/context.ts";
import { openHost, type OpenHost } from "../run/host.ts";
import { hostKeys } from "../run/host-keys.ts";
import { recorded } from "../run/list-runs.ts";
import { takeRunRefs } from "../run/run-remote.ts";
import { inTurn } from "./in-turn.ts";
import type { Job } from "./job-client.ts";
import { storeOf, type WorkerPlace } from "./place.ts";

export interface WorkerRun {
  readonly host: OpenHost;
  readonly context: FamilyRun;
}

/**
 * The caller closes the journal of the host.
 * @throws run_unknown, remote_failed and the codes of the store
 */
export async function openWorkerRun(place: WorkerPlace, { repository, run }: Job): Promise<WorkerRun> {
  const store = await openSharedStore(storeOf(place, repository), systemClock);
  try {
    const events = (await store.journal.read(run)).map(recorded);
    const clone = await inTurn(run, () => cloneOf(place, { repository, run }, events));
    const opened = await openHost(clone, {}, { shared: { repository, home: place.id }, store });
    const host = { ...opened, ...hostKeys(place.key, opened.register) };
    const context = await openRun(host, { run, events });
    if (context.family.handover !== null) await useKeyOf(place, opened.home.keys);
    context.session.fetchFirst(() => inTurn(run, () => takeRunRefs(context)));
    return { host, context };
  } catch (error) {
    await store.journal.close();
    throw error;
  }
}

/** Programs that a worker starts or loads for the whole run sign with its key, as of the clone's state home. */
async function useKeyOf({ keys }: WorkerPlace, home: string): Promise<void> {
  await symlink(keys, home, "dir").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}

/** @returns its path */
async function cloneOf(
  place: WorkerPlace,
  { repository, run }: Job,
  events: readonly Recorded[],
): Promise<string> {
  const started = events.find((event) => event.type === "run.started");
  const remote = started?.type === "run.started" ? started.workers?.remote : undefined;
  if (started?.type !== "run.started" || remote === undefined)
    throw new AppError("run_unknown", `no run ${run} of ${repository} is for workers`, {
      hint: "`mettle run --detach` begins one",
    });
  const folder = join(place.clones, "runs", run);
  const path = join(folder, basename(repository));
  await ensureRunClone({
    mirror: join(place.clones, "mirrors", sha256(remote).slice(-16)),
    path,
    remote,
    login: environment(),
    run,
    base: started.base,
    programs: programPath(),
  });
  await writeFile(join(folder, repositoryFile), repository);
  return path;
}

/** Runs the commands that the settings name, such as `npm ci`, once in a clone. @throws install_failed */
export async function installOnce({ settings, host, repository, run }: FamilyRun): Promise<void> {
  await inTurn(run, () => install(settings.workers?.install ?? [], { clone: repository.root, host }));
}

async function install(
  commands: readonly string[],
  { clone, host }: { readonly clone: string; readonly host: Host },
): Promise<void> {
  const done = join(clone, ".git", "mettle-installed");
  if (commands.length === 0 || (await exists(done))) return;
  for (const command of commands) {
    const ran = await runProgram("/bin/sh", ["-c", command], {
      cwd: clone,
      env: { ...host.env },
      timeoutMs: installMs,
      keepBytes: 100_000,
    });
    if (ran.exitCode === 0) continue;
    const said = ran.stderr.toString("utf8").trim().split("\n").slice(-5).join("\n");
    throw new AppError("install_failed", `\`${command}\` failed with exit code ${ran.exitCode}: ${said}`, {
      hint: "mend `workers.install` of mettle.yaml, or what it needs on this worker",
      retry: "safe",
    });
  }
  await writeFile(done, "");
}

const installMs = 1_800_000;
const repositoryFile = "repository";

/**
 * Removes the clones and states of runs that have ended. Asks the store once for each repository: runs that wait cost nothing (SCL-11).
 * @param busy the runs that this worker works on now
 */
export async function removeEnded(place: WorkerPlace, busy: ReadonlySet<string>): Promise<void> {
  const folder = join(place.clones, "runs");
  const runs = await readdir(folder).catch(() => []); // no run yet
  const found = new Map<string, string[]>();
  for (const run of runs.filter((one) => !busy.has(one))) {
    const repository = await readFile(join(folder, run, repositoryFile), "utf8").catch(() => null); // being made
    if (repository !== null) found.set(repository, [...(found.get(repository) ?? []), run]);
  }
  for (const [repository, some] of found) {
    const open = await openRunsOf(place, repository);
    for (const run of some.filter((one) => !open.has(one)))
      await inTurn(run, () => removeRun(place, { repository, run }));
  }
}

async function openRunsOf(place: WorkerPlace, repository: string): Promise<ReadonlySet<string>> {
  const { journal } = await openSharedStore(storeOf(place, repository), systemClock);
  try {
    return new Set(await journal.openRuns());
  } finally {
    await journal.close();
  }
}

async function removeRun(place: WorkerPlace, { repository, run }: Job): Promise<void> {
  const folder = join(place.clones, "runs", run);
  const host = await openHost(
    join(folder, basename(repository)),
    {},
    { shared: { repository, home: place.id } },
  );
  await host.journal.close();
  await rm(host.home.root, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}
