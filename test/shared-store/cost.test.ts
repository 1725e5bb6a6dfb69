// @module-tag ci
/** The benchmarks of the shared store, with fewer rounds: their ratios are within the goals. */
import { describe, expect } from "vitest";
import { run as appends } from "../../bench/shared.mjs";
import { run as manyRuns } from "../../bench/many-runs.mjs";
import { hasPostgres } from "../support/postgres.ts";
import { verifies } from "../verifies.ts";
import { wide } from "../wide.ts";

// Ratios of times: not beside other tests.
describe.skipIf(!hasPostgres || !wide)("what the shared store costs", () => {
  verifies(
    "SCL-11",
    "an append over a network takes at most twice as long as the database's own commit",
    async () => {
      const found = await appends({ rounds: 100, turns: 0 });
      const over = found?.appends.filter(({ kind, delayMs }) => kind.startsWith("Mettle") && delayMs > 0);
      expect(over).toHaveLength(3);
      for (const { kind, ratio } of over ?? []) expect([kind, ratio < 2]).toEqual([kind, true]);
    },
    120_000,
  );

  const counts = [100, 100_000];
  verifies(
    "SCL-11",
    `the status takes less than 1.5 times as long with ${counts[1]} ended runs as with ${counts[0]}, in both stores`,
    async () => {
      const found = await manyRuns({ rounds: 9, counts });
      expect(found?.rows).toHaveLength(4);
      for (const { store, word, ratio } of found?.rows ?? [])
        expect([store, word, ratio < 1.5]).toEqual([store, word, true]);
    },
    600_000,
  );
});
