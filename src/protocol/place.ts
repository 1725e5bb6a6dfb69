/** The place in a file that is being compiled: it collects faults where they were written. */
import type { YamlFault, YamlPath } from "../lib/yaml/yaml-fault.ts";
import type { YamlDocument } from "../lib/yaml/yaml-document.ts";

export interface Place {
  readonly document: YamlDocument<unknown>;
  readonly path: YamlPath;
  readonly faults: YamlFault[];
}

export function into(place: Place, ...path: YamlPath): Place {
  return { ...place, path: [...place.path, ...path] };
}

/** A value that must be there, or the empty text and a fault. */
export function required(value: string | undefined, key: string, place: Place): string {
  if (value === undefined) faultIn(place, `${String(place.path.at(-1))} has no ${key}, and inherits none`);
  return value ?? "";
}

export function faultIn(place: Place, message: string, allowed?: readonly string[]): void {
  place.faults.push({
    ...place.document.keyAt(place.path),
    path: place.path.map(String),
    message,
    ...(allowed === undefined ? {} : { allowed }),
  });
}

export function mapEntries<A, B>(
  entries: Readonly<Record<string, A>> | undefined,
  change: (value: A, key: string) => B,
): Readonly<Record<string, B>> {
  return Object.fromEntries(Object.entries(entries ?? {}).map(([key, value]) => [key, change(value, key)]));
}
