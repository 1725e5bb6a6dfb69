import { readFile } from "node:fs/promises";

/** Command -> fields that `docs/json.md` names for it. */
export async function documented(): Promise<ReadonlyMap<string, readonly string[]>> {
  const text = await readFile(new URL("../../docs/json.md", import.meta.url), "utf8");
  const [first = [], second = []] = text
    .split(/The fields of a run:|The `numbers` of/u)
    .map((part) =>
      [...part.matchAll(/^\| `(\w+)` +\| (.*) \|$/gmu)].map(([, name = "", words = ""]) => ({ name, words })),
    );
  const run = second.map(({ name }) => name);
  const fields = new Map<string, readonly string[]>([["a run", run]]);
  for (const { name, words } of first) {
    const as = /^as `(\w+)`/u.exec(words)?.[1];
    const named = [...words.matchAll(/`(\w+)`/gu)].map(([, word = ""]) => word);
    const base = as === undefined ? [] : (fields.get(as) ?? []);
    const runs = /those of a run|its fields/u.test(words) ? run : [];
    fields.set(name, [...base, ...runs, ...named]);
  }
  return fields;
}
