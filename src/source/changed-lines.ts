/** Numbers, from 1, of the lines that the old text does not contain; a moved line is not changed. */
export function changedLines(before: string, after: string): ReadonlySet<number> {
  const old = new Map<string, number>();
  for (const line of before.split("\n")) old.set(line, (old.get(line) ?? 0) + 1);
  const changed = new Set<number>();
  for (const [index, line] of after.split("\n").entries()) {
    const left = old.get(line) ?? 0;
    if (left > 0) old.set(line, left - 1);
    else changed.add(index + 1);
  }
  return changed;
}
