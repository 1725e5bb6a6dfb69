import { isObject, parseJson } from "../../lib/json.ts";

/** Reads a package.json. An invalid one names no runner. */
export function manifest(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  return isObject(value) ? value : {};
}

/** The command of `npm run build`; null where there is no such script. */
export function buildScript(text: string): string | null {
  const { scripts } = manifest(text);
  const build = isObject(scripts) ? scripts["build"] : null;
  return typeof build === "string" && build.trim() !== "" ? build : null;
}

/** Package names in the given dependency lists. */
export function dependenciesIn(text: string, lists: readonly string[]): ReadonlySet<string> {
  const found = manifest(text);
  return new Set(
    lists.map((list) => found[list]).flatMap((list) => (isObject(list) ? Object.keys(list) : [])),
  );
}
