/** Checks the roles and limits that a person names against those of all protocols (V3-52, TDP-77). */
import { checkLimitNames, checkRoleNames, type RolesOf, type Settings } from "../../config/settings.ts";
import { AppError } from "../../lib/errors.ts";
import { isLibrary, loadProtocol, readProtocolFile } from "../../protocol/load.ts";
import type { Protocol } from "../../protocol/machine.ts";
import type { Library } from "./library.ts";

/** Refuses roles that no protocol has. If a protocol cannot be read, its roles are unknown and nothing is refused. */
export async function refuseUnknownRoles(
  root: string,
  { agents }: Pick<Settings, "agents">,
  roles: RolesOf | null,
): Promise<void> {
  if (roles !== null && Object.keys(agents.roles).length > 0) await checkRoleNames(root, roles);
}

/**
 * The roles of every protocol, or only of this one if it has all named roles.
 * @param named roles of the options and the settings
 * @returns null if a protocol cannot be read
 */
export function rolesFor(library: Library, protocol: Protocol, named: readonly string[]): RolesOf | null {
  const own = Object.keys(protocol.roles);
  const hasAll = named.every((role) => role === "default" || own.includes(role));
  const others = hasAll ? [] : allProtocols(library);
  if (others === null) return null;
  const runnable = [protocol, ...others.filter((other) => !isLibrary(other))];
  return new Map(runnable.map(({ name, roles }) => [name, Object.keys(roles)]));
}

/** Refuses limits that no protocol has: counters, and a protocol's name for all of its counters. */
export async function refuseUnknownLimits(
  root: string,
  { limits }: Pick<Settings, "limits">,
  library: Library,
): Promise<void> {
  const protocols = Object.keys(limits).length === 0 ? null : allProtocols(library);
  if (protocols === null) return;
  const names = protocols.flatMap((protocol) => {
    const counters = countersOf(protocol);
    return counters.length === 0 ? [] : [protocol.name, ...counters];
  });
  // `envoy_reviews` is the limit of `envoy gemini review`, which is in no protocol.
  await checkLimitNames(root, new Set(["envoy_reviews", ...names]));
}

/** Counters with a limit; rounds are counted without one. */
function countersOf({ machines }: Protocol): readonly string[] {
  return Object.values(machines).flatMap(({ counters }) =>
    Object.entries(counters).flatMap(([counter, { limit }]) => (limit === null ? [] : [counter])),
  );
}

/** Takes 0.3 s. Null if a protocol cannot be read. */
function allProtocols({ protocols }: Library): readonly Protocol[] | null {
  try {
    return [...protocols].flatMap(([name, source]) =>
      readProtocolFile(source).kind === "steps" ? [] : [loadProtocol(name, protocols)],
    );
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
