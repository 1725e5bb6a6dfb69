/** Starts a run: checks everything it needs and freezes it by hash before the first event is written (CORE-06, 56). */
import { mask } from "../../lib/mask.ts";
import { AppError } from "../../lib/errors.ts";
import { canonicalJson } from "../../lib/hash.ts";
import { newId } from "../../lib/ids.ts";
import { packageRoot } from "../../config/package-root.ts";
import { nearestRole, protocolsWith } from "../../config/role-names.ts";
import { loadSettings, type RolesOf, type Settings } from "../../config/settings.ts";
import { fetchMissing } from "../../git/partial-clone.ts";
import { unsignedNote } from "../../git/signing.ts";
import { refuseOtherStore } from "../../git/settle-store.ts";
import { blockedRef } from "../../git/refs.ts";
import { branchCommit } from "../../git/repository.ts";
import { checkoutHead } from "../../git/checkout/uncommitted.ts";
import type { Command } from "../../kernel/command.ts";
import { init, step } from "../../kernel/step.ts";
import { withLimits } from "../../kernel/limits.ts";
import type { EventOf } from "../../log/run-event.ts";
import { readProtection } from "../../memory/bank/protection.ts";
import type { Protocol } from "../../protocol/machine.ts";
import type { AgentPlaces } from "../../dispatch/agents/agent-places.ts";
import { assertAgentNames, makeAgents } from "../../dispatch/agents/agents.ts";
import { workBranch } from "../../run/branches.ts";
import { checkedProtocol } from "./check-protocol.ts";
import { baseKey } from "../../log/base-ask.ts";
import { basePackages, proveBaseFirst } from "./base-first.ts";
import { refuseNoDocumentFolder } from "../../run/documents/place.ts";
import type { Families } from "../../family/family.ts";
import { hasDocuments } from "../../run/documents/documents.ts";
import { reviewerLabels } from "../../dispatch/prompt/label.ts";
import { withFirstReviewer } from "../../dispatch/agents/first-reviewer.ts";
import type { OpenHost } from "../../run/host.ts";
import { withRunSecrets } from "../../run/run-secrets.ts";
import { commitOfCheckout } from "../../run/checkout.ts";
import { refuseHoldout } from "./holdout.ts";
import { readLibrary } from "./library.ts";
import { refuseUnknownLimits, refuseUnknownRoles, rolesFor } from "./known-names.ts";
import { withFoundPaths } from "../../proof/project/found-paths.ts";
import { pinned } from "../../proof/project/packages.ts";
import { projectAt } from "../../proof/project/project.ts";
import { sealDrafts } from "../../run/records.ts";
import { readyToSign } from "../../run/host-keys.ts";
import { hostOfRun } from "../../run/run-host.ts";
import { pushBase, remoteForWorkers } from "../../run/run-remote.ts";
import { withRunFolder } from "../../run/run-folder.ts";
import { noSandbox, sandboxOf } from "../../dispatch/sandbox/for-run.ts";
import { sandboxHere } from "../../sandbox/setting.ts";
import { issuedEvent } from "../../run/settlement.ts";
import type { StartOptions } from "../../family/start-options.ts";

export interface StartedRun {
  readonly run: string;
  readonly dirty: boolean;
  readonly detached: boolean;
  /** What the sandbox does not enforce; null if it enforces everything or none was requested. */
  readonly note: string | null;
  /** Note for users who sign their commits; null for others. */
  readonly unsigned: string | null;
  /** The name under which this host's key was enrolled now, as the first one of a shared store. */
  readonly enrolled: string | null;
}

