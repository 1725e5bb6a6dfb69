/** The entries of a snapshot file of jest or vitest. */

export interface SnapshotEntry {
  /** `title 1`, with the titles of its suites. */
  readonly name: string;
  readonly value: string;
}

const entry = /^exports\[`((?:\\.|[^`\\])*)`\] = `((?:\\.|[^`\\])*)`;$/gm;

/** Null where two entries have one name: the second would hide the first. */
export function snapshotEntries(text: string): readonly SnapshotEntry[] | null {
  const found = [...text.matchAll(entry)].map(([, name = "", value = ""]) => ({ name, value: value.trim() }));
  return new Set(found.map(({ name }) => name)).size === found.length ? found : null;
}

/** The entries that a run added; null where it changed or removed one. */
export function addedEntries(before: string, after: string): readonly SnapshotEntry[] | null {
  const [old, now] = [snapshotEntries(before), snapshotEntries(after)];
  if (old === null || now === null) return null;
  const values = new Map(now.map(({ name, value }) => [name, value]));
  if (!old.every(({ name, value }) => values.get(name) === value)) return null;
  const known = new Set(old.map(({ name }) => name));
  return now.filter(({ name }) => !known.has(name));
}
