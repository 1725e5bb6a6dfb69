/** The id of a graph's node: the spec ids from the root down to it, joined by `--`; spec ids do not contain `--` (V3-58). */
const joint = "--";

export function nodeIdOf(specs: readonly string[]): string {
  return specs.join(joint);
}

/** Null for the root. */
export function parentIdOf(id: string): string | null {
  return ancestryOf(id).at(-2) ?? null;
}

/** Id of the node's own spec. */
export function specIdOf(id: string): string {
  return id.split(joint).at(-1) ?? id;
}

/** The ids from the root down to this node. */
export function ancestryOf(id: string): readonly string[] {
  const specs = id.split(joint);
  return specs.map((_spec, index) => nodeIdOf(specs.slice(0, index + 1)));
}
