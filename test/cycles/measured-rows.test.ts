/**
 * The rows that cannot be decided automatically: their measurements, and the reviews that they rest on (TDP-35).
 * @module-tag ci
 */
import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { lintNumbers } from "../../src/proof/lint-numbers.ts";
import { projectAt } from "../../src/proof/project/project.ts";
import { proofPorts } from "../../src/run/proof-ports.ts";
import { callIn } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { failing, type ByHand } from "./by-hand.ts";
import { addTest, honest, sumsWithLint } from "./sums.ts";

interface Row {
  readonly name: string;
  readonly mark: string;
  readonly basis: string;
  readonly numbers?: Readonly<Record<string, number | string>>;
  readonly reviews?: readonly { reviewer: string; status: string; session: string; round: number }[];
}
interface ShownRows {
  readonly gates: readonly {
    readonly gate: string;
    readonly verdict: string;
    readonly rows: readonly Row[];
  }[];
}

let hand: ByHand;
beforeAll(async () => {
  hand = await sumsWithLint(async (repository) => {
    const bin = join(repository, "node_modules/.bin");
    await mkdir(bin, { recursive: true });
    await symlink(packageRoot("node_modules/oxlint/bin/oxlint"), join(bin, "oxlint"));
  });
});

const shownRows = async (): Promise<ShownRows> =>
  (await callIn(hand.world, ["show", hand.run, "--gates", "--json"])).json() as unknown as ShownRows;
const rowsOf = async (gate: string) =>
  (await shownRows()).gates.find((each) => each.gate === gate)?.rows ?? [];

const sloppy =
  "export function add(a, b) {\n  if (a === 0)\n    return b;\n  const c = 1;\n  debugger;\n  return a + b;\n}\n";
const tidy = "export function add(left, right) {\n  return left + right;\n}\n";

verifies(
  "TDP-35",
  "rows of judgement show lint, complexity, size and unexecuted lines, and name a role's review and its round",
  async () => {
    await hand.work("red", "RC", honest);
    expect(failing(await hand.gate())).toEqual([]);
    await hand.work("green", "GC", { "src/add.js": sloppy });
    const judged = await hand.gate();
    expect(judged.verdict).toBe("pass");
    // Without a review it neither passes by its numbers nor blocks.
    const [minimal] = (await rowsOf("cycle_green")).filter(({ basis }) => basis === "review");
    expect(minimal).toMatchObject({
      name: "Minimal implementation",
      mark: "review",
      numbers: {
        files_changed: 1,
        // The stub that the runtime put where the tests load it.
        lines_before: 1,
        lines_after: 7,
        branches_before: 0,
        branches_after: 1,
        lint: "oxlint",
        lint_before: 0,
        lint_after: 2,
        unexecuted_lines: "1 (src/add.js:3)",
      },
    });
    expect(minimal?.reviews).toBeUndefined();

    await hand.work(
      "test_refactor",
      "RTC",
      addTest("debugger;\n  assert.equal(add(1, 2), 3);\n  assert.equal(add(0, 2), 2);"),
    );
    expect(failing(await hand.gate())).toEqual([]);
    await hand.work("impl_refactor", "RIC", { "src/add.js": tidy });
    expect(failing(await hand.gate())).toEqual([]);
    await hand.say("APPROVED");
    await hand.say("APPROVED");
    await hand.gate();
    await hand.gate();

    const rows = [...(await rowsOf("cycle_green")), ...(await rowsOf("refactor"))];
    const reviewed = rows.filter(({ basis }) => basis === "review");
    const quality = {
      lint: "oxlint",
      lint_before: 2,
      lint_after: 0,
      lines_before: 7,
      lines_after: 3,
      branches_before: 1,
    };
    const tests = { lint: "oxlint", lint_before: 0, lint_after: 1 };
    const prefixed = (prefix: string, numbers: object) =>
      Object.fromEntries(Object.entries(numbers).map(([name, value]) => [`${prefix}_${name}`, value]));
    const byName = (start: string) => reviewed.find(({ name }) => name.startsWith(start));
    expect(byName("Code quality improved")?.numbers).toMatchObject({
      ...prefixed("source", { ...quality, unexecuted_lines: "none" }),
      ...prefixed("tests", tests),
    });
    expect(byName("DE refactor: Implementation optimized")?.numbers).toMatchObject(quality);
    expect(byName("QA refactor: Test code optimized")?.numbers).toMatchObject(tests);
    const { sessions } = hand.context.session.view;
    const dialogue = sessions.find(({ kind }) => kind === "tdd_loop")?.session;
    for (const { name, mark, reviews = [] } of reviewed) {
      expect([name, mark, reviews.length > 0]).toEqual([name, "pass", true]);
      for (const { reviewer, status, session, round } of reviews)
        expect([status, session, ["QA", "DE"].includes(reviewer), round > 0]).toEqual([
          "APPROVED",
          dialogue,
          true,
          true,
        ]);
    }
  },
);

test("without the configured tool, or without one configured, nothing is measured", async () => {
  const { context } = hand;
  const { head } = context.session.view;
  const { signal } = new AbortController();
  const ports = proofPorts(context, signal);
  const [before, after] = [
    await projectAt(ports.repository, head.red ?? ""),
    await projectAt(ports.repository, head.green ?? ""),
  ];
  const change = { before, after, paths: ["src/add.js"], maxMs: 60_000 };
  expect(await lintNumbers(ports, change)).toEqual({
    lint: "oxlint",
    lint_before: 0,
    lint_after: 2,
  });
  expect(await lintNumbers(ports, { ...change, paths: ["README.md"] })).toEqual({
    lint: "not measured (oxlint reads no changed file)",
  });
  await rm(join(hand.world.repository.dir, "node_modules"), { recursive: true });
  const bare = { ...ports, repository: { ...ports.repository, path: "/usr/bin:/bin" } };
  expect(await lintNumbers(bare, change)).toEqual({ lint: "not measured (oxlint is not installed)" });
});
