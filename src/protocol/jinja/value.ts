/** A template value: JSON. Arrays represent lists and pairs. */
export type Value =
  string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value | undefined };
