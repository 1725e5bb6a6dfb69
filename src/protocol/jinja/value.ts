/** What a template is filled with: JSON. Arrays are lists and pairs. */
export type Value =
  string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value | undefined };
