/** The object of `mettle gate --json`: its figures decide nothing, and each failed check says what would make it pass. */
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { GateAnswer } from "../../src/change/answer.ts";
import { newFolder } from "../support/folder.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { changes, changeWorld, startFiles, type ChangeWorld } from "./change-world.ts";

let world: ChangeWorld;
beforeAll(async () => {
  world = await changeWorld([], {
    ...startFiles,
    ".oxlintrc.json": "{}\n",
    ".gitignore": "node_modules\n",
  });
  const { "test/discount.test.js": tests = null, "src/cart.js": source = null } = changes["honest"] ?? {};
  const trailer = "Tests\n\nMettle-Phase: red\n";
  await world.branch("red", "main", { "test/discount.test.js": tests }, trailer);
  await world.branch("cheat", "red", { "src/cart.js": source, "test/discount.test.js": null });
  await world.branch("sloppy", "red", {
    "src/cart.js": `${String(source)}debugger;\nexport const extra = (a) => a || 1;\n`,
  });
});

async function asked(gate: string, head: string, ...more: readonly string[]) {
  const words = gate === "prove" ? [gate] : ["gate", gate];
  const { code, answer } = await world.ask(...words, "--base", "main", "--head", head, ...more);
  const { version, ...fields } = answer;
  expect(version).toBe(1);
  return { code, answer: GateAnswer.strict().parse(fields) };
}

const remedy =
  /\b(?:restore|remove|add|must|correct|write|put|give|commit|keep|compare|refactor|name|rewrite|accept|let|use|undo)\b/iu;

/** The failed checks that name neither a test nor a file, or do not say what would make them pass. */
function withoutRemedy({ checks }: GateAnswer): readonly string[] {
  expect(checks.map(({ name }) => name).join()).not.toMatch(/minimal|quality|lint|complex/u);
  return checks.flatMap(({ name, verdict, reason, tests }) => {
    const isNamed = tests.length > 0 || /[\w./-]+\.(?:js|json|md)\b/u.test(reason);
    return verdict !== "fail" || (isNamed && remedy.test(reason)) ? [] : [`${name}: ${reason}`];
  });
}

verifies(
  "CORE-36",
  "a refused GREEN has the documented shape, and says what would make each check pass",
  async () => {
    const { code, answer } = await asked("green", "cheat");
    expect([code, answer.verdict]).toEqual([1, "fail"]);
    expect(withoutRemedy(answer)).toEqual([]);
    const reasonOf = (name: string) => answer.checks.find((check) => check.name === name)?.reason;
    expect(reasonOf("frozen")).toBe(
      "these files are read-only in GREEN, restore them: deleted test/discount.test.js",
    );
    expect(reasonOf("paths")).toMatch(/; also changed: test\/discount\.test\.js; restore these files$/u);
    expect(answer.numbers).toMatchObject({ new_exports: 1, complexity_delta: 1 });
  },
);

verifiesInCi(
  "CORE-36",
  "figures of lint, complexity and exports decide nothing",
  async () => {
    const bin = join(world.repo.dir, "node_modules/.bin");
    await mkdir(bin, { recursive: true });
    await symlink(packageRoot("node_modules/oxlint/bin/oxlint"), join(bin, "oxlint"));
    const { code, answer } = await asked("green", "sloppy");
    expect([code, answer.verdict]).toEqual([0, "pass"]);
    expect(answer.numbers).toMatchObject({
      unexecuted_lines: expect.any(Number),
      new_exports: 2,
      new_exports_without_test: 1,
      complexity_delta: 2,
      lint: "oxlint",
      lint_before: 0,
      lint_after: 1,
      lint_delta: 1,
    });
  },
  120_000,
);

verifiesInCi(
  "CORE-36",
  "each refused change names a test or a file in each failed check, and the remedy",
  async () => {
    const refused = [
      "passes",
      "untested",
      "weakened",
      "hidden",
      "regression",
      "skipped",
      "removed",
      "refactored",
    ];
    const calls = [
      ...refused.map((head) => ["prove", head] as const),
      ["red", "honest"],
      ["red", "passes"],
      ["red", "skipped"],
      ["refactor", "untested"],
      ["refactor", "weakened"],
      ["refactor", "removed"],
      ["refactor", "regression"],
    ] as const;
    for (const name of new Set(calls.map(([, head]) => head)))
      await world.branch(name, "main", changes[name] ?? {});
    const mute: string[] = [];
    for (const [gate, head] of calls) {
      const { code, answer } = await asked(gate, head);
      expect([gate, head, code]).toEqual([gate, head, 1]);
      mute.push(...withoutRemedy(answer).map((line) => `${gate} ${head} ${line}`));
    }
    expect(mute).toEqual([]);
    const criteria = join(newFolder(), "criteria.md");
    await writeFile(criteria, "- FR1: takes a discount\n");
    const unnamed = await asked("red", "red", "--criteria", criteria);
    expect(unnamed.answer.checks.find(({ name }) => name === "criteria")?.reason).toMatch(/FR1; put the id/u);
  },
  300_000,
);
