/** The plan and its prompts: writing, reading, starting, and the next prompt. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { changePrompt } from "../../src/plans/prompt/change-prompt.ts";
import { judgePrompt } from "../../src/plans/judge.ts";
import { readId } from "../../src/plans/prompt/prompt-id.ts";
import type { PromptFields } from "../../src/plans/prompt/prompt.ts";
import { inCi, verifies, verifiesInCi } from "../verifies.ts";
import {
  createPlanWorld,
  hashOf,
  promptText,
  record,
  start,
  walkthrough,
  type PlanWorld,
} from "./plan-world.ts";

let world: PlanWorld;
beforeAll(async () => void (world = await createPlanWorld()));

/** Each test has its own plan. */
async function begin(...prompts: readonly (readonly string[])[]): Promise<void> {
  await world.repository.write({ ".claude/plans": null });
  await world.ok(["plan", "init"]);
  for (const [id = "", ...more] of prompts)
    await world.ok(["plan", "write-prompt", ...id.split(" "), ...promptText, ...more]);
}

const plan = () => ({ dir: world.dir });
/** Sets fields directly, in place of commands that this test does not cover. */
const set = (id: string, fields: Partial<PromptFields>) =>
  changePrompt(plan(), readId(id, null), () => ({ fields, data: null }));
const judge = (id: string, source: "review" | "testing", text: string | null) =>
  judgePrompt(plan(), readId(id, null), { source, passed: text === null, text: text ?? "", tree: null });

verifies("ENV-22", "init creates the plan once, write-plan keeps stage and branch", async () => {
  await world.repository.write({ ".claude/plans": null });
  const made = await world.ok(["plan", "init"]);
  expect(made).toEqual({ branch: "feature/x", plan_dir: world.dir, created: true });
  expect(await world.fields("plan.md")).toMatchObject({ stage: "draft", branch_name: "feature/x" });
  expect(await world.ok(["plan", "init"])).toEqual({ ...made, created: false });
  const write = (title: string) =>
    world.ok([
      "plan",
      "write-plan",
      "--title",
      title,
      "--objective",
      "Fast",
      "--context",
      "All\n\n---\nof it",
    ]);
  expect(await write("First")).toEqual({ stage: "draft", updated: true });
  const first = await world.fields("plan.md");
  expect(first).toEqual({ stage: "draft", branch_name: "feature/x", title: "First", objective: "Fast" });
  expect(await world.read("plan.md")).toMatch(/\n---\n\nAll\n\n---\nof it$/u);
  await world.ok(["plan", "write-prompt", "1", ...promptText]);
  await world.ok(start("1"));
  expect(await write("Second")).toEqual({ stage: "in_progress", updated: true });
  expect(await world.fields("plan.md")).toEqual({ ...first, stage: "in_progress", title: "Second" });
});

verifies("ENV-23", "write-prompt writes every field and the body", async () => {
  await begin();
  expect(await world.ok(["plan", "write-prompt", "1", ...promptText])).toEqual({ id: "1", created: true });
  const more = ["--depends-on", "1", "--debug", "--requires-testing"];
  const files = ["--files", "src/a.ts, src/deep"];
  expect(
    await world.ok(["plan", "write-prompt", "2", "A", ...promptText.slice(0, 6), ...files, ...more]),
  ).toEqual({
    id: "2_A",
    created: true,
  });
  await world.ok(["plan", "write-prompt", "2", "B", ...promptText]);
  const common = {
    description: "Does a thing",
    success_criteria: "It is done",
    status: "unimplemented",
    in_progress: false,
    planned_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u) as string,
  };
  expect(await world.fields("prompts/1.md")).toMatchObject({
    ...common,
    number: 1,
    variant: null,
    kind: "feature",
    relevant_files: ["src/a.ts"],
    depends_on: [],
    requires_manual_testing: false,
  });
  expect(await world.fields("prompts/2_A.md")).toMatchObject({
    ...common,
    number: 2,
    variant: "A",
    kind: "debug",
    relevant_files: ["src/a.ts", "src/deep"],
    depends_on: [1],
    requires_manual_testing: true,
  });
  expect(await world.fields("prompts/2_B.md")).toMatchObject({ ...common, number: 2, variant: "B" });
  expect(await world.read("prompts/1.md")).toMatch(/\n---\n\n# Approach & Plan\n\nHow it is done\n$/u);
});

