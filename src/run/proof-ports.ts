/** Builds the dependencies of proofs from a run's context or an open host. */
import { dirname } from "node:path";
import { controlsHere, controlsOfRun } from "../config/controls-schema.ts";
import type { Env } from "../config/env.ts";
import { stateRoot } from "../config/home.ts";
import type { Settings } from "../config/settings.ts";
import type { Journal } from "../journal/journal.ts";
import { systemClock } from "../lib/clock.ts";
import { sha256 } from "../lib/hash.ts";
import type { RunView } from "../log/run-view.ts";
import type { RunContext } from "./context.ts";
import { withForwardedSecrets, type OpenHost } from "./host.ts";
import type { BaselineCache, ProofPorts } from "../proof/ports.ts";
import { sandboxHere } from "../sandbox/setting.ts";

export function proofPorts(context: RunContext, signal?: AbortSignal): ProofPorts {
  const { started, settings } = context;
  const progress = (what: string) => context.progress({ type: "check", key: "", gate: "", what });
  const ports = hostPorts(context, { settings, signal, progress, isConfinedRun: started.sandbox != null });
  return {
    ...ports,
    controls: controlsOfRun(ports.controls),
    dependenciesSince: acceptedSince(context.session.view),
  };
}

/** The start of the run, or the latest time at which a person let it go on after a fault of the environment. */
function acceptedSince({ started, answers }: RunView): number {
  const resumed = answers.flatMap(({ outcome, at }) => (outcome === "resume" ? [at] : []));
  return Math.max(...[started?.at ?? "", ...resumed].map((at) => Date.parse(at) || 0));
}

interface PortOptions {
  readonly settings: Settings;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((what: string) => void) | undefined;
  /** The run started in a sandbox, and stays in one. */
  readonly isConfinedRun?: boolean;
}

export function hostPorts(
  {
    repository,
    payloads,
    home,
    host,
    results,
  }: Pick<OpenHost, "repository" | "payloads" | "host"> & {
    readonly home: Pick<OpenHost["home"], "worktrees">;
    readonly results?: BaselineCache;
  },
  { settings, signal, progress, isConfinedRun = false }: PortOptions,
): ProofPorts {
  return {
    repository,
    payloads,
    worktrees: home.worktrees,
    secrets: withForwardedSecrets(host, settings).secrets,
    env: host.env,
    tests: settings.tests,
    controls: controlsHere(settings.proof, host.env),
    node: host.node,
    timeoutMs: settings.deadlines.testMs,
    dependenciesSince: systemClock.now(),
    ...proofSandbox({
      worktrees: home.worktrees,
      env: host.env,
      setting: sandboxHere(settings.sandbox, host.env),
      isConfinedRun,
    }),
    ...(results === undefined ? {} : { results }),
    ...(host.execute === undefined ? {} : { execute: host.execute }),
    ...(signal === undefined ? {} : { signal }),
    ...(progress === undefined ? {} : { progress }),
  };
}

interface SandboxFacts {
  readonly worktrees: string;
  readonly env: Env;
  readonly setting: Settings["sandbox"];
  readonly isConfinedRun: boolean;
}

function proofSandbox({ worktrees, env, setting, isConfinedRun }: SandboxFacts): Pick<ProofPorts, "sandbox"> {
  if (setting === "off" && !isConfinedRun) return {};
  const least = setting === "required" ? "whole" : isConfinedRun ? "any" : "none";
  return { sandbox: { least, stateRoot: stateRoot({ env }), folders: [dirname(worktrees)] } };
}

export function baselineCache({ session }: Pick<RunContext, "session">): BaselineCache {
  return cacheIn(session.ports.journal);
}

/** Stored among the cached views, so it may be deleted at any time. */
export function cacheIn(journal: Journal): BaselineCache {
  return {
    async get(key) {
      const found = await journal.readView("baseline", sha256(key));
      return typeof found?.value === "string" ? found.value : null;
    },
    put: (key, value) => journal.writeView("baseline", sha256(key), 0, value),
  };
}

/** The options that the proofs of a run share; a part of the run has another base. */
export function proofCommon(context: RunContext, signal?: AbortSignal) {
  return {
    ports: proofPorts(context, signal),
    cache: baselineCache(context),
    settings: context.settings,
    base: context.started.base,
    accepted: context.session.view.acceptedTests,
  };
}
