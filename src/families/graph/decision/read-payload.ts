/**
 * Parses an agent's payload by the type of its exit (V3-51). Numbers and booleans written as text are converted and
 * unknown fields are dropped; both are reported. Anything else is refused with its JSON pointer.
 */
import type * as z from "zod";
import { isObject } from "../../../lib/json.ts";
import { relevantIssue } from "../../../lib/plain-issues.ts";
import { pointerTo } from "../../../protocol/graph-types/faults.ts";

export type PayloadResult =
  | { readonly type: "read"; readonly value: unknown; readonly changes: readonly string[] }
  | { readonly type: "refused"; readonly pointer: string; readonly why: string };

/** Each round repairs at least one place, so a payload that needs more rounds is malformed. */
const maxRounds = 50;

export function readPayload(type: z.ZodType, offered: unknown): PayloadResult {
  const changes: string[] = [];
  let value: unknown = structuredClone(offered) ?? {};
  for (let round = 0; round < maxRounds; round++) {
    const read = type.safeParse(value);
    if (read.success) return { type: "read", value: read.data, changes };
    const repaired = read.error.issues
      .map((issue) => repair(value, issue))
      .filter((change) => change !== null);
    if (repaired.length === 0) return refusal(read.error);
    changes.push(...repaired);
    value = structuredClone(value);
  }
  return { type: "refused", pointer: "", why: "too many faults" };
}

/** Repairs the value in place and returns a description; null if it cannot be repaired. */
function repair(value: unknown, issue: z.core.$ZodIssue): string | null {
  if (issue.code === "unrecognized_keys") {
    const holder = at(value, issue.path);
    if (!isObject(holder)) return null;
    for (const key of issue.keys) delete holder[key];
    return `left out ${issue.keys.map((key) => pointerTo([...issue.path, key])).join(", ")}`;
  }
  if (issue.code !== "invalid_type") return null;
  const key = issue.path.at(-1);
  const holder = at(value, issue.path.slice(0, -1));
  if (key === undefined || holder === null || typeof holder !== "object") return null;
  const given = (holder as Record<PropertyKey, unknown>)[key];
  const fixed = converted(given, issue.expected);
  if (fixed === undefined) return null;
  (holder as Record<PropertyKey, unknown>)[key] = fixed;
  return `read ${JSON.stringify(given)} at ${pointerTo(issue.path)} as ${String(fixed)}`;
}

function converted(given: unknown, expected: string): number | boolean | undefined {
  if (typeof given !== "string") return undefined;
  if ((expected === "number" || expected === "int") && /^-?\d+$/u.test(given.trim())) return Number(given);
  if (expected === "boolean" && (given === "true" || given === "false")) return given === "true";
  return undefined;
}

function refusal({ issues }: z.ZodError): PayloadResult {
  const [issue] = issues;
  const { path, message } =
    issue === undefined ? { path: [], message: "it has another shape" } : relevantIssue(issue);
  return { type: "refused", pointer: pointerTo(path), why: message };
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path)
    found =
      typeof found === "object" && found !== null ? (found as Record<PropertyKey, unknown>)[key] : undefined;
  return found;
}