verifies(
  "ENV-38",
  "a number is standalone or has variants, and dependencies exist and have no cycle",
  async () => {
    await begin(["1"], ["2 A"], ["3", "--depends-on", "1"]);
    const before = hashOf(world.dir);
    const write = (...words: string[]) => world.refused(["plan", "write-prompt", ...words, ...promptText]);
    expect(await write("2")).toMatchObject({ code: 2, type: "variants_exist" });
    expect(await write("1", "A")).toMatchObject({ code: 2, type: "standalone_exists" });
    expect(await write("4", "--depends-on", "3,9")).toMatchObject({ code: 2, type: "unknown_dependency" });
    const circle = await write("1", "--depends-on", "3");
    expect(circle).toMatchObject({ code: 2, type: "dependency_cycle" });
    expect(circle.message).toContain("1 -> 3 -> 1");
    expect(await write("1", "--depends-on", "1")).toMatchObject({ type: "dependency_cycle" });
    expect(hashOf(world.dir)).toBe(before);
  },
);

verifies("ENV-91", "rewriting keeps the fields that are not given, and refuses a merged prompt", async () => {
  await begin(["1"], ["2"]);
  await world.ok(start("1"));
  await world.ok(record("1", 1, walkthrough(1)));
  await judge("1", "review", "more");
  await set("1", { variant_solution: "main" });
  const before = await world.fields("prompts/1.md");
  const body = (await world.read("prompts/1.md")).split("\n---\n")[1];
  expect(await world.ok(["plan", "write-prompt", "1", "--description", "Other"])).toEqual({
    id: "1",
    created: false,
  });
  expect(await world.fields("prompts/1.md")).toEqual({ ...before, description: "Other" });
  await world.ok(["plan", "write-prompt", "1", ...promptText, "--depends-on", "2", "--debug"]);
  expect(await world.fields("prompts/1.md")).toEqual({ ...before, kind: "debug", depends_on: [2] });
  expect((await world.read("prompts/1.md")).split("\n---\n")[1]).toBe(body);
  for (const [name, kept] of Object.entries({
    status: "implemented",
    in_progress: true,
    worktree_branch_name: "feature/x--implementation-1",
    variant_solution: "main",
    walkthrough: [expect.objectContaining({ iteration: 1 })],
    reviews: [expect.objectContaining({ passed: false })],
  }))
    expect(before[name]).toEqual(kept);
  await set("1", { status: "merged" });
  expect(await world.refused(["plan", "write-prompt", "1", "--description", "x"])).toMatchObject({
    code: 2,
    type: "already_merged",
  });
});

verifies("ENV-45", "read-prompt returns the whole context and the required changes", async () => {
  await begin(["1"], ["2 A"], ["2 B"]);
  await world.ok(["plan", "write-plan", "--title", "T", "--objective", "O", "--context", "C"]);
  const fresh = await world.ok(["plan", "read-prompt", "1"]);
  expect(fresh).toEqual({
    id: "1",
    front_matter: await world.fields("prompts/1.md"),
    content: "# Approach & Plan\n\nHow it is done\n",
    plan: { title: "T", objective: "O", context: "C" },
  });
  await world.ok(start("1"));
  await world.ok(record("1", 1, walkthrough(1)));
  for (const [source, iteration] of [
    ["review", 1],
    ["testing", 2],
  ] as const) {
    await judge("1", source, `Do more of ${source}`);
    expect((await world.ok(["plan", "read-prompt", "1"]))["pending_refinement"]).toEqual({
      source,
      text: `Do more of ${source}`,
    });
    await world.ok(record("1", iteration + 1, walkthrough(iteration + 1, `${source}-refinement`)));
    expect(await world.ok(["plan", "read-prompt", "1"])).not.toHaveProperty("pending_refinement");
  }
  const refused = await world.refused(["plan", "read-prompt", "2"]);
  expect(refused).toMatchObject({ code: 2, type: "invalid_variant", detail: { variants: ["A", "B"] } });
  expect(refused.message).toContain("A, B");
  expect(await world.ok(["plan", "read-prompt", "2", "B"])).toMatchObject({ id: "2_B" });
});

