/**
 * Executes the tests of the base commit before any agent works, for every protocol, at start and at resume (PRV-01), and
 * journals the tests that fail there with their record (PRV-02).
 */
import { counted } from "../../lib/counted.ts";
import type { Settings } from "../../config/settings.ts";
import type { Command } from "../../kernel/command.ts";
import type { EventOf, RunEvent } from "../../log/run-event.ts";
import { AppError } from "../../lib/errors.ts";
import { shortList } from "../../gates/check.ts";
import { baseKey } from "../../log/base-ask.ts";
import type { Family, FamilyRun } from "../../family/family.ts";
import type { OpenHost } from "../../run/host.ts";
import { cacheIn, hostPorts } from "../../run/proof-ports.ts";
import { proveBase } from "../../proof/base/base-proof.ts";
import type { RecordDraft } from "../../proof/draft.ts";
import { detectPackages, type Package } from "../../proof/project/packages.ts";
import { shortCommit } from "../../lib/short-commit.ts";

export interface ProvenBase {
  readonly facts: readonly RunEvent[];
  readonly drafts: readonly RecordDraft[];
}

export interface BaseOptions {
  readonly settings: Settings;
  readonly base: string;
  /** Empty if the project has no test runner and the protocol needs none. */
  readonly packages: readonly Package[];
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((what: string) => void) | undefined;
}

/** @throws base_unusable, before the run is created */
export async function proveBaseFirst(
  host: Pick<OpenHost, "repository" | "payloads" | "home" | "host" | "journal">,
  { settings, base, packages, signal, progress }: BaseOptions,
): Promise<ProvenBase> {
  const ports = hostPorts(host, { settings, signal, progress });
  const cache = cacheIn(host.journal);
  const { usable: standing, drafts } = await proveBase({ ports, cache, settings, base, packages });
  const { tests, failing, count, needsPerson } = standing ?? noTests;
  const proved: EventOf<"base.proved"> = {
    type: "base.proved",
    commit: base,
    tests,
    failing: [...failing],
    count,
    ...(needsPerson ? { needsPerson } : {}),
  };
  return { facts: [proved, ...baseWarnings(proved)], drafts };
}

const noTests = { tests: 0, failing: [], count: 0, needsPerson: false };

/** The warning appears at each ask and in the summary. */
function baseWarnings({ tests, failing, count, commit }: EventOf<"base.proved">): readonly RunEvent[] {
  if (failing.length === 0) return [];
  const [verb, those] = count === 1 ? ["fails", "it excuses"] : ["fail", "they excuse"];
  const message = `${count} of ${counted(tests, "test")} ${verb} on the base commit ${shortCommit(commit)} already, where ${those} nothing new: ${shortList(failing, 40)}`;
  return [{ type: "warned", code: "failing_at_base", message }];
}

/** None if the protocol needs no tests and no test runner is found. */
export function basePackages(
  { needsTests }: Family,
  detection: Parameters<typeof detectPackages>[0],
): Promise<readonly Package[]> {
  const found = detectPackages(detection);
  return needsTests ? found : found.catch(allowNoRunner);
}

/** Proves the base of a run of an older version before its next dispatch. @returns whether it did */
export async function proveMissingBase(
  context: FamilyRun,
  commands: readonly Command[],
  signal: AbortSignal,
): Promise<boolean> {
  const { session, settings, started, repository, family } = context;
  if (session.view.base !== null || !commands.some(({ type }) => type === "dispatch")) return false;
  const packages = await basePackages(family, { repository, commit: started.base, settings });
  const progress = (what: string) => context.progress({ type: "check", key: baseKey, gate: "", what });
  const options = { settings, base: started.base, packages, signal, progress };
  const { facts, drafts } = await proveBaseFirst({ ...context, journal: session.ports.journal }, options);
  await session.prove(baseKey, drafts, facts);
  return true;
}

/** Accepts a project without a test runner: a plan may be made there, and merged UNVERIFIED (ENV-65). */
export function allowNoRunner(error: unknown): readonly [] {
  if (error instanceof AppError && error.code === "runner_not_found") return [];
  throw error;
}
