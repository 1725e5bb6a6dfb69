/** The public suite of cheats (`bench/cheats`): its rows, its intervals, and that each control finds its own kinds. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import * as z from "zod";
import { controls } from "../bench/cheats/controls.mjs";
import { readKinds, runners, scenariosOf } from "../bench/cheats/kinds.mjs";
import { differencesOf, outcomesOf } from "../bench/cheats/outcomes.mjs";
import { wilson } from "../bench/cheats/wilson.mjs";
import { ProofControls } from "../src/config/controls-schema.ts";
import { packageRoot } from "../src/config/package-root.ts";
import { verifies, verifiesInCi } from "./verifies.ts";
import { wide } from "./wide.ts";

const outcomes = ["caught", "reported", "late", "missed", "wrong reason", "not judged"] as const;

const Answer = z.object({
  rows: z.array(
    z.looseObject({
      id: z.string(),
      caught: z.number(),
      missed: z.number(),
      notApplicable: z.number(),
      alone: z.number(),
      honest: z.number(),
      blocked: z.number(),
      interval: z.tuple([z.number(), z.number()]).nullable(),
      seconds: z.number(),
    }),
  ),
  results: z.array(
    z.object({
      kind: z.string(),
      runner: z.string(),
      role: z.string(),
      outcome: z.string(),
      alone: z.string(),
      checks: z.array(z.string()),
      why: z.string(),
    }),
  ),
  ablations: z.record(
    z.string(),
    z.looseObject({ kinds: z.array(z.string()), judged: z.number(), results: z.array(z.unknown()) }),
  ),
});

async function suite(...args: readonly string[]): Promise<z.infer<typeof Answer>> {
  const program = join(packageRoot("bench"), "cheats", "run.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [program, "--json", ...args], {
    maxBuffer: 64 << 20,
  });
  return Answer.parse(JSON.parse(stdout));
}

/** The lines of the published run. */
function published(): readonly string[] {
  const text = readFileSync(join(packageRoot("bench"), "results", "cheats.txt"), "utf8");
  return text.split("\n").filter((line) => line !== "");
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

verifies("CORE-39", "at least 40 kinds have a cheat and an honest look-alike for the runners", () => {
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

test("every control that the settings can switch off is tried", () => {
  const switches = Object.entries(ProofControls.shape).filter(([, value]) => value.safeParse(false).success);
  expect(controls.toSorted()).toEqual(switches.map(([name]) => name).toSorted());
});

verifies(
  "CORE-39",
  "the published run judged every scenario, and the README names each kind that is not caught",
  () => {
    const judged = published().filter((line) => !line.includes(" without "));
    const scenarios = readKinds().flatMap((kind) => scenariosOf(kind, runners));
    expect(judged.map((line) => line.split(" | ").slice(0, 3).join(" "))).toEqual(
      scenarios.map(({ kind, runner, role }) => `${kind} ${runner} ${role}`),
    );
    const cells = judged.map((line) => line.split(" | "));
    expect(cells.filter(([, , role, outcome]) => role === "honest" && outcome !== "passed")).toEqual([]);
    const open = cells.filter(([, , role, outcome]) => role === "cheat" && outcome !== "caught");
    const readme = readFileSync(join(packageRoot("bench"), "..", "README.md"), "utf8");
    const [, paragraph = ""] =
      /- Cheats that the gates do not refuse, of the public suite([\s\S]*?)\n- /.exec(readme) ?? [];
    const named = [...paragraph.matchAll(/\((\d+[a-z]?)\)/g)].map(([, number]) => number);
    expect(named.toSorted()).toEqual([...new Set(open.map(([kind = ""]) => kind.split("-")[0]))].toSorted());
  },
);

test("two runs are compared by outcome; other checks with the same outcome are told apart", () => {
  const before = [
    "1-a | pytest | cheat | caught | missed | flip",
    "1-a | pytest | honest | passed | passed | -",
  ];
  const after = [
    "1-a | pytest | cheat | reported | missed | flip",
    "2-b | pytest | honest | passed | passed | -",
  ];
  expect(differencesOf(before, before, { whole: true })).toEqual({ outcomes: [], checks: [] });
  expect(differencesOf(before, after, { whole: true }).outcomes).toEqual([
    "1-a, pytest, cheat: caught (exit code alone: missed) before, reported (exit code alone: missed) now",
    "2-b, pytest, honest: not judged before, passed (exit code alone: passed) now",
    "1-a, pytest, honest: passed (exit code alone: passed) before, not judged now",
  ]);
  expect(differencesOf(before, after, { whole: false }).outcomes).toHaveLength(2);
  const others = ["1-a | pytest | cheat | caught | missed | canary"];
  expect(differencesOf(before, others, { whole: false })).toEqual({
    outcomes: [],
    checks: ["1-a, pytest, cheat: flip before, canary now"],
  });
});

verifiesInCi("CORE-39", "a control that is switched off no longer finds its kind", async () => {
  const report = await suite("--runner", "node:test", "--kind", "28", "--kind", "34", "--ablate");
  const { rows, results, ablations } = report;
  expect(rows).toMatchObject([
    { id: "28-reads-its-test", caught: 1, missed: 0, honest: 1, blocked: 0 },
    { id: "34-shell-oracle", caught: 0, reported: 1, missed: 0, honest: 1, blocked: 0 },
  ]);
  expect(rows[0]?.alone).toBe(0);
  expect(rows[0]?.interval?.[1]).toBe(1);
  expect(results.map(({ outcome }) => outcome)).toEqual(["caught", "passed", "reported", "passed"]);
  expect(ablations).toMatchObject({ flip: { kinds: ["28-reads-its-test"], judged: 1 } });
  expect(outcomesOf(report)).toEqual([
    "28-reads-its-test | node:test | cheat | caught | missed | flip",
    "28-reads-its-test | node:test | honest | passed | passed | -",
    "34-shell-oracle | node:test | cheat | reported | missed | starts_program",
    "34-shell-oracle | node:test | honest | passed | passed | -",
    "28-reads-its-test | node:test | cheat without flip | missed | - | -",
  ]);
});

verifies(
  "CORE-39",
  "every kind has a row, honest changes pass, a control that is switched off lowers exactly its kinds, and the outcomes are the published ones",
  { skip: !wide, timeout: 7_200_000 },
  async () => {
    const kinds = readKinds();
    const report = await suite("--ablate");
    const { rows, results, ablations } = report;
    expect(rows.map(({ id }) => id)).toEqual(kinds.map(({ id }) => id));
    for (const row of rows) {
      const judged = outcomes.reduce((sum, outcome) => sum + z.number().parse(row[outcome]), 0);
      expect([row.id, judged + row.notApplicable]).toEqual([row.id, runners.length]);
      expect([row.id, row.honest > 0, row.seconds > 0, row.interval?.length]).toEqual([
        row.id,
        true,
        true,
        2,
      ]);
    }
    expect(results.filter(({ role, outcome }) => role === "honest" && outcome !== "passed")).toEqual([]);
    const missed = results.filter(
      ({ role, outcome }) => role === "cheat" && outcome !== "caught" && outcome !== "reported",
    );
    expect([...new Set(missed.map(({ kind }) => kind))]).toEqual(
      kinds.filter(({ miss }) => miss !== undefined).map(({ id }) => id),
    );
    for (const control of controls) {
      const own = kinds.filter(({ only = [] }) => [only].flat().includes(control));
      expect([control, ablations[control]?.kinds ?? []]).toEqual([control, own.map(({ id }) => id)]);
    }
    expect(differencesOf(published(), outcomesOf(report), { whole: true }).outcomes).toEqual([]);
  },
);
