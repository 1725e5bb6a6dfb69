import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { newFolder } from "../../../test/support/folder.ts";
import { readSaid, removeSaid, saidFile, writeSaid } from "./said-file.ts";

test("a file has what was said until then, stays small however much is said, and belongs to this user alone", async () => {
  const file = saidFile({ root: newFolder() }, "run", "coder#1");
  const writer = writeSaid(file, []);
  writer.add({ kind: "says", text: "I begin." });
  const end = systemClock.now() + 5_000;
  while (((await readSaid(file)) ?? []).length === 0 && systemClock.now() < end) await systemClock.sleep(20);
  expect(await readSaid(file)).toEqual([{ n: 1, kind: "says", text: "I begin.\n" }]);
  for (let round = 0; round < 12; round++) {
    for (let count = 0; count < 2_000; count++)
      writer.add({ kind: "prints", text: `line ${count} ${"x".repeat(50)}\n` });
    await writer.close();
  }
  const entries = (await readSaid(file)) ?? [];
  const { size, mode } = statSync(file);
  expect([size < 300_000, (mode & 0o777).toString(8)]).toEqual([true, "600"]);
  expect(entries.at(-1)?.text).toMatch(/line 1999 x+\n$/u);
  expect(entries.map(({ n }) => n)).toEqual(entries.map((_entry, index) => (entries[0]?.n ?? 0) + index));
  expect(entries.some(({ left = 0 }) => left > 0)).toBe(true);
  await removeSaid(file);
  expect(await readSaid(file)).toBe(null);
});

test("a place that cannot be written to stops nothing", async () => {
  const taken = join(newFolder(), "taken");
  writeFileSync(taken, "");
  const writer = writeSaid(join(taken, "file.jsonl"), []);
  writer.add({ kind: "says", text: "I begin." });
  await writer.close();
  writer.add({ kind: "says", text: "I go on." });
  await writer.close();
  expect(await readSaid(join(taken, "file.jsonl"))).toBe(null);
});
