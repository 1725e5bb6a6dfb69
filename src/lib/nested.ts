/** How deep a value of JSON is nested, without a call for each level: what is deep enough ends the program that walks it. */

/** Deeper than any payload that a protocol knows; far from where a stack ends. */
const deepest = 200;

export function isNestedTooDeeply(value: unknown, most = deepest): boolean {
  let level: readonly object[] = isObject(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap((outer) => Object.values(outer).filter(isObject));
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
