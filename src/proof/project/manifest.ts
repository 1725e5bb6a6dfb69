import { isObject, parseJson } from "../../lib/json.ts";

/** Reads a package.json. An invalid one names no runner. */
export function manifest(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  return isObject(value) ? value : {};
}

/** The command of `npm run build`; null where there is no such script. */
export function buildScript(text: string): string | null {
  return scriptIn(text, "build");
}

/** The command of `npm test`; null where there is none, or only the one that `npm init` writes. */
export function testScript(text: string): string | null {
  const script = scriptIn(text, "test");
  return script?.includes("no test specified") === true ? null : script;
}

function scriptIn(text: string, name: string): string | null {
  const { scripts } = manifest(text);
  const script = isObject(scripts) ? scripts[name] : null;
  return typeof script === "string" && script.trim() !== "" ? script : null;
}

/** Package names in the given dependency lists. */
export function dependenciesIn(text: string, lists: readonly string[]): ReadonlySet<string> {
  const found = manifest(text);
  return new Set(
    lists.map((list) => found[list]).flatMap((list) => (isObject(list) ? Object.keys(list) : [])),
  );
}
