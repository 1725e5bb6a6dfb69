/** Decides at the start of a run whether its agents are confined, until it ends (CORE-61). */
import type { Settings } from "../../config/settings.ts";
import type { EventOf } from "../../log/run-event.ts";
import type { OpenHost } from "../../run/host.ts";
import { blocksAll, isolationOf } from "../../sandbox/isolation.ts";
import { stateRootOf } from "../../sandbox/machine.ts";
import { probeAgents } from "../../sandbox/probe-agents.ts";
import { requireWhole } from "../../sandbox/setting.ts";

export interface SandboxOfRun {
  readonly held: NonNullable<EventOf<"run.started">["sandbox"]> | null;
  /** Note for users who requested a sandbox. */
  readonly note: string | null;
}

export const noSandbox: SandboxOfRun = { held: null, note: null };

const offNote = "sandbox: off, so no agent is confined; records say isolation: none";

export async function sandboxOf(host: OpenHost, settings: Settings): Promise<SandboxOfRun> {
  if (settings.sandbox === "off") return { held: null, note: offNote };
  const { repository, home } = host;
  const machine = { host: host.host, stateRoot: stateRootOf(home.root), repository };
  const probed = await probeAgents(machine, settings);
  if (settings.sandbox === "required") requireWhole(probed);
  if (probed.type === "absent") {
    return {
      held: null,
      note: `no agent is confined (${probed.why}); records say isolation: none, and the README what that costs`,
    };
  }
  const { version, held, unlimited } = probed;
  const isWhole = unlimited === null && blocksAll(probed);
  const note = isWhole ? null : `the sandbox does not keep all from agents: ${isolationOf(probed)}`;
  return { held: { kind: "bubblewrap", version, held: { ...held } }, note };
}