export async function startRun(
  host: OpenHost,
  options: StartOptions,
  families: Families,
): Promise<StartedRun> {
  const { repository, journal, payloads } = host;
  const isReferee = options.front === "referee";
  const checkout = await checkoutHead(repository);
  const head = options.base === undefined ? checkout.commit : await branchCommit(repository, options.base);
  await fetchMissing(repository, head);
  const base = isReferee ? await commitOfCheckout(host, head) : head;
  const branch = options.base ?? checkout.branch;
  const blocked = await blockedRef(repository, workBranch("RUN"));
  if (blocked !== null) throw blocked;
  const stated = await settingsOf(host, options);
  const library = await readLibrary({ shipped: packageRoot("protocols"), root: repository.root });
  await refuseUnknownLimits(repository.root, stated, library);
  const { protocol, templates } = await checkedProtocol(library, options.protocol, families);
  await refuseNoDocumentFolder(repository, { base, checkout: hasDocuments({ protocol }) });
  const family = families.of(protocol);
  if (!options.demo)
    await host.permits.assert(["start", ...approvedBeforehand(protocol, options.preapproved)]);
  refuseHoldout(protocol, stated, isReferee);
  family.accepts(protocol, options);
  const found = await withFoundPaths(stated, [await projectAt(repository, base)]);
  const packages = await basePackages(family, { repository, commit: base, settings: found });
  const named = { ...found, ...pinned(packages, found) };
  const roles = rolesFor(library, protocol, [
    ...Object.keys(options.agents),
    ...Object.keys(named.agents.roles),
  ]);
  assertRoles(protocol, options.agents, roles);
  await refuseUnknownRoles(repository.root, named, roles);
  const settings = isReferee ? named : await withFirstReviewer(placesOf(host, named), protocol);
  const limited = withLimits(protocol, settings.limits);
  if (!isReferee) {
    assertAgentNames(settings);
    await preflight(host, limited, settings);
  }
  const sandbox = isReferee ? noSandbox : await sandboxOf(host, settings);
  const protection = await protectionOf(protocol, repository.root);
  const { signal, progress } = options;
  const enrolled = await readyToSign(host);
  const proven = await proveBaseFirst(host, { settings, base, packages, signal, progress });

  const run = newId();
  const isDetached = options.detach === true;
  const isShared = host.home.store.kind === "postgres";
  const place = isDetached ? null : hostOfRun(host.home);
  const workers = isDetached && isShared ? await remoteForWorkers(host) : null;
  if (workers !== null) await pushBase(host, { run, base, workers });
  const first: Omit<EventOf<"run.started">, "folder"> = {
    type: "run.started",
    version: 1,
    task: mask(options.task, (await withRunSecrets(host.host, settings, repository)).secrets),
    protocol: protocol.name,
    // The order of roles and regions matters, so the keys are not sorted.
    protocolRef: await payloads.put(JSON.stringify(limited)),
    templatesRef: await payloads.put(canonicalJson(Object.fromEntries(templates))),
    settingsRef: await payloads.put(canonicalJson(settings)),
    repository: repository.id,
    ...(place === null ? {} : { host: place }),
    ...(workers === null ? {} : { workers }),
    ...(isDetached && !isShared ? { background: true as const } : {}),
    base,
    branch,
    dirty: checkout.isDirty,
    agents: options.agents,
    reviewers: reviewerLabels({ protocol, settings }),
    preapproved: [...options.preapproved],
    demo: options.demo,
    ...(protection.length === 0 ? {} : { protection }),
    sandbox: sandbox.held,
    ...(isReferee ? { front: "referee" as const } : {}),
    ...family.started(options),
  };
  const { commands, state } = step(limited, init(limited), { type: "start", stamp: "1" });
  const where = { session: { state }, protocol: limited };
  const line = (command: Command) => (command.type === "dispatch" ? family.line(where, command) : null);
  const began = await family.startEvents(payloads, options, base);
  await withRunFolder(host, run, async (folder) => {
    const sealed = await sealDrafts({
      drafts: proven.drafts,
      view: { run, records: [], commands: {} },
      key: baseKey,
      ports: host,
    });
    const events = [
      { ...first, folder },
      ...proven.facts,
      ...sealed.map(({ event }) => event),
      ...began,
      ...commands.map((command) => issuedEvent(command, line(command))),
    ].map(({ type, ...data }) => ({
      type,
      data,
    }));
    await journal.append(run, 0, events);
  });
  const unsigned = await unsignedNote(repository, head);
  const { isDirty: dirty } = checkout;
  return { run, dirty, detached: branch === null, note: sandbox.note, unsigned, enrolled };
}

