/** What proofs of a run are given, from the run's context. */
import { sha256 } from "../lib/hash.ts";
import type { RunContext } from "./context.ts";
import type { BaselineCache, ProofPorts } from "./proof/ports.ts";

export function proofPorts(context: RunContext, signal?: AbortSignal): ProofPorts {
  const { repository, payloads, home, host, settings, progress } = context;
  return {
    repository,
    payloads,
    worktrees: home.worktrees,
    secrets: host.secrets,
    env: host.env,
    node: host.node,
    timeoutMs: settings.deadlines.testMs,
    ...(signal === undefined ? {} : { signal }),
    progress: (what) => progress({ type: "check", key: "", gate: "", what }),
  };
}

/** Kept among the views: a cache that may be deleted at any time. */
export function baselineCache({ session }: RunContext): BaselineCache {
  const { journal } = session.ports;
  return {
    async get(key) {
      const found = await journal.readView("baseline", sha256(key));
      return typeof found?.value === "string" ? found.value : null;
    },
    put: (key, value) => journal.writeView("baseline", sha256(key), 0, value),
  };
}
