/**
 * Checks the limits of loops in RIPER, DPTR and the graph, and the names of all limits: a misspelt name would limit nothing
 * (TDP-77, V3-19).
 */
import { AppError } from "../lib/errors.ts";
import { nearest } from "../lib/nearest.ts";
import type { YamlFault } from "../lib/yaml/yaml-fault.ts";
import { yamlError, type YamlDocument } from "../lib/yaml/yaml-document.ts";

const loopLimits: ReadonlySet<string> = new Set([
  "design_rounds",
  "plan_rounds",
  "refactor_passes",
  "test_disputes",
  // The graph: all loops together, and each one.
  "graph",
  "attempt",
  "scaffold",
  "batch",
  "moreTests",
  "merge",
  "contracts",
  "disputes",
  "repairs",
]);
const maxLoopLimit = 50;

export type Limits = Readonly<Record<string, number>>;

/** Why a loop limit is invalid; null: valid, or not a loop limit. */
export function loopLimitFault(name: string, value: number): string | null {
  return loopLimits.has(name) && value > maxLoopLimit
    ? `${name}: a limit of a loop is at most ${maxLoopLimit}`
    : null;
}

/** Refuses loop limits above the maximum; the schema allows more for other limits. @throws bad_setting */
export function refuseLoopLimits(document: YamlDocument<{ readonly limits: Limits }>): void {
  const faults = Object.entries(document.value.limits).flatMap(([name, value]): readonly YamlFault[] => {
    const message = loopLimitFault(name, value);
    const path = ["limits", name];
    return message === null ? [] : [{ ...document.at(path), path, message }];
  });
  if (faults.length > 0) throw yamlError("bad_setting", faults);
}

/** Converts the error to `bad_setting` if one of its faults is a loop limit. */
export function toBadSetting(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== "config_invalid") return error;
  const faults = faultsOf(error);
  const isLoop = faults.some(({ path: [first, name] }) => first === "limits" && loopLimits.has(name ?? ""));
  return isLoop ? yamlError("bad_setting", faults) : error;
}

function faultsOf({ detail }: AppError): readonly YamlFault[] {
  // Made by yamlError.
  return detail !== null && typeof detail === "object" && "faults" in detail
    ? (detail.faults as readonly YamlFault[])
    : [];
}

/** Refuses a limit that no available protocol has. @param known names of all limits @throws bad_setting */
export function refuseUnknownLimits(
  document: YamlDocument<{ readonly limits: Limits }>,
  known: ReadonlySet<string>,
): void {
  const faults = Object.keys(document.value.limits).flatMap((name): readonly YamlFault[] => {
    if (known.has(name)) return [];
    const near = nearest(name, [...known]);
    const path = ["limits", name];
    const message = `no protocol has a limit ${name}${near === null ? "" : `; did you mean ${near}?`}`;
    return [{ ...document.keyAt(path), path, message }];
  });
  if (faults.length > 0) throw yamlError("bad_setting", faults);
}
