/** The compile-time proof that a switch over a union is complete; throws if a value slipped through. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}

/** Throws when something that must always hold does not: a bug, never an operational failure. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`);
}
