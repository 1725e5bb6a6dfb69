/** The faults of a value of a graph type, with JSON pointers. */
import * as z from "zod";
import { nearest } from "../../lib/nearest.ts";
import { describeValue } from "../../lib/plain-issues.ts";

export interface TypeFault {
  /** `/testPlan/0/approach`; empty for the value itself. */
  readonly pointer: string;
  readonly message: string;
}

/** Empty if the value is valid. */
export function typeFaults(type: z.ZodType, value: unknown): readonly TypeFault[] {
  const known = new WeakMap<object, readonly string[]>();
  const result = type.safeParse(value, {
    error: (issue) => {
      if (issue.code === "unrecognized_keys" && issue.inst instanceof z.ZodObject)
        known.set(issue.keys, Object.keys(issue.inst.shape));
      return undefined;
    },
  });
  return result.success ? [] : result.error.issues.flatMap((issue) => faultsOf(issue, [], { value, known }));
}

interface FaultContext {
  readonly value: unknown;
  readonly known: WeakMap<object, readonly string[]>;
}

function faultsOf(
  issue: z.core.$ZodIssue,
  above: readonly PropertyKey[],
  context: FaultContext,
): readonly TypeFault[] {
  const path = [...above, ...issue.path];
  const fault = (message: string): TypeFault => ({ pointer: pointerTo(path), message });
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => ({
        pointer: pointerTo([...path, key]),
        message: unknownField(key, context.known.get(issue.keys) ?? []),
      }));
    case "invalid_type":
      if (at(context.value, path) === undefined) return [fault("required")];
      return [fault(`expected ${typeName(issue.expected)}, got ${describeValue(at(context.value, path))}`)];
    case "invalid_value":
      if (at(context.value, path) === undefined) return [fault("required")];
      return [
        fault(
          `expected ${issue.values.map(String).join(" | ")}, got ${describeValue(at(context.value, path))}`,
        ),
      ];
    case "invalid_union":
      return unionFaults(issue, path, context);
    case "too_small":
      return [fault(`expected at least ${issue.minimum}`)];
    default:
      return [fault(issue.message)];
  }
}

/** For a tagged object: the faults inside its variant, or that it has no valid variant. */
function unionFaults(
  issue: Extract<z.core.$ZodIssue, { code: "invalid_union" }>,
  path: readonly PropertyKey[],
  context: FaultContext,
): readonly TypeFault[] {
  const value = at(context.value, path);
  if (value === undefined) return [{ pointer: pointerTo(path), message: "required" }];
  // The named variant does not report its own key as unknown.
  const named = issue.errors.filter(
    (issues) =>
      !issues.some((inner) => inner.path.length === 0 || at(value, inner.path.slice(0, 1)) === undefined),
  );
  const [inside] = named;
  if (inside !== undefined) return inside.flatMap((inner) => faultsOf(inner, path, context));
  return [
    { pointer: pointerTo(path), message: "expected an object with exactly one of the variants as its key" },
  ];
}

function unknownField(key: string, known: readonly string[]): string {
  const near = nearest(key, known);
  return near === null ? "unknown field" : `unknown field, did you mean ${near}?`;
}

function typeName(expected: string): string {
  switch (expected) {
    case "string":
      return "a text";
    case "int":
    case "number":
      return "a whole number";
    case "array":
    case "tuple":
      return "a list";
    default:
      return `an ${expected}`;
  }
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
}

/** A JSON pointer (RFC 6901). */
export function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