/** The gates that the options approve: the person who starts the run decides them. */
function approvedBeforehand({ machines }: Protocol, preapproved: readonly string[]): readonly string[] {
  return Object.values(machines).flatMap(({ states }) =>
    Object.values(states).flatMap((state) => {
      if (state.kind !== "ask" || !("approve" in state.on)) return [];
      const kind = state.shows.includes("architecture") ? "plan" : "code";
      return preapproved.includes(kind) ? [state.name] : [];
    }),
  );
}

/** @throws before the run is created, if a line is not a valid pattern */
async function protectionOf({ features }: Protocol, root: string): Promise<string[]> {
  if (features["protection"] !== true) return [];
  return (await readProtection(root)).map(({ glob }) => glob);
}

/** The settings of this run: the file's, overridden by the CLI options. */
async function settingsOf(host: OpenHost, options: StartOptions): Promise<Settings> {
  const file = await loadSettings(host.repository.root);
  refuseOtherStore(host.home, file.store);
  const { default: fallback, ...roles } = options.agents;
  return {
    ...file,
    sandbox: options.sandbox ?? sandboxHere(file.sandbox, host.host.env),
    limits: { ...file.limits, ...options.limits },
    graph: { ...file.graph, ...options.graph },
    agents: {
      ...file.agents,
      default: fallback ?? file.agents.default,
      named: file.agents.named || fallback !== undefined,
      roles: { ...file.agents.roles, ...roles },
    },
  };
}

/** Refuses unknown roles: a typo would have no effect. */
export function assertRoles(
  protocol: Protocol,
  agents: StartOptions["agents"],
  known: RolesOf | null = null,
): void {
  const roles = Object.keys(protocol.roles);
  const wrong = Object.keys(agents).find((role) => role !== "default" && !roles.includes(role));
  if (wrong === undefined) return;
  const others = protocolsWith(wrong, known ?? new Map());
  const near = nearestRole(wrong, roles);
  const guess =
    others.length > 0
      ? `it is a role of ${others.join(" and ")}; `
      : near === null
        ? ""
        : `did you mean ${near}? `;
  throw new AppError("usage", `${protocol.name} has no role ${wrong}`, {
    hint: `${guess}its roles: ${roles.join(", ")}`,
  });
}

/** Probes the agent of each role before anything is created. */
export async function preflight(host: OpenHost, protocol: Protocol, settings: Settings): Promise<void> {
  const agentFor = makeAgents(placesOf(host, settings));
  for (const role of Object.keys(protocol.roles)) {
    const agent = await agentFor(role);
    if (settings.sandbox === "required" && agent.ownSandbox !== undefined)
      throw sandboxConflict(agent.name, role);
    const probe = await agent.probe();
    if (probe.type === "missing")
      throw new AppError(
        codeOfMissing[probe.lacks ?? "program"],
        `the agent ${agent.name} for ${role} cannot work: ${probe.why}`,
        { hint: probe.hint },
      );
  }
}

function sandboxConflict(agent: string, role: string): AppError {
  return new AppError(
    "sandbox_missing",
    `the agent ${agent} for ${role} has its own sandbox and cannot run in another one`,
    {
      hint: "name another agent, or set `sandbox: auto`; the records then name the agent's own sandbox",
    },
  );
}

function placesOf(host: OpenHost, settings: Settings): AgentPlaces {
  return { settings, cwd: host.repository.root, host: host.host, home: host.home.root };
}

const codeOfMissing = { program: "agent_missing", version: "agent_outdated", login: "agent_login" } as const;
