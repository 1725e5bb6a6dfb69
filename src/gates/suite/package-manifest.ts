/** Which changes of a package.json cannot affect tests: descriptive fields, new dependencies, and new scripts of other tasks. */
import * as z from "zod";
import { canonicalJson } from "../../lib/hash.ts";
import { parseJson } from "../../lib/json.ts";

const words = new Set([
  "description",
  "keywords",
  "author",
  "contributors",
  "maintainers",
  "license",
  "homepage",
  "bugs",
  "repository",
  "funding",
]);
const dependencies = new Set(["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"]);
/** Dependencies that select another runner. */
const runners = new Set(["vitest", "jest", "mocha"]);

const Manifest = z.record(z.string(), z.unknown());
const List = z.record(z.string(), z.string());

/** Whether tests run the same with either text. */
export function isSameForTests(before: string, after: string): boolean {
  const [one, other] = [read(before), read(after)];
  if (one === null || other === null) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => {
    if (words.has(name)) return true;
    if (dependencies.has(name))
      return onlyAdds(one[name] ?? {}, other[name] ?? {}, (added) => !runners.has(added));
    if (name === "scripts") return onlyAdds(one[name] ?? {}, other[name] ?? {}, isOtherTask);
    return name in one && name in other && canonicalJson(one[name]) === canonicalJson(other[name]);
  });
}

/** Whether two texts of a package.json or npm lockfile differ only in the package's own version. */
export function differsInVersionAlone(before: string, after: string): boolean {
  const [one, other] = [unversioned(before), unversioned(after)];
  return one !== null && other !== null && (one === other || isSameForTests(one, other));
}

function unversioned(text: string): string | null {
  const whole = read(text);
  if (whole === null) return null;
  const { version: _, packages, ...rest } = whole;
  const listed = Manifest.safeParse(packages);
  if (!listed.success) return canonicalJson(rest);
  const { "": own, ...others } = listed.data;
  const { version: _own, ...root } = Object(own) as Record<string, unknown>;
  return canonicalJson({ ...rest, packages: { ...others, "": root } });
}

type MayBeAdded = (name: string, others: readonly string[]) => boolean;

function onlyAdds(before: unknown, after: unknown, mayBeAdded: MayBeAdded): boolean {
  const [one, other] = [List.safeParse(before), List.safeParse(after)];
  if (!one.success || !other.success) return false;
  const values = Object.values(one.data);
  const kept = Object.entries(one.data).every(([name, value]) => other.data[name] === value);
  return kept && Object.keys(other.data).every((name) => name in one.data || mayBeAdded(name, values));
}

/** A script that no other one starts, by its name or by a pattern, and that no tool starts before tests. */
function isOtherTask(name: string, scripts: readonly string[]): boolean {
  const isOfTests = /\b(?:tests?|spec|unit|vitest|jest|mocha|node)\b|^(?:pre|post|build|install)/iu.test(
    name,
  );
  return !isOfTests && !scripts.some((text) => text.includes(name) || text.includes("*"));
}

/** Null for an invalid one, which counts as changed. */
function read(text: string): Readonly<Record<string, unknown>> | null {
  const parsed = Manifest.safeParse(parseJson(text));
  return parsed.success ? parsed.data : null;
}
