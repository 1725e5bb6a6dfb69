/** Decides at the start of a run whether its agents are confined, until it ends (CORE-61). */
import { variable, type Env } from "../../config/env.ts";
import type { Settings } from "../../config/settings.ts";
import { AppError } from "../../lib/errors.ts";
import type { EventOf } from "../../log/run-event.ts";
import type { OpenHost } from "../../run/host.ts";
import { blocksAll, isolationOf } from "./isolation.ts";
import { probeMachine, stateRootOf } from "./machine.ts";

export interface SandboxOfRun {
  readonly held: NonNullable<EventOf<"run.started">["sandbox"]> | null;
  /** Note for users who requested a sandbox. */
  readonly note: string | null;
}

export const noSandbox: SandboxOfRun = { held: null, note: null };

const offNote = "sandbox: off, so no agent is confined; records say isolation: none";

export const sandboxVariable = "METTLE_SANDBOX";

/** The user's variable applies only if the project's setting is `auto`. @throws usage for another value */
export function sandboxHere(setting: Settings["sandbox"], env: Env): Settings["sandbox"] {
  const value = variable(sandboxVariable, env);
  if (value !== null && value !== "auto" && value !== "off" && value !== "required")
    throw new AppError("usage", `${sandboxVariable} is ${value}`, { hint: "one of auto, required, off" });
  return setting === "auto" ? (value ?? setting) : setting;
}

export async function sandboxOf(host: OpenHost, settings: Settings): Promise<SandboxOfRun> {
  if (settings.sandbox === "off") return { held: null, note: offNote };
  const { repository, home } = host;
  const probed = await probeMachine({ host: host.host, stateRoot: stateRootOf(home.root), repository });
  const required = settings.sandbox === "required";
  if (probed.type === "absent") {
    if (required) throw sandboxRequired(probed.why);
    return {
      held: null,
      note: `no agent is confined (${probed.why}); records say isolation: none, and the README what that costs`,
    };
  }
  const { version, held } = probed;
  const note = blocksAll(probed) ? null : `the sandbox does not keep all from agents: ${isolationOf(probed)}`;
  if (required && !blocksAll(probed)) throw sandboxRequired(`not everything held: ${JSON.stringify(held)}`);
  return { held: { kind: "bubblewrap", version, held: { ...held } }, note };
}

function sandboxRequired(why: string): AppError {
  return new AppError("sandbox_missing", `a sandbox is required, and there is none here: ${why}`, {
    hint: "`mettle doctor` says what helps; with `sandbox: auto` it runs without one, and the records say `isolation: none`",
  });
}
