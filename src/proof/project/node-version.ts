/** The node version that a project requests. Its tests run on Mettle's node, so a mismatch is only a warning. */
import { manifest } from "./manifest.ts";
import { versionIn } from "./pinned-programs.ts";
import { isObject } from "../../lib/json.ts";

/**
 * Describes the requested version that this node does not match; null where it matches or none is requested.
 * @param folders the package's folder in the checkout and its parents
 * @param version of this node, with or without `v`
 */
export async function nodeMismatch(
  { folders, packageJson }: { readonly folders: readonly string[]; readonly packageJson: string },
  version: string,
): Promise<string | null> {
  const pinned = await versionIn(folders, [".nvmrc", ".node-version"], "nodejs");
  const { engines, volta } = manifest(packageJson);
  const own = [
    ...(pinned === null ? [] : [[pinned.version, pinned.file] as const]),
    ...(isObject(volta) && typeof volta["node"] === "string"
      ? [[volta["node"], "volta in package.json"] as const]
      : []),
    ...(isObject(engines) && typeof engines["node"] === "string"
      ? [[engines["node"], "engines in package.json"] as const]
      : []),
  ];
  const wrong = own.find(([wanted, file]) => !fitsRange(version, wanted, !file.startsWith("engines")));
  return wrong === undefined ? null : `${wrong[1]} requests node ${wrong[0]}, and tests run on ${version}`;
}

/**
 * Matches an npm range: `>=18 <21 || ^22.1`, `20.x`. Anything that is not a range (`lts/iron`, `node`) matches.
 * @param major whether a full version, as in pins, means its major version
 */
export function fitsRange(version: string, range: string, major = false): boolean {
  const own = numbers(version);
  return range.split("||").some((part) => {
    const terms = part
      .replace(/([<>=^~]+)\s+/g, "$1")
      .replace(/(\S+)\s+-\s+(\S+)/, ">=$1 <=$2")
      .trim()
      .split(/\s+/);
    return terms.every((term) => fitsTerm(own, term, major));
  });
}

function fitsTerm(own: readonly number[], term: string, major: boolean): boolean {
  const [, sign = "", text = ""] = /^([<>]=?|=|\^|~)?v?(\d+(?:\.(?:\d+|x|\*))*)/i.exec(term) ?? [];
  if (text === "") return true;
  const wanted = numbers(text);
  const order = compareNumbers(own, wanted);
  switch (sign) {
    case ">=":
      return order >= 0;
    case ">":
      return order > 0 && !startsWith(own, wanted);
    case "<":
      return order < 0;
    case "<=":
      return order <= 0 || startsWith(own, wanted);
    case "^":
      return order >= 0 && own[0] === wanted[0];
    case "~":
      return order >= 0 && startsWith(own, wanted.slice(0, 2));
    default:
      return startsWith(own, major ? wanted.slice(0, 1) : wanted);
  }
}

function numbers(version: string): readonly number[] {
  const parts = version.replace(/^v/, "").split(/[-+]/)[0]?.split(".") ?? [];
  const end = parts.findIndex((part) => !/^\d+$/.test(part));
  return (end === -1 ? parts : parts.slice(0, end)).map(Number);
}

function startsWith(own: readonly number[], wanted: readonly number[]): boolean {
  return wanted.every((part, at) => own[at] === part);
}

function compareNumbers(own: readonly number[], wanted: readonly number[]): number {
  for (let at = 0; at < 3; at += 1) {
    const by = (own[at] ?? 0) - (wanted[at] ?? 0);
    if (by !== 0) return by;
  }
  return 0;
}
