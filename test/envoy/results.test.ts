/** What every command prints, held to the published schemas. */
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { z } from "zod";
import { envoy } from "../../src/envoy/envoy.ts";
import { commands } from "../../src/envoy/table.ts";
import { judgePrompt } from "../../src/plans/judge.ts";
import { changePrompt } from "../../src/plans/change-prompt.ts";
import { callHere } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import {
  createPlanWorld,
  promptText,
  record,
  start,
  walkthrough,
  type Json,
  type PlanWorld,
} from "./plan-world.ts";

type Schema = Parameters<typeof z.fromJSONSchema>[0];
const published = JSON.parse(readFileSync("docs/envoy.schema.json", "utf8")) as {
  readonly success: Schema;
  readonly error: Schema;
  readonly commands: Readonly<Record<string, Schema>>;
};
const success = z.fromJSONSchema(published.success);
const failure = z.fromJSONSchema(published.error);
const names = commands.map(({ name }) => name);

// Dozens of git calls in each, on machines that have other work.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: PlanWorld;
beforeAll(async () => {
  world = await createPlanWorld();
});
afterAll(() => world.remove());

const id = { number: 1, variant: null };
const plan = () => ({ dir: world.dir });

const discarded = () => ({ fields: { variant_solution: "discard" as const }, data: null });
/** A reviewer that says this of the only worktree, in which something was done. */
const reviewedBy = (said: object) => async () => {
  const does = [{ say: JSON.stringify(said) }];
  await world.repository.write({
    "mettle.yaml": "version: 1\nagents: { roles: { reviewer: 'scripted:review.yaml' } }\n",
    "review.yaml": JSON.stringify({
      version: 1,
      kind: "cassette",
      roles: { reviewer: [{ does, repeat: true }] },
    }),
  });
  const { path } = await world.ok(["git", "worktree", "2", "B"]);
  await writeFile(join(path as string, "done.txt"), "done\n");
};
const opens = (line: readonly string[]) => () => world.refused([...line, "--wait", "0"]);
/** A person's answer to an open gate. */
const answers = (gate: string, set: string) => async () => {
  const at = { cwd: world.repository.dir, env: world.env };
  expect(await callHere(["answer", gate, "--set", set], at)).toMatchObject({ code: 0, stderr: "" });
};

/** In this order each succeeds. A string is a line; what stands between them is done by other hands. */
const story: readonly (readonly [command: string, ...words: readonly string[]] | (() => Promise<unknown>))[] =
  [
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
    () => judgePrompt(plan(), id, { source: "review", passed: false, text: "More", tree: null }),
    ["plan read-prompt", "1"],
    ["plan start-prompt", ...start("1").slice(2)],
    ["plan record-implementation", ...record("1", 2, walkthrough(2, "review-refinement")).slice(2)],
    async () => {
      const tree = await world.repository.git("rev-parse", "HEAD^{tree}");
      await judgePrompt(plan(), id, { source: "review", passed: true, text: "", tree });
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
    ["git diff-base"],
    ["git diff-base", "--summary", "--path", "src"],
    ["plan start-prompt", ...start("2 B").slice(2)],
    ["git worktree", "2", "B"],
    reviewedBy({ verdict: "failed", thoughts: "Close", suggested_changes: "Less" }),
    ["plan record-implementation", ...record("2 B", 1, walkthrough(1)).slice(2)],
    ["gemini review", "2", "B"],
    reviewedBy({ verdict: "passed" }),
    ["gemini review", "2", "B"],
    () => changePrompt(plan(), { number: 2, variant: "B" }, discarded),
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

verifies(
  "ENV-27",
  "every command prints one object of the published shape, and an error on stderr too",
  async () => {
    expect(Object.keys(published.commands).toSorted()).toEqual(names.toSorted());
    const told = new Set<string>();
    const first = new Map<string, Json>();
    for (const step of story) {
      if (typeof step === "function") {
        await step();
        continue;
      }
      const [name, ...words] = step;
      const data = await world.ok([...name.split(" "), ...words]);
      expect(success.safeParse({ version: 1, status: "success", data }).error).toBeUndefined();
      const schema = published.commands[name] ?? {};
      expect([step, z.fromJSONSchema(schema).safeParse(data).error]).toEqual([step, undefined]);
      told.add(name);
      if (!first.has(name)) first.set(name, data);
    }
    expect([...told].toSorted()).toEqual(names.toSorted());
    // Nothing is left out because it is empty.
    expect(first.get("plan cleanup-debug-logs")).toMatchObject({ files_modified: [], markers_removed: 0 });
    expect(first.get("knowledge search")).toHaveProperty("results");
    expect(first.get("plan read-prompt")).not.toHaveProperty("pending_refinement");
    for (const name of names)
      for (const more of [["--nothing"], ["a", "b", "c", "d"]]) {
        const at = { cwd: world.repository.dir, env: world.env };
        const { code, stdout, stderr } = await callHere([...name.split(" "), ...more], at, envoy);
        expect([name, code, stdout.indexOf("\n")]).toEqual([name, 2, stdout.length - 1]);
        const object = JSON.parse(stdout) as { error: { type: string; message: string; command: string } };
        expect(failure.safeParse(object).error).toBeUndefined();
        expect(object.error.command).toBe(name);
        expect(stderr).toContain(`error[${object.error.type}]: ${object.error.message}\n`);
      }
  },
);
