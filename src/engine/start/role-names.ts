/** The roles of every protocol, to check the roles that a person maps to agents (V3-52). */
import { checkRoleNames, type RolesOf, type Settings } from "../../config/settings.ts";
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
 * The roles of every protocol, or only of this one if it has all named roles: reading all takes 0.3 s.
 * @param named roles of the options and the settings
 * @returns null if a protocol cannot be read
 */
export function rolesFor(
  { protocols }: Library,
  protocol: Protocol,
  named: readonly string[],
): RolesOf | null {
  const own = Object.keys(protocol.roles);
  const roles = new Map<string, readonly string[]>([[protocol.name, own]]);
  if (named.every((role) => role === "default" || own.includes(role))) return roles;
  for (const [name, source] of protocols)
    try {
      if (readProtocolFile(source).kind === "steps") continue;
      const other = loadProtocol(name, protocols);
      if (!isLibrary(other)) roles.set(name, Object.keys(other.roles));
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  return roles;
}
