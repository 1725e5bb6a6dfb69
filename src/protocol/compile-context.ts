/** The position in a file during compilation; collects faults with positions. */
import type { YamlFault, YamlPath } from "../lib/yaml/yaml-fault.ts";
import type { YamlDocument } from "../lib/yaml/yaml-document.ts";

export interface CompileContext {
  readonly document: YamlDocument<unknown>;
  readonly path: YamlPath;
  readonly faults: YamlFault[];
}

export function childContext(place: CompileContext, ...path: YamlPath): CompileContext {
  return { ...place, path: [...place.path, ...path] };
}

/** A required value; adds a fault and returns an empty string if it is missing. */
export function required(value: string | undefined, key: string, place: CompileContext): string {
  if (value === undefined) addFault(place, `${String(place.path.at(-1))} has no ${key}, and inherits none`);
  return value ?? "";
}

export function addFault(place: CompileContext, message: string, allowed?: readonly string[]): void {
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
