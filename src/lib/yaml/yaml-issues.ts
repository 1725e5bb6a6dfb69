/** Converts zod issues of a YAML value into faults with positions and allowed values. */
import * as z from "zod";
import { describeValue, typeName } from "../plain-issues.ts";
import type { YamlFault, YamlPath, YamlPosition } from "./yaml-fault.ts";

type Issue = z.core.$ZodIssue;

interface YamlValue {
  readonly raw: unknown;
  at(path: YamlPath): YamlPosition;
  keyAt(path: YamlPath): YamlPosition;
}

export type CheckResult<T> =
  | { readonly ok: true; readonly value: T; readonly faults: readonly [] }
  | { readonly ok: false; readonly faults: readonly YamlFault[] };

export function issueFaults<T>(schema: z.ZodType<T>, written: YamlValue): CheckResult<T> {
  // Only the refusing schema knows the allowed keys: they are stored by the list of refused keys.
  const allowedFor = new WeakMap<object, readonly string[]>();
  const result = schema.safeParse(written.raw, {
    error: (issue) => {
      if (issue.code === "unrecognized_keys") allowedFor.set(issue.keys, shapeKeys(issue.inst));
      return undefined;
    },
  });
  if (result.success) return { ok: true, value: result.data, faults: [] };
  const faults = result.error.issues.flatMap((issue) => toFaults(issue, [], { ...written, allowedFor }));
  return { ok: false, faults };
}

interface Context extends YamlValue {
  readonly allowedFor: WeakMap<object, readonly string[]>;
}

function toFaults(issue: Issue, prefix: YamlPath, context: Context): readonly YamlFault[] {
  const path = [...prefix, ...issue.path];
  const fault = (message: string, allowed?: readonly string[]): YamlFault => ({
    ...context.at(path),
    path: path.map(String),
    message,
    ...(allowed === undefined ? {} : { allowed }),
  });
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => ({
        ...fault(`unknown key "${key}"`, context.allowedFor.get(issue.keys) ?? []),
        ...context.keyAt([...path, key]),
        path: [...path, key].map(String),
      }));
    case "invalid_value":
      return [fault(notAllowedMessage(path, context.raw), issue.values.map(String))];
    case "invalid_type":
      return [fault(typeMessage(issue.expected, path, context.raw))];
    case "invalid_union":
      return unionFaults(issue, path, context, fault);
    case "invalid_key":
    case "invalid_element":
      return [
        {
          ...fault(`"${String(path.at(-1))}" is not a valid name: ${issue.issues[0]?.message ?? ""}`),
          ...context.keyAt(path),
        },
      ];
    case "custom": {
      const allowed: unknown = issue.params?.["allowed"];
      const words = Array.isArray(allowed) ? allowed.map(String) : undefined;
      return [{ ...fault(issue.message, words), ...context.keyAt(path) }];
    }
    default:
      return [fault(`${nameOf(path)}: ${issue.message}`)];
  }
}

/** Reports the alternative of a union whose outer type fits and whose faults are inside it. */
function unionFaults(
  issue: Extract<Issue, { code: "invalid_union" }>,
  path: YamlPath,
  context: Context,
  fault: (message: string, allowed?: readonly string[]) => YamlFault,
): readonly YamlFault[] {
  const branches = issue.errors;
  const meant = branches.filter((branch) => !branch.some((inner) => isRootMismatch(inner)));
  const best = meant.toSorted((a, b) => a.length - b.length)[0];
  if (best !== undefined) return best.flatMap((inner) => toFaults(inner, path, context));
  const options = "options" in issue && Array.isArray(issue.options) ? issue.options.map(String) : undefined;
  if (branches.length === 0) return [fault(notAllowedMessage(path, context.raw), options)];
  const values = branches.flatMap((branch) =>
    branch.flatMap((inner) => (inner.code === "invalid_value" ? inner.values : [])),
  );
  const types = branches.flatMap((branch) =>
    branch.flatMap((inner) => (inner.code === "invalid_type" ? [inner.expected] : [])),
  );
  if (types.length === 0) return [fault(notAllowedMessage(path, context.raw), values.map(String))];
  return [fault(typeMessage(types.map(typeName).join(" or "), path, context.raw))];
}

function isRootMismatch(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === "invalid_type" || issue.code === "invalid_value");
}

function typeMessage(expected: string, path: YamlPath, raw: unknown): string {
  const value = valueAt(raw, path);
  const name = nameOf(path);
  if (value === undefined) return `the key "${name}" is missing`;
  return `${name}: expected ${typeName(expected)}, got ${describeValue(value)}`;
}

function notAllowedMessage(path: YamlPath, raw: unknown): string {
  const value = valueAt(raw, path);
  const name = nameOf(path);
  return value === undefined
    ? `the key "${name}" is missing`
    : `${name}: ${describeValue(value)} is not allowed here`;
}

/** The last key; for a list item with the list's key: `args[0]`. */
function nameOf(path: YamlPath): string {
  const last = path.at(-1);
  if (last === undefined) return "the file";
  return typeof last === "number" && path.length > 1 ? `${nameOf(path.slice(0, -1))}[${last}]` : String(last);
}

function valueAt(raw: unknown, path: YamlPath): unknown {
  let value = raw;
  for (const part of path) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, part)) return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}

function shapeKeys(schema: unknown): readonly string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
