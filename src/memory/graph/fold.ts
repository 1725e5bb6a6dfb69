/** How a search compares texts, for the graphs of both stores. */
import type { Entity } from "./shapes.ts";

/** Compares like server-memory. */
export function fold(text: string): string {
  return text.toLowerCase();
}

/** Replaces NUL and lone surrogates, which neither store can hold. A query with it cannot be answered by the store alone. */
export const placeholder = "\ufffd";

/** The form in which a store holds a text to search in. */
export function searchable(text: string): string {
  return fold(text)
    .replaceAll("\u0000", placeholder)
    .replace(/\p{Surrogate}/gu, placeholder);
}

/** Whether an entity has a text with the query in it. */
export function containing(query: string): (entity: Entity) => boolean {
  const wanted = fold(query);
  return ({ name, entityType, observations }) =>
    [name, entityType, ...observations].some((text) => fold(text).includes(wanted));
}
