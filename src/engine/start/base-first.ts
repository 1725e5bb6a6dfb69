/**
 * The base first, for every protocol and every way to begin or to go on: no agent works on a run before the base commit's own
 * tests were executed (PRV-01), and what fails there already is journaled with its record (PRV-02).
 */
import { counted } from "../../lib/counted.ts";
import type { Settings } from "../../config/settings.ts";
import type { Command } from "../../kernel/command.ts";
import type { EventOf, RunEvent } from "../../log/run-event.ts";
import { AppError } from "../../lib/errors.ts";
import { shortList } from "../../gates/check.ts";
import { baseKey } from "../../log/base-ask.ts";
import type { FamilyRun } from "../../family/family.ts";
import type { OpenHost } from "../../run/host.ts";
import { cacheIn, hostPorts } from "../../run/proof-ports.ts";
import { proveBase } from "../../proof/base-proof.ts";
import type { RecordDraft } from "../../proof/draft.ts";
import { detectPackages, type Package } from "../../proof/project/packages.ts";

export interface ProvenBase {
  readonly facts: readonly RunEvent[];
  readonly drafts: readonly RecordDraft[];
}

export interface BaseWish {
  readonly settings: Settings;
  readonly base: string;
  /** Empty where the project has no test runner, and the protocol may do without. */
  readonly packages: readonly Package[];
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((what: string) => void) | undefined;
}

/** Throws `base_unusable`, before anything of a run exists. */
export async function baseFirst(
  host: Pick<OpenHost, "repository" | "payloads" | "home" | "host" | "journal">,
  { settings, base, packages, signal, progress }: BaseWish,
): Promise<ProvenBase> {
  const ports = hostPorts(host, { settings, signal, progress });
  const cache = cacheIn(host.journal);
  const { usable: standing, drafts } = await proveBase({ ports, cache, settings, base, packages });
  const { tests, failing, count, needsPerson } = standing ?? noTestYet;
  const proved: EventOf<"base.proved"> = {
    type: "base.proved",
    commit: base,
    tests,
    failing: [...failing],
    count,
    ...(needsPerson ? { needsPerson } : {}),
  };
  return { facts: [proved, ...warned(proved)], drafts };
}

const noTestYet = { tests: 0, failing: [], count: 0, needsPerson: false };

/** Named wherever a person is asked, and in the summary. */
function warned({ tests, failing, count, commit }: EventOf<"base.proved">): readonly RunEvent[] {
  if (failing.length === 0) return [];
  const [verb, those] = count === 1 ? ["fails", "it excuses"] : ["fail", "they excuse"];
  const message = `${count} of ${counted(tests, "test")} ${verb} on the base commit ${commit.slice(0, 12)} already, where ${those} nothing new: ${shortList(failing, 40)}`;
  return [{ type: "warned", code: "failing_at_base", message }];
}

/** For a run that was begun before bases were proved: whether its base was proved now, since an agent is to work. */
export async function baseBefore(
  context: FamilyRun,
  commands: readonly Command[],
  signal: AbortSignal,
): Promise<boolean> {
  const { session, settings, started, repository, family } = context;
  if (session.view.base !== null || !commands.some(({ type }) => type === "dispatch")) return false;
  const detection = { repository, commit: started.base, settings };
  const found = detectPackages(detection);
  const packages = family.needsTests ? await found : await found.catch(noneFound);
  const progress = (what: string) => context.progress({ type: "check", key: baseKey, gate: "", what });
  const wish = { settings, base: started.base, packages, signal, progress };
  const { facts, drafts } = await baseFirst({ ...context, journal: session.ports.journal }, wish);
  await session.prove(baseKey, drafts, facts);
  return true;
}

/** A plan may be made, and merged UNVERIFIED, where nothing can be executed (ENV-65). */
export function noneFound(error: unknown): readonly [] {
  if (error instanceof AppError && error.code === "runner_not_found") return [];
  throw error;
}