verifies(
  "ENV-46",
  "next offers the prompts that can be worked on, debug first, with all variants of a number",
  async () => {
    await begin(["1 A"], ["1 B"], ["2", "--depends-on", "1"], ["3", "--debug"], ["4"], ["5"]);
    const one = (number: number, variant: string | null, kind = "feature") => ({
      prompt_num: number,
      variant,
      description: "Does a thing",
      relevant_files: ["src/a.ts"],
      kind,
    });
    const debug = one(3, null, "debug");
    expect(await world.ok(["plan", "next", "-n", "2"])).toEqual({
      prompts: [debug, one(1, "A"), one(1, "B")],
      count: 3,
      requested: 2,
      in_progress: [],
      blocked: [{ id: "2", waiting_for: [1] }],
      done: false,
    });
    expect(await world.ok(["plan", "next"])).toMatchObject({ prompts: [debug], count: 1, requested: 1 });
    await world.ok(start("3"));
    await set("1_B", { variant_solution: "alternative" });
    await set("4", { variant_solution: "discard" });
    expect(await world.ok(["plan", "next", "-n", "9"])).toMatchObject({
      prompts: [one(1, "A"), one(5, null)],
      in_progress: ["3"],
      blocked: [{ id: "2", waiting_for: [1] }],
    });
    await set("1_A", { status: "merged", variant_solution: "main" });
    expect(await world.ok(["plan", "next", "-n", "1"])).toMatchObject({
      prompts: [one(2, null)],
      blocked: [],
    });
    for (const id of ["2", "3", "4"])
      await set(id, { status: "merged", variant_solution: null, in_progress: false });
    expect(await world.ok(["plan", "next"])).toMatchObject({ prompts: [one(5, null)], done: false });
    await set("5", { status: "merged" });
    expect(await world.ok(["plan", "next"])).toMatchObject({ prompts: [], count: 0, done: true });
  },
);

verifies("ENV-47", "start-prompt assigns a prompt, and a second start resumes it", async () => {
  await begin(["1"]);
  const first = await world.ok(start("1"));
  expect(first).toEqual({
    id: "1",
    in_progress: true,
    specialist: "worker",
    worktree: "feature/x--implementation-1",
    current_iteration: 1,
    resumed: false,
  });
  expect(await world.fields("plan.md")).toMatchObject({ stage: "in_progress" });
  expect(await world.fields("prompts/1.md")).toMatchObject({ in_progress: true, current_iteration: 1 });
  await world.ok(record("1", 1, walkthrough(1)));
  const before = (await world.fields("prompts/1.md"))["walkthrough"];
  expect(await world.ok(start("1"))).toEqual({ ...first, resumed: true });
  expect((await world.fields("prompts/1.md"))["walkthrough"]).toEqual(before);
  await judge("1", "testing", "It blinks");
  expect(await world.ok(start("1"))).toEqual({
    ...first,
    resumed: true,
    current_iteration: 2,
    pending_refinement: { source: "testing", text: "It blinks" },
  });
});

verifies("ENV-48", "a released prompt is offered again and resumed by another agent", async () => {
  await begin(["1"]);
  await world.ok(start("1"));
  await world.ok(record("1", 1, walkthrough(1)));
  const before = await world.fields("prompts/1.md");
  expect(await world.ok(["plan", "next"])).toMatchObject({ prompts: [], in_progress: ["1"] });
  await world.ok(["plan", "release-prompt", "1"]);
  expect(await world.fields("prompts/1.md")).toEqual({ ...before, in_progress: false });
  expect(await world.ok(["plan", "next"])).toMatchObject({ count: 1, in_progress: [] });
  expect(await world.ok(start("1", "other"))).toMatchObject({
    resumed: true,
    specialist: "other",
    worktree: before["worktree_branch_name"],
  });
  expect((await world.fields("prompts/1.md"))["walkthrough"]).toEqual(before["walkthrough"]);
});

inCi("start-prompt refuses assigned, blocked and decided prompts, and wrong branches", async () => {
  await begin(["1"], ["2", "--depends-on", "1"], ["3 A"], ["3 B"], ["4"]);
  await world.ok(start("1"));
  const taken = await world.refused(start("1", "other"));
  expect(taken).toMatchObject({ code: 2, type: "already_in_progress", detail: { specialist: "worker" } });
  expect(taken.message).toContain("worker");
  expect(await world.refused(start("2"))).toMatchObject({ code: 2, type: "dependencies_unmerged" });
  await set("3_A", { variant_solution: "discard" });
  await set("3_B", { variant_solution: "alternative" });
  expect(await world.refused(start("3 A"))).toMatchObject({ code: 2, type: "variant_decided" });
  expect(await world.refused(start("3 B"))).toMatchObject({ code: 2, type: "variant_decided" });
  await set("4", { status: "merged" });
  expect(await world.refused(start("4"))).toMatchObject({ code: 2, type: "already_merged" });
  await world.ok(["plan", "release-prompt", "1"]);
  for (const branch of ["feature/x--implementation-2", "feature/y--implementation-1", "feature/x"])
    expect(
      await world.refused(["plan", "start-prompt", "1", "--specialist", "a", "--worktree", branch]),
    ).toMatchObject({
      code: 2,
      type: "invalid_worktree_branch",
      detail: { expected: "feature/x--implementation-1" },
    });
});

