/** Which roles there are, for what a person maps to agents: those of every protocol at hand (V3-52). */
import { checkRoleNames, type RolesOf, type Settings } from "../config/settings.ts";
import { AppError } from "../lib/errors.ts";
import { isLibrary, loadProtocol, readProtocolFile } from "../protocol/load.ts";
import type { Library } from "./library.ts";

/** A role of another protocol is no fault; one of none is. Where a protocol cannot be read its roles are not known. */
export async function refuseUnknownRoles(
  root: string,
  { agents }: Pick<Settings, "agents">,
  roles: RolesOf | null,
): Promise<void> {
  if (roles !== null && Object.keys(agents.roles).length > 0) await checkRoleNames(root, roles);
}

/** Null where one of the protocols cannot be read. @param first the protocol that is to run */
export function rolesOf({ protocols }: Library, first: string): RolesOf | null {
  const roles = new Map<string, readonly string[]>([[first, []]]);
  for (const [name, source] of protocols)
    try {
      if (readProtocolFile(source).kind === "steps") continue;
      const protocol = loadProtocol(name, protocols);
      if (!isLibrary(protocol)) roles.set(name, Object.keys(protocol.roles));
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  return roles;
}
