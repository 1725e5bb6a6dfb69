import { expect, test } from "vitest";
import { addedEntries, snapshotEntries } from "./snapshot-entries.ts";

const header = "// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\n";
const one = 'exports[`cart > shows 1`] = `"a \\`b\\`"`;\n';
const changed = one.replace('"a', '"c');
const two = "exports[`lists 1`] = `\n[\n  1,\n]\n`;\n";

test("entries are read with their names and values, also over several lines", () => {
  expect(snapshotEntries(`${header}${one}\n${two}`)).toEqual([
    { name: "cart > shows 1", value: '"a \\`b\\`"' },
    { name: "lists 1", value: "[\n  1,\n]" },
  ]);
  expect(snapshotEntries("")).toEqual([]);
});

test("a name of two entries, and a changed or lost old entry, are no added entries", () => {
  expect(addedEntries(one, `${header}${one}${two}`)).toEqual([{ name: "lists 1", value: "[\n  1,\n]" }]);
  expect(addedEntries(one, `${header}${one}${two}${changed}`)).toBe(null);
  expect(addedEntries(one, changed)).toBe(null);
  expect(addedEntries(one, two)).toBe(null);
});
