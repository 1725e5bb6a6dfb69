/** The supported Jinja2 filters: their types and implementations. */
import type { Shape } from "../graph-types/shape.ts";
import type { FilterCall } from "./tree.ts";
import type { Value } from "./value.ts";

export interface Filter {
  /** The shape of the result; a string is an error message. */
  readonly shape: (given: Shape, call: FilterCall) => Shape | string;
  readonly apply: (given: Value, call: FilterCall) => Value;
}

export const filters: Readonly<Record<string, Filter>> = {
  join: {
    shape: (given) =>
      given.kind === "pair" || (given.kind === "list" && isPrintable(given.of))
        ? { kind: "text" }
        : "join takes a list of texts",
    apply: (given, call) =>
      listOf(given)
        .map(textOf)
        .join(String(call.args.get("0") ?? call.args.get("d") ?? "")),
  },
  map: {
    shape: (given, { args }) => {
      const name = args.get("attribute");
      if (given.kind !== "list" || typeof name !== "string" || args.size !== 1)
        return "map takes a list and attribute='NAME'";
      if (given.of.kind !== "object") return "map(attribute=…) takes a list of things with fields";
      const field = given.of.fields.get(name);
      if (field === undefined) return `no field ${name}: there are ${[...given.of.fields.keys()].join(", ")}`;
      return { kind: "list", of: field.shape };
    },
    apply: (given, { args }) =>
      listOf(given).map((item) => fieldOf(item, String(args.get("attribute") ?? "")) ?? null),
  },
  length: {
    shape: (given) =>
      given.kind === "list" || isPrintable(given) ? { kind: "number" } : "length takes a list or a text",
    apply: (given) => (typeof given === "string" ? given.length : listOf(given).length),
  },
  first: {
    shape: (given) => (given.kind === "list" ? given.of : "first takes a list"),
    apply: (given) => listOf(given)[0] ?? null,
  },
  last: {
    shape: (given) => (given.kind === "list" ? given.of : "last takes a list"),
    apply: (given) => listOf(given).at(-1) ?? null,
  },
  upper: text((given) => given.toUpperCase()),
  lower: text((given) => given.toLowerCase()),
  trim: text((given) => given.trim()),
};

export function isPrintable(shape: Shape): boolean {
  return ["text", "path", "word", "number"].includes(shape.kind);
}

/** Only own fields, never inherited ones of JavaScript. */
export function fieldOf(value: Value, name: string): Value | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isObject(value: Value): value is { readonly [name: string]: Value | undefined } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function listOf(value: Value): readonly Value[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: Value): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function text(change: (given: string) => string): Filter {
  return {
    shape: (given) => (isPrintable(given) ? { kind: "text" } : "this filter takes a text"),
    apply: (given) => change(textOf(given)),
  };
}
