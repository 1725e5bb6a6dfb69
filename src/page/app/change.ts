/** What is different between two values of JSON, so that an open page is sent only that. Pure. */

export type Change =
  | { readonly value: unknown }
  /** Of an object or a list: the changed parts by key or index. */
  | {
      readonly parts: Readonly<Record<string, Change>>;
      /** Keys that are gone. */
      readonly gone?: readonly string[];
      /** The new length of a list. */
      readonly length?: number;
    };

/** @returns null if both are equal */
export function changeOf(before: unknown, after: unknown): Change | null {
  if (before === after) return null;
  if (Array.isArray(before) && Array.isArray(after)) return changeOfList(before, after);
  return isObject(before) && isObject(after) ? changeOfObject(before, after) : { value: after };
}

function changeOfList(before: readonly unknown[], after: readonly unknown[]): Change | null {
  const parts: [string, Change][] = [];
  for (let index = 0; index < after.length; index += 1) {
    const part = changeOf(before[index], after[index]);
    if (part !== null) parts.push([String(index), part]);
  }
  if (before.length !== after.length) return { parts: Object.fromEntries(parts), length: after.length };
  return parts.length === 0 ? null : { parts: Object.fromEntries(parts) };
}

function changeOfObject(before: Fields, after: Fields): Change | null {
  const parts: [string, Change][] = [];
  for (const key of Object.keys(after)) {
    const value = after[key];
    // JSON has no such value.
    if (value === undefined) continue;
    const part = changeOf(Object.hasOwn(before, key) ? before[key] : undefined, value);
    if (part !== null) parts.push([key, part]);
  }
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key) || after[key] === undefined);
  if (gone.length > 0) return { parts: Object.fromEntries(parts), gone };
  return parts.length === 0 ? null : { parts: Object.fromEntries(parts) };
}

/** @returns the value after the change; what did not change is the same object as before */
export function changed(before: unknown, change: Change): unknown {
  if ("value" in change) return change.value;
  const { parts, gone = [], length } = change;
  if (Array.isArray(before)) {
    const list: unknown[] = before.slice(0, length);
    for (const [index, part] of Object.entries(parts))
      list[Number(index)] = changed(list[Number(index)], part);
    return list;
  }
  const entries = new Map(Object.entries(isObject(before) ? before : {}));
  for (const key of gone) entries.delete(key);
  for (const [key, part] of Object.entries(parts)) entries.set(key, changed(entries.get(key), part));
  // Unlike an assignment, it takes `__proto__` as a name like any other.
  return Object.fromEntries(entries);
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
