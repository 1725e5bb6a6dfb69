/** Reads a package.json. */
export function manifest(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {}; // an invalid package.json names no runner
  }
}

/** The command of `npm run build`; null where there is no such script. */
export function buildScript(text: string): string | null {
  const { scripts } = manifest(text);
  const build = isObject(scripts) ? scripts["build"] : null;
  return typeof build === "string" && build.trim() !== "" ? build : null;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Package names in the given dependency lists. */
export function dependenciesIn(text: string, lists: readonly string[]): ReadonlySet<string> {
  const found = manifest(text);
  return new Set(
    lists.map((list) => found[list]).flatMap((list) => (isObject(list) ? Object.keys(list) : [])),
  );
}
