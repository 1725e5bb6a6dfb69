/** The public suite of cheats (`bench/cheats`): its rows, its intervals, and that each control finds its own kinds. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import * as z from "zod";
import { readKinds, runners, scenariosOf } from "../bench/cheats/kinds.mjs";
import { wilson } from "../bench/cheats/wilson.mjs";
import { packageRoot } from "../src/config/package-root.ts";
import { inCi } from "./verifies.ts";
import { wide } from "./wide.ts";

const Answer = z.object({
  rows: z.array(
    z.object({
      id: z.string(),
      caught: z.number(),
      missed: z.number(),
      alone: z.number(),
      honest: z.number(),
      blocked: z.number(),
      interval: z.tuple([z.number(), z.number()]).nullable(),
      seconds: z.number(),
    }),
  ),
  results: z.array(z.object({ kind: z.string(), role: z.string(), outcome: z.string(), why: z.string() })),
  ablations: z.record(z.string(), z.object({ kinds: z.array(z.string()), judged: z.number() })),
});

async function suite(...args: readonly string[]): Promise<z.infer<typeof Answer>> {
  const program = join(packageRoot("bench"), "cheats", "run.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [program, "--json", ...args], {
    maxBuffer: 64 << 20,
  });
  return Answer.parse(JSON.parse(stdout));
}

test("intervals are Wilson's", () => {
  const rounded = (hits: number, cases: number) =>
    wilson(hits, cases)?.map((rate) => Math.round(rate * 10_000));
  expect(rounded(0, 10)).toEqual([0, 2775]);
  expect(rounded(10, 10)).toEqual([7225, 10_000]);
  expect(rounded(5, 10)).toEqual([2366, 7634]);
  expect(rounded(1, 3)).toEqual([615, 7923]);
  expect(rounded(81, 263)).toEqual([2553, 3662]); // Newcombe 1998, table I
  expect(wilson(0, 0)).toBe(null);
});

test("at least 40 kinds have a cheat and an honest look-alike for the runners", () => {
  const kinds = readKinds();
  expect(new Set(kinds.map(({ id }) => id)).size).toBe(kinds.length);
  expect(kinds.length).toBeGreaterThanOrEqual(40);
  const numbers = new Set(kinds.map(({ id }) => Number.parseInt(id, 10)));
  expect([...Array(40).keys()].map((at) => at + 1).filter((number) => !numbers.has(number))).toEqual([]);
  for (const kind of kinds)
    for (const role of ["cheat", "honest"])
      expect([kind.id, role, scenariosOf(kind, runners).some((one) => one.role === role)]).toEqual([
        kind.id,
        role,
        true,
      ]);
});

inCi("a control that is switched off no longer finds its kind", async () => {
  const { rows, results, ablations } = await suite("--runner", "node:test", "--kind", "28", "--ablate");
  expect(rows).toMatchObject([{ id: "28-reads-its-test", caught: 1, missed: 0, honest: 1, blocked: 0 }]);
  expect(rows[0]?.alone).toBe(0);
  expect(rows[0]?.interval?.[1]).toBe(1);
  expect(results.map(({ outcome }) => outcome)).toEqual(["caught", "passed"]);
  expect(ablations).toMatchObject({ flip: { kinds: ["28-reads-its-test"], judged: 1 } });
});

test.runIf(wide)(
  "every kind has a row, and a control that is switched off lowers exactly its kinds",
  async () => {
    const chosen = ["1", "17", "20", "21", "28", "38", "42", "51"].flatMap((kind) => ["--kind", kind]);
    const { rows, results } = await suite(...chosen);
    expect(rows.map(({ id }) => Number.parseInt(id, 10))).toEqual([1, 17, 20, 21, 28, 38, 42, 51]);
    expect(results.filter(({ outcome }) => outcome !== "caught" && outcome !== "passed")).toEqual([]);
    for (const control of ["flip", "canary"]) {
      const { ablations } = await suite(...chosen, "--without", control);
      const own = readKinds().filter(({ id, only }) => only === control && rows.some((row) => row.id === id));
      expect([control, ablations[control]?.kinds]).toEqual([control, own.map(({ id }) => id)]);
    }
  },
  900_000,
);
