/** Checks the roles in `mettle.yaml`: each must be a role of some protocol, since all protocols share the file (V3-52). */
import { nearest } from "../lib/nearest.ts";
import type { YamlFault } from "../lib/yaml/yaml-fault.ts";
import { yamlError, type YamlDocument } from "../lib/yaml/yaml-document.ts";

/** Protocol -> its roles; the protocol of the run comes first. */
export type RolesOf = ReadonlyMap<string, readonly string[]>;

/** Other names of roles. */
const roleAliases: Readonly<Record<string, string>> = { judge: "reviewer" };

/** Refuses a role that no available protocol has. @throws config_invalid */
export function refuseUnknownRoles(
  document: YamlDocument<{ readonly agents: { readonly roles: Readonly<Record<string, string>> } }>,
  known: RolesOf,
): void {
  const faults = Object.keys(document.value.agents.roles).flatMap((role): readonly YamlFault[] => {
    if ([...known.values()].some((roles) => roles.includes(role))) return [];
    const near = nearestRole(role, [...known.values()].flat());
    const guess = near === null ? "" : `, did you mean ${near}?`;
    const path = ["agents", "roles", role];
    return [
      {
        ...document.keyAt(path),
        path,
        message: `no protocol has a role ${role}${guess} (roles of ${listed(known)})`,
      },
    ];
  });
  if (faults.length > 0) throw yamlError("config_invalid", faults);
}

/** The protocols with this role. */
export function protocolsWith(role: string, known: RolesOf): readonly string[] {
  return [...known].flatMap(([protocol, roles]) => (roles.includes(role) ? [protocol] : []));
}

export function nearestRole(word: string, roles: readonly string[]): string | null {
  const called = Object.keys(roleAliases).filter((name) => roles.includes(roleAliases[name] ?? ""));
  const near = nearest(word, [...roles, ...called]);
  return near === null ? null : (roleAliases[near] ?? near);
}

function listed(known: RolesOf): string {
  return [...known].map(([protocol, roles]) => `${protocol}: ${roles.join(", ")}`).join("; ");
}