verifiesInCi("ENV-49", "complete-prompt completes a merged prompt, and can be repeated", async () => {
  await begin(["1 A"], ["1 B"], ["2", "--depends-on", "1"]);
  expect(await world.refused(["plan", "complete-prompt", "1", "A"])).toMatchObject({
    code: 2,
    type: "precondition_failed",
    detail: {
      missing: ["not_started", "no_implementation", "not_reviewed", "variant_unresolved", "not_merged"],
    },
  });
  for (const id of ["1 A", "1 B"]) {
    await world.ok(start(id));
    await world.ok(record(id, 1, walkthrough(1)));
    await judge(id.replace(" ", "_"), "review", null);
  }
  const { path } = await world.ok(["git", "worktree", "1", "B"]);
  const hash = await world.repository.git("rev-parse", "feature/x");
  await set("1_A", { variant_solution: "main", merge_commit_hash: hash });
  await set("1_B", { variant_solution: "alternative", in_progress: false });
  expect(await world.refused(["plan", "complete-prompt", "1", "B"])).toMatchObject({
    detail: { missing: ["not_main_variant", "not_merged"] },
  });
  const done = {
    id: "1_A",
    status: "merged",
    merge_commit_hash: hash,
    verification: null,
    note: expect.stringContaining("UNVERIFIED") as string,
    unmerged_alternatives: [{ branch: "feature/x--implementation-1-B", path }],
    plan_done: false,
  };
  expect(await world.ok(["plan", "complete-prompt", "1", "A"])).toEqual(done);
  expect(await world.fields("prompts/1_A.md")).toMatchObject({ status: "merged", in_progress: false });
  expect(await world.ok(["plan", "complete-prompt", "1", "A"])).toEqual(done);
  expect(await world.ok(["plan", "next"])).toMatchObject({ prompts: [{ prompt_num: 2 }], blocked: [] });
  await world.ok(start("2"));
  await world.ok(record("2", 1, walkthrough(1)));
  await judge("2", "review", null);
  await set("2", { merge_commit_hash: hash });
  expect(await world.fields("plan.md")).toMatchObject({ stage: "in_progress" });
  expect(await world.ok(["plan", "complete-prompt", "2"])).toMatchObject({ plan_done: true });
  expect(await world.fields("plan.md")).toMatchObject({ stage: "completed" });
  // New prompts reopen the plan.
  await world.ok(["plan", "write-prompt", "3", ...promptText]);
  await world.ok(start("3"));
  expect(await world.fields("plan.md")).toMatchObject({ stage: "in_progress" });
});

verifies("ENV-25", "the design manifest: missing, invalid, complete, and with a missing image", async () => {
  await begin();
  expect(await world.ok(["plan", "read-design-manifest"])).toEqual({ exists: false, designs: [] });
  await world.write("design/manifest.yaml", 'designs:\n  - screenshot_file_name: "a.png\n');
  const broken = await world.refused(["plan", "read-design-manifest"]);
  expect(broken).toMatchObject({ code: 2, type: "invalid_yaml" });
  expect(broken.message).toMatch(/manifest\.yaml:\d+:/u);
  const entry = (name: string) => `  - screenshot_file_name: ${name}\n    description: Shows ${name}\n`;
  await world.write("design/manifest.yaml", `designs:\n${entry("a.png")}${entry("b.png")}`);
  await world.write("design/a.png", "");
  expect(await world.ok(["plan", "read-design-manifest"])).toEqual({
    exists: true,
    designs: [
      { file: "a.png", path: join(world.dir, "design/a.png"), description: "Shows a.png" },
      { file: "b.png", path: join(world.dir, "design/b.png"), description: "Shows b.png", missing: true },
    ],
  });
  await world.write("design/manifest.yaml", "designs: []\n");
  expect(await world.ok(["plan", "read-design-manifest"])).toEqual({ exists: true, designs: [] });
});

test("an error in an edited prompt is reported with file and line", async () => {
  await begin(["1"]);
  const file = join(world.dir, "prompts/1.md");
  const text = await world.read("prompts/1.md");
  await writeFile(file, text.replace("status: unimplemented", "status: finished"));
  const refused = await world.refused(["plan", "next"]);
  expect(refused).toMatchObject({ code: 2, type: "invalid_schema" });
  const line = text.split("\n").findIndex((one) => one.startsWith("status:")) + 1;
  expect(refused.message).toContain(`${file}:${line}:`);
  await writeFile(file, text.replace("kind: feature", "kind: [feature"));
  expect(await world.refused(["plan", "next"])).toMatchObject({ type: "invalid_yaml" });
  await writeFile(file, "no head\n");
  expect(await world.refused(["plan", "next"])).toMatchObject({ type: "invalid_yaml" });
  await writeFile(file, text.replace("number: 1", "number: 2"));
  expect(await world.refused(["plan", "next"])).toMatchObject({ type: "invalid_schema" });
});
