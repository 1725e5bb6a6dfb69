import { existsSync } from "node:fs";
import { readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cleanUp, planCleanUp, type CleanOptions, type CleanPlan } from "../../git/clean.ts";
import type { WorktreeVerdict } from "../../git/worktree/clean-worktrees.ts";
import { listRefs } from "../../git/refs.ts";
import { rescuePrefix } from "../../git/rescue.ts";
import { AppError } from "../../lib/errors.ts";
import { worktreesFolder } from "../../plans/worktree/worktree.ts";
import { sharedFolder, sharedNames } from "../../config/home.ts";
import { forgetId } from "../../config/repository-id.ts";
import { findDocuments, removeDocuments } from "../../engine/documents/clear-documents.ts";
import { saidFolder } from "../../run/live/said-file.ts";
import { withHost, type OpenHost } from "../../run/host.ts";
import { endedRuns, foldRuns } from "../../run/list-runs.ts";
import { sweepCheckouts } from "../../proof/checkout/checkout.ts";
import type { CliResult, CommandHandler } from "../command.ts";
import { requirePerson, requirePersonOrSession } from "../../channel/person.ts";

export const run: CommandHandler = async (io, given) => {
  if (given.flag("all")) requirePerson();
  else requirePersonOrSession();
  return withHost(io.cwd, async (host) => {
    const settings: CleanOptions = {
      worktreesDir: host.home.worktrees,
      endedRuns: await endedRuns(host.journal),
      nowMs: host.clock.now(),
    };
    const plan = await planCleanUp(host.repository, settings);
    if (given.flag("all"))
      return await removeAll({
        host,
        plan,
        settings,
        yes: given.flag("yes") && !given.flag("dry-run"),
      });
    if (given.flag("dry-run")) return dryRunResult(plan);
    await sweepCheckouts(host.home.worktrees);
    const { removed, kept, rescued } = await cleanUp(host.repository, settings);
    for (const run of settings.endedRuns)
      for (const folder of [join(host.home.homes, run), saidFolder(host.home, run)])
        await rm(folder, { recursive: true, force: true });
    const lines = [
      ...removed.map((name) => `removed ${name}`),
      ...kept.map((name) => `kept    ${name}`),
      ...rescued.map(({ ref }) => `rescued ${ref}`),
    ];
    return { exit: 0, json: { removed, kept, rescued }, text: lines.join("\n") || "nothing to clean" };
  });
};

/** In a shared store: the runs that have branches or folders on this host. */
async function ofThisHost(
  { home, repository }: OpenHost,
  runs: readonly string[],
): Promise<readonly string[]> {
  if (home.store.kind === "local") return runs;
  const refs = await listRefs(repository, "refs/heads/mettle/");
  return runs.filter(
    (run) =>
      [home.worktrees, home.homes].some((folder) => existsSync(join(folder, run))) ||
      refs.some(({ ref }) => ref.startsWith(`refs/heads/mettle/${run}/`)),
  );
}

function dryRunResult(plan: CleanPlan): CliResult {
  const lines = linesOf(plan);
  return { exit: 0, json: { dry_run: true, ...plan }, text: lines.join("\n") || "nothing to clean" };
}

function linesOf(plan: CleanPlan): readonly string[] {
  return [
    ...plan.worktrees.map(lineOf),
    ...plan.refs.map((ref) => `${ref.type.padEnd(7)} ${ref.ref}`),
    ...plan.locks.map((path) => `lock    ${path}`),
  ];
}

function lineOf({ type, path }: WorktreeVerdict): string {
  return `${type.padEnd(7)} ${path}`;
}

interface RemoveAllOptions {
  readonly host: OpenHost;
  readonly plan: CleanPlan;
  readonly settings: CleanOptions;
  readonly yes: boolean;
}

/** Removes the state home; first lists unmerged work. Without `--yes` it only lists. */
async function removeAll(options: RemoveAllOptions): Promise<CliResult> {
  const { host, plan, settings, yes } = options;
  const running = await ofThisHost(host, await host.journal.openRuns());
  if (running.length > 0)
    throw new AppError("usage", `these runs have not ended: ${running.join(", ")}`, {
      hint: "`mettle abort RUN` first",
    });
  const { store } = host.home;
  const unmerged = plan.refs.filter(({ type }) => type !== "remove").map(({ ref }) => ref);
  const rescued = (await listRefs(host.repository, rescuePrefix)).map(({ ref }) => ref);
  const documents = await findDocuments(host, await foldRuns(host.journal));
  const promptOptions = await promptCleanOptions(host, settings);
  const prompts = await planCleanUp(host.repository, promptOptions);
  const kept = [...unmerged, ...rescued, ...documents.edited];
  const lines = [
    ...unmerged.map((ref) => `stays, since it is not merged: ${ref}`),
    ...rescued.map((ref) => `stays, rescued work: ${ref}`),
    ...[...plan.worktrees, ...prompts.worktrees]
      .filter(({ type }) => type === "keep")
      .map(({ path }) => `removed after its uncommitted work is rescued: ${path}`),
    ...documents.edited.map((path) => `stays, since it was changed after the run: ${path}`),
    ...[...linesOf(plan), ...prompts.worktrees.map(lineOf)].filter((line) => line.startsWith("remove")),
    ...documents.known.map((path) => `remove  ${path}`),
    `remove  ${host.home.root}`,
    ...(store.kind === "postgres" ? [`stays, in the shared store: the runs of ${store.repository}`] : []),
  ];
  if (!yes)
    return {
      exit: 0,
      json: { dry_run: true, home: host.home.root, kept },
      text: [...lines, "nothing was removed; add --yes to remove it"].join("\n"),
    };
  for (const one of [settings, promptOptions]) await cleanUp(host.repository, { ...one, dirty: "rescue" });
  await removeDocuments(host, documents);
  await host.journal.close();
  await rm(host.home.root, { recursive: true, force: true });
  forgetId(host.repository.gitDir);
  await removeShared(dirname(host.home.root));
  return { exit: 0, json: { removed: host.home.root, kept }, text: [...lines, "removed"].join("\n") };
}

/** What all repositories of this user share goes with the state of the last one. */
async function removeShared(stateRoot: string): Promise<void> {
  const shared: readonly string[] = sharedNames;
  await rmdir(sharedFolder(stateRoot, "gates")).catch(() => {}); // missing, or a gate runs now
  const left = await readdir(stateRoot).catch((): string[] => []); // it is gone already
  if (left.some((name) => !shared.includes(name))) return;
  for (const name of sharedNames) await rm(sharedFolder(stateRoot, name), { recursive: true, force: true });
  await rmdir(stateRoot).catch(() => {}); // another run began meanwhile
}

/** Options for the worktrees of Envoy's prompts: one folder each, whatever the state of the prompt. */
async function promptCleanOptions({ home }: OpenHost, settings: CleanOptions): Promise<CleanOptions> {
  const worktreesDir = join(home.root, worktreesFolder);
  const endedRuns = await readdir(worktreesDir).catch((): string[] => []); // no worktrees
  return { ...settings, worktreesDir, endedRuns };
}
