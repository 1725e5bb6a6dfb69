/** Turns what a zod schema refuses in a YAML value into faults with positions and the words that are allowed. */
import { z } from "zod";
import { given, typeName } from "../plain-issues.ts";
import type { YamlFault, YamlPath, YamlPosition } from "./yaml-fault.ts";

type Issue = z.core.$ZodIssue;

interface Written {
  readonly raw: unknown;
  at(path: YamlPath): YamlPosition;
  keyAt(path: YamlPath): YamlPosition;
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T; readonly faults: readonly [] }
  | { readonly ok: false; readonly faults: readonly YamlFault[] };

export function issueFaults<T>(schema: z.ZodType<T>, written: Written): Checked<T> {
  // The keys that an object allows are known only to the schema that refused one: remembered by the refused list.
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

interface Context extends Written {
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
      return [fault(unexpected(path, context.raw), issue.values.map(String))];
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

/** Of the alternatives of a union the one that was meant: its type fits, and what is wrong lies inside. */
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
  if (branches.length === 0) return [fault(unexpected(path, context.raw), options)];
  const values = branches.flatMap((branch) =>
    branch.flatMap((inner) => (inner.code === "invalid_value" ? inner.values : [])),
  );
  const types = branches.flatMap((branch) =>
    branch.flatMap((inner) => (inner.code === "invalid_type" ? [inner.expected] : [])),
  );
  if (types.length === 0) return [fault(unexpected(path, context.raw), values.map(String))];
  return [fault(typeMessage(types.map(typeName).join(" or "), path, context.raw))];
}

function isRootMismatch(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === "invalid_type" || issue.code === "invalid_value");
}

function typeMessage(expected: string, path: YamlPath, raw: unknown): string {
  const value = valueAt(raw, path);
  const name = nameOf(path);
  if (value === undefined) return `the key "${name}" is missing`;
  return `${name}: expected ${typeName(expected)}, got ${given(value)}`;
}

function unexpected(path: YamlPath, raw: unknown): string {
  const value = valueAt(raw, path);
  const name = nameOf(path);
  return value === undefined
    ? `the key "${name}" is missing`
    : `${name}: ${given(value)} is not allowed here`;
}

/** The last key, of an item of a list that of the list too: `args[0]`. */
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
