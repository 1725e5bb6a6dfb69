/** The setting `sandbox`, which the user's variable may change. */
import { variable, type Env } from "../config/env.ts";
import type { Settings } from "../config/settings.ts";
import { AppError } from "../lib/errors.ts";
import type { SandboxProbe } from "../process/sandbox/probe.ts";
import { blocksAll } from "./isolation.ts";

export const sandboxVariable = "METTLE_SANDBOX";

/** The user's variable applies only if the project's setting is `auto`. @throws usage for another value */
export function sandboxHere(setting: Settings["sandbox"], env: Env): Settings["sandbox"] {
  const value = variable(sandboxVariable, env);
  if (value !== null && value !== "auto" && value !== "off" && value !== "required")
    throw new AppError("usage", `${sandboxVariable} is ${value}`, { hint: "one of auto, required, off" });
  return setting === "auto" ? (value ?? setting) : setting;
}

/** @throws sandbox_missing unless the sandbox held in each attempt of its probe */
export function requireWhole(probed: SandboxProbe): void {
  if (probed.type === "absent") throw sandboxRequired(probed.why);
  if (!blocksAll(probed)) throw sandboxRequired(`not everything held: ${JSON.stringify(probed.held)}`);
}

/** @param why there is no sandbox, or it does not hold */
export function sandboxRequired(why: string): AppError {
  return new AppError("sandbox_missing", `a sandbox is required, and there is none here: ${why}`, {
    hint: "`mettle doctor` says what helps; with `sandbox: auto` it runs without one, and the records say `isolation: none`",
  });
}
