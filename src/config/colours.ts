/** The one rule for colours and for lines that are drawn again. */
import { environment, variable, type Env } from "./env.ts";

export interface OutputStream {
  readonly isTTY?: boolean;
}

/**
 * FORCE_COLOR decides, then NO_COLOR (https://no-color.org) and NODE_DISABLE_COLORS; else only a terminal that can has colours.
 * (SEE-01)
 */
export function hasColours({ isTTY }: OutputStream, env: Env = environment()): boolean {
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return !["0", "false"].includes(forced);
  return isTTY === true && variable("TERM", env) !== "dumb" && !refusesColours(env);
}

/** Whether lines may be drawn again: by no pipe, no job of CI, and no person who wants plain text (CORE-84). */
export function isRedrawn({ isTTY }: OutputStream, env: Env = environment()): boolean {
  return (
    isTTY === true && variable("TERM", env) !== "dumb" && variable("CI", env) === null && !refusesColours(env)
  );
}

function refusesColours(env: Env): boolean {
  return variable("NO_COLOR", env) !== null || variable("NODE_DISABLE_COLORS", env) !== null;
}
