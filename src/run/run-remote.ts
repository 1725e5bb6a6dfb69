/** The remote by which the hosts of a run that workers do share its commits (SCL-04). */
import { AppError } from "../lib/errors.ts";
import { currentBranch, headsPrefix } from "../git/repository.ts";
import { remoteOf } from "../git/remote.ts";
import { baseRef } from "../git/shared/run-clone.ts";
import { dropUnpushed, pushRefs, takeRefs, yieldRefs, type SharedRefs } from "../git/shared/shared-refs.ts";
import { readRefs, updateRef } from "../git/refs.ts";
import type { EventOf } from "../log/run-event.ts";
import type { RunView } from "../log/run-view.ts";
import { resultBranch } from "./branches.ts";
import type { RunContext } from "./context.ts";
import type { OpenHost } from "./host.ts";
import { isOfWorkers } from "./run-host.ts";

type Workers = NonNullable<EventOf<"run.started">["workers"]>;

/** @throws remote_missing */
export async function remoteForWorkers({
  repository,
  host,
}: Pick<OpenHost, "repository" | "host">): Promise<Workers> {
  const branch = (await currentBranch(repository)) ?? "";
  const remote = await remoteOf(repository, { branch, login: host.env });
  if (remote !== null) return { remote: withoutPassword(remote.pushUrl) };
  throw new AppError(
    "remote_missing",
    "workers get the commits of a run from a remote, and this repository has none",
    {
      hint: "git remote add origin URL",
    },
  );
}

/** Where the work of a run is that one worker at a time does in one checkout. */
export function planRef(run: string): string {
  return `refs/mettle/runs/${run}/plan`;
}

/** Takes over the newest of that work, in place of what was packed here and never pushed. @throws remote_failed */
export async function takePlanRef(context: SharedRun): Promise<void> {
  await dropUnpushed(context.repository, [planRef(context.run)]);
  await takeRunRefs(context);
}

/** Pushes the commit from which workers begin. @throws remote_failed */
export async function pushBase(
  { repository, host }: Pick<OpenHost, "repository" | "host">,
  { run, base, workers }: { readonly run: string; readonly base: string; readonly workers: Workers },
): Promise<void> {
  await updateRef(repository, { ref: baseRef(run), to: base, from: null });
  await pushRefs(repository, { ...workers, login: host.env, prefixes: prefixesOf(run) });
}

/** Takes over what other hosts pushed for the run; nothing in a run that is done on one host. @throws remote_failed */
export async function takeRunRefs(context: SharedRun): Promise<void> {
  const shared = sharedRefs(context);
  if (shared !== null) await takeRefs(context.repository, shared);
}

/** The same if the newest commits of the run, or its result, are not here yet. @throws remote_failed */
export async function takeMissingRefs(context: SharedRun, { commits, head, ended }: RunView): Promise<void> {
  const result = ended?.outcome === "complete" ? resultBranch(context.run) : null;
  const newest = [commits.at(-1)?.commit, head.branch, result].filter((name) => name != null);
  if (!isOfWorkers(context) || newest.length === 0) return;
  const found = await readRefs(context.repository, newest);
  if (found.includes(null)) await takeRunRefs(context);
}

/**
 * Pushes what was moved here for the run.
 * @returns the refs that another host has moved meanwhile; then nothing was pushed
 * @throws remote_failed
 */
export async function pushRunRefs(context: SharedRun): Promise<readonly string[]> {
  const shared = sharedRefs(context);
  return shared === null ? [] : pushRefs(context.repository, shared);
}

/**
 * Decides about refs that another host has moved meanwhile. Those that are named by a command's key are this host's, which has claimed
 * the command: its push may be tried again. Branches are the other's.
 * @returns the refs that were given up, on which the command must be done again
 */
export async function contestRunRefs(
  context: SharedRun,
  contested: readonly string[],
): Promise<readonly string[]> {
  const shared = sharedRefs(context);
  const lost = contested.filter((ref) => ref.startsWith(headsPrefix));
  if (shared !== null) await yieldRefs(context.repository, shared, { contested, lost });
  return lost;
}

export interface SharedRun extends Pick<RunContext, "run" | "repository"> {
  readonly started: Pick<RunContext["started"], "workers">;
  readonly host: Pick<RunContext["host"], "env">;
}

function sharedRefs({ run, started, host }: SharedRun): SharedRefs | null {
  if (started.workers === undefined) return null;
  return { ...started.workers, login: host.env, prefixes: prefixesOf(run) };
}

function prefixesOf(run: string): readonly string[] {
  return [`refs/heads/mettle/${run}/`, `refs/mettle/runs/${run}/`, `refs/mettle/rescue/${run}/`];
}

/** Each host has a login of its own. */
function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  if (parsed.password === "") return url;
  parsed.password = "";
  if (parsed.protocol.startsWith("http")) parsed.username = "";
  return parsed.href;
}
