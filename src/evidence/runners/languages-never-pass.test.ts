/** Runs that pytest, go and cargo report as successful; never-passes.test.ts covers the JavaScript runners. */
import { describe, expect } from "vitest";
import { verifiesWhen } from "../../../test/verifies.ts";
import { wide } from "../../../test/wide.ts";
import { about, type FixtureRun } from "../fixtures/run-fixture.ts";
import { inFixture, programOf } from "../fixtures/run-native.ts";
import { judgeRun } from "../judge.ts";
import { cargo } from "./cargo.ts";
import { go } from "./go.ts";
import { pytest } from "./pytest.ts";

const [python, golang, rust] = [await programOf(pytest), await programOf(go), await programOf(cargo)];

/** Judged as if the runner had reported success: the report alone must prevent the pass. */
function refusal(run: FixtureRun, file: string, required: readonly string[] = []): string {
  const judged = judgeRun({ ...run, report: about(file, run.report), exitCode: 0, required });
  return `${judged.verdict}: ${judged.reasons.join("; ")}`;
}

// Ten runs of three tool chains; each runner's own test covers the eight cases.
describe.skipIf(!wide)("languages", () => {
  verifiesWhen(
    python !== null && golang !== null && rust !== null,
    "python3 with pytest, go and cargo are needed together",
    "CORE-20",
    "a success of pytest, go or cargo without a passed test never passes, and the reason is named",
    async () => {
      const env = { PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1" };
      await inFixture({ runner: pytest, program: python, folder: "pytest", env }, async (run) => {
        const patched = "patched/patched_test.py";
        const all = await run(["load_test.py", "empty_test.py", "xpass_test.py", patched]);
        expect(refusal(all, "load_test.py")).toMatch(
          /^fail: .*load_test\.py does not load: ModuleNotFoundError/,
        );
        expect(refusal(all, "empty_test.py")).toMatch(/^inconclusive: .*no_tests: empty_test\.py/);
        const [hopeful = ""] = about("xpass_test.py", all.report).tests.map(({ id }) => id);
        expect(refusal(all, "xpass_test.py", [hopeful])).toContain(`1 skipped or todo: ${hopeful}`);
        expect(refusal(all, patched)).toMatch(/^fail: other tests: 3 failed: .*test_is_reported_as_passed/);
        const alone = await run(["empty_test.py"]);
        expect([alone.exitCode, judgeRun({ ...alone, required: [] }).verdict]).toEqual([5, "inconclusive"]);
        const early = await run(["early_test.py"]);
        expect([early.exitCode, judgeRun({ ...early, required: [] }).reasons]).toEqual([
          0,
          ["report: the runner left no complete, readable report (exit code 0)"],
        ]);
      });
      await inFixture({ runner: go, program: golang, folder: "go" }, async (run) => {
        const files = ["load/load_test.go", "tagged/tagged_test.go", "pass/pass_test.go"];
        const first = await run(files);
        expect(refusal(first, "load/load_test.go")).toMatch(
          /^fail: .*load_test\.go does not load: .*undefined/,
        );
        expect(refusal(first, "tagged/tagged_test.go")).toMatch(/^inconclusive: .*no_tests: tagged/);
        // Keeps the build cache and drops the results: go would print "(cached)".
        const again = await run(["pass/pass_test.go"]);
        expect(again.stdout).not.toContain("(cached)");
        expect(again.argv).toContain("-count=1");
      });
      await inFixture({ runner: cargo, program: rust, folder: "cargo" }, async (run) => {
        const early = await run(["tests/early.rs", "tests/skip.rs"]);
        expect(early.exitCode).toBe(0);
        expect(refusal(early, "tests/early.rs")).toMatch(
          /^inconclusive: .*1 never finished: tests\/early\.rs::b_leaves/,
        );
        expect(refusal(early, "tests/skip.rs", ["tests/skip.rs::is_skipped"])).toMatch(
          /^fail: .*1 skipped or todo/,
        );
      });
      await inFixture({ runner: cargo, program: rust, folder: "cargo-broken" }, async (run) => {
        const broken = await run(["tests/load.rs"]);
        expect(refusal(broken, "tests/load.rs")).toMatch(
          /^fail: .*tests\/load\.rs does not load: unresolved import/,
        );
      });
    },
  );
});
