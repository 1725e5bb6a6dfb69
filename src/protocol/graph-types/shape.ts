/** A graph type as a plain tree: the names that a template may use, and the positions of paths. */
import * as z from "zod";
import { FilePath } from "./notation.ts";

export type Shape =
  | { readonly kind: "text" | "path" | "number" }
  | { readonly kind: "word"; readonly words: readonly string[] }
  | { readonly kind: "pair" }
  | { readonly kind: "list"; readonly of: Shape }
  | { readonly kind: "object"; readonly fields: ReadonlyMap<string, Field> }
  /** A tagged object with exactly one of these keys. */
  | { readonly kind: "oneOf"; readonly variants: ReadonlyMap<string, Shape> };

export interface Field {
  readonly shape: Shape;
  readonly maybe: boolean;
}

export function shapeOf(type: unknown): Shape {
  if (type === FilePath) return { kind: "path" };
  if (type instanceof z.ZodOptional || type instanceof z.ZodNullable) return shapeOf(type.unwrap());
  if (type instanceof z.ZodArray) return { kind: "list", of: shapeOf(type.element) };
  if (type instanceof z.ZodTuple) return { kind: "pair" };
  if (type instanceof z.ZodEnum) return { kind: "word", words: type.options.map(String) };
  if (type instanceof z.ZodXor) return { kind: "oneOf", variants: new Map(type.options.flatMap(variant)) };
  if (type instanceof z.ZodObject) {
    const fields = Object.entries(type.shape).map(([name, of]): [string, Field] => [
      name,
      { shape: shapeOf(of), maybe: of instanceof z.ZodOptional },
    ]);
    return { kind: "object", fields: new Map(fields) };
  }
  return { kind: type instanceof z.ZodNumber ? "number" : "text" };
}

function variant(option: unknown): [string, Shape][] {
  if (!(option instanceof z.ZodObject)) return [];
  return Object.entries(option.shape).map(([name, payload]) => [name, shapeOf(payload)]);
}
