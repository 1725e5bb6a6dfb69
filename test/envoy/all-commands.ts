/** All commands in an order in which each succeeds, with the actions of people and reviewers between them. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { changePrompt } from "../../src/plans/prompt/change-prompt.ts";
import { judgePrompt } from "../../src/plans/judge.ts";
import { callHere } from "../cli/here.ts";
import { promptText, record, start, walkthrough, type PlanWorld } from "./plan-world.ts";
import { reviewer } from "./reviewer.ts";

/** The words of a line, or an action of a person or reviewer. */
export type Step = readonly [command: string, ...words: readonly string[]] | (() => Promise<unknown>);

export function allCommands(world: PlanWorld): readonly Step[] {
  const id = { number: 1, variant: null };
  const plan = { dir: world.dir };

  const discarded = () => ({ fields: { variant_solution: "discard" as const }, data: null });
  /** Sets up a reviewer that fails and then passes, and adds a file to the worktree. */
  const setUpReviewer = async () => {
    await reviewer(
      world,
      { verdict: "failed", thoughts: "Close", suggested_changes: "Less" },
      { verdict: "passed" },
    );
    const { path } = await world.ok(["git", "worktree", "2", "B"]);
    await writeFile(join(path as string, "done.txt"), "done\n");
  };
  const opens = (line: readonly string[]) => () => world.refused([...line, "--wait", "0"]);
  /** A person's answer to an open gate. */
  const answers = (gate: string, set: string) => async () => {
    const at = { cwd: world.repository.dir, env: world.env };
    expect(await callHere(["answer", gate, "--set", set], at)).toMatchObject({ code: 0, stderr: "" });
  };

  return [
    ["plan init"],
    ["plan init"],
    ["plan write-plan", "--title", "T", "--objective", "O", "--context", "C"],
    ["plan write-prompt", "1", ...promptText],
    ["plan write-prompt", "2", "A", ...promptText, "--depends-on", "1"],
    ["plan write-prompt", "2", "B", ...promptText],
    ["plan read-prompt", "1"],
    ["plan next", "-n", "2"],
    ["plan start-prompt", ...start("1").slice(2)],
    ["git worktree", "1"],
    ["git commit", "1", "--message", "Nothing yet"],
    ["plan record-implementation", ...record("1", 1, walkthrough(1)).slice(2)],
    () => judgePrompt(plan, id, { source: "review", passed: false, text: "More", tree: null }),
    ["plan read-prompt", "1"],
    ["plan start-prompt", ...start("1").slice(2)],
    ["plan record-implementation", ...record("1", 2, walkthrough(2, "review-refinement")).slice(2)],
    async () => {
      const tree = await world.repository.git("rev-parse", "HEAD^{tree}");
      await judgePrompt(plan, id, { source: "review", passed: true, text: "", tree });
    },
    opens(["plan", "block-prompt-testing-gate", "1"]),
    answers("1_testing", "test_passed=true"),
    ["plan block-prompt-testing-gate", "1"],
    ["plan block-prompt-variants-gate", "1"],
    ["plan write-prompt", "3", ...promptText, "--debug"],
    ["plan start-prompt", ...start("3").slice(2)],
    ["git worktree", "3"],
    opens(["plan", "block-debugging-logging-gate", "3"]),
    answers("3_logging", "logs=it blinks"),
    ["plan block-debugging-logging-gate", "3"],
    ["plan block-findings-gate"],
    ["plan release-prompt", "1"],
    ["git merge-worktree", "1"],
    ["git merge-worktree", "1"],
    ["plan complete-prompt", "1"],
    ["git update-worktree", "1"],
    ["git diff-base"],
    ["git diff-base", "1", "--summary"],
    ["git diff-base", "--summary", "--path", "src"],
    ["plan start-prompt", ...start("2 B").slice(2)],
    ["git worktree", "2", "B"],
    setUpReviewer,
    ["plan record-implementation", ...record("2 B", 1, walkthrough(1)).slice(2)],
    ["gemini review", "2", "B"],
    ["gemini review", "2", "B"],
    () => changePrompt(plan, { number: 2, variant: "B" }, discarded),
    ["git discard-worktree", "2", "B"],
    ["plan write-approach", "frontend", "1", "--description", "x", "--context", "x", "--files", "a"],
    ["plan write-notes", "frontend", "--notes", "x"],
    ["plan get-finding-approach", "frontend", "1"],
    opens(["plan", "block-findings-gate"]),
    answers("findings_gate", "approach_feedback.frontend_1.user_required_changes=More"),
    ["plan block-findings-gate"],
    ["plan read-design-manifest"],
    () => world.write("design/manifest.yaml", "designs: [{ screenshot_file_name: a.png, description: x }]\n"),
    ["plan read-design-manifest"],
    ["plan cleanup-debug-logs"],
    () => world.repository.write({ "b.ts": "// [DEBUG-TEMP]\nlog();\n" }),
    ["plan cleanup-debug-logs", "--dry-run"],
    ["plan cleanup-debug-logs"],
    ["knowledge search", "docs", "what this is about"],
    () => world.repository.write({ "docs/a.md": "# What it is about\n\nThis is about caches.\n" }),
    ["knowledge search", "docs", "what this is about"],
  ];
}
