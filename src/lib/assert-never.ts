/** Proves at compile time that a switch over a union is exhaustive; throws if it is not. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}

/** Throws if an invariant is violated: a bug, never an operational failure. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`);
}
