/** Whose records those of a run are, a line for each worker: `  signed by build-1: RUN/1-3, RUN/5`. */
import type { SignedRecord } from "../../evidence/trusted-keys.ts";

export function signedLines(
  signed: readonly SignedRecord[],
  { hasKeys = false }: { readonly hasKeys?: boolean } = {},
): readonly string[] {
  const workers = new Map<string, string[]>();
  for (const { worker, key, record } of signed) {
    const name = hasKeys ? `${worker} with ${key}` : worker;
    const records = workers.get(name);
    if (records === undefined) workers.set(name, [record]);
    else records.push(record);
  }
  return [...workers].map(([name, records]) => `  signed by ${name}: ${ranges(records).join(", ")}`);
}

/** Shortens `RUN/1`, `RUN/2`, `RUN/3` to `RUN/1-3`. */
function ranges(ids: readonly string[]): readonly string[] {
  const found: { run: string; first: number; last: number }[] = [];
  for (const id of ids) {
    const [, run = "", number = ""] = /^(.*)\/(\d+)$/u.exec(id) ?? [];
    const before = found.at(-1);
    if (before?.run === run && before.last + 1 === Number(number)) before.last += 1;
    else found.push({ run, first: Number(number), last: Number(number) });
  }
  return found.map(({ run, first, last }) => `${run}/${first === last ? first : `${first}-${last}`}`);
}
