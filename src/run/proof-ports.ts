/** Builds the dependencies of proofs from a run's context or an open host. */
import { dirname } from "node:path";
import type { Env } from "../config/env.ts";
import { stateRoot } from "../config/home.ts";
import type { Settings } from "../config/settings.ts";
import type { Journal } from "../journal/journal.ts";
import { sha256 } from "../lib/hash.ts";
import type { RunContext } from "./context.ts";
import { withForwardedSecrets, type OpenHost } from "./host.ts";
import type { BaselineCache, ProofPorts } from "../proof/ports.ts";
import { sandboxHere } from "../sandbox/setting.ts";

export function proofPorts(context: RunContext, signal?: AbortSignal): ProofPorts {
  const { started, settings } = context;
  const progress = (what: string) => context.progress({ type: "check", key: "", gate: "", what });
  // A run that started in a sandbox stays in it.
  const sandbox = started.sandbox == null ? settings.sandbox : ("required" as const);
  return hostPorts(context, { settings: { ...settings, sandbox }, signal, progress });
}

interface PortOptions {
  readonly settings: Settings;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((what: string) => void) | undefined;
}

export function hostPorts(
  {
    repository,
    payloads,
    home,
    host,
  }: Pick<OpenHost, "repository" | "payloads" | "host"> & {
    readonly home: Pick<OpenHost["home"], "worktrees">;
  },
  { settings, signal, progress }: PortOptions,
): ProofPorts {
  return {
    repository,
    payloads,
    worktrees: home.worktrees,
    secrets: withForwardedSecrets(host, settings).secrets,
    env: host.env,
    tests: settings.tests,
    controls: settings.proof,
    node: host.node,
    timeoutMs: settings.deadlines.testMs,
    ...proofSandbox(home.worktrees, sandboxHere(settings.sandbox, host.env), host.env),
    ...(host.execute === undefined ? {} : { execute: host.execute }),
    ...(signal === undefined ? {} : { signal }),
    ...(progress === undefined ? {} : { progress }),
  };
}

function proofSandbox(
  worktrees: string,
  setting: Settings["sandbox"],
  env: Env,
): Pick<ProofPorts, "sandbox"> {
  if (setting === "off") return {};
  const folders = [dirname(worktrees)];
  return { sandbox: { isRequired: setting === "required", stateRoot: stateRoot({ env }), folders } };
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
