/** Findings of specialists: approaches, notes and refused input. */
import { join } from "node:path";
import { readFile, writeFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { verifies } from "../verifies.ts";
import { createPlanWorld, hashOf, promptText, type PlanWorld } from "./plan-world.ts";

let world: PlanWorld;
beforeAll(async () => {
  world = await createPlanWorld();
  await world.ok(["plan", "init"]);
});

const text = (description = "Cache it", files = "src/a.ts,src/deep") => [
  "--description",
  description,
  "--context",
  "All of\nit",
  "--files",
  files,
];
const approach = (name: string, id: string, more = text()) => {
  const [number = "", letter] = id.split("_");
  return [
    "plan",
    "write-approach",
    name,
    number,
    ...(letter === undefined ? [] : ["--variant", letter]),
    ...more,
  ];
};

verifies("ENV-51", "write-approach writes one approach and leaves the others unchanged", async () => {
  const write = (id: string, more?: string[]) => world.ok(approach("frontend", id, more));
  expect(await write("1_A", [...text(), "--questions", "Why?|How fast?"])).toEqual({
    specialist: "frontend",
    approach_id: "1_A",
    approach_number: 1,
    variant: "A",
    updated: false,
    created: true,
  });
  expect(await write("1_B")).toMatchObject({ approach_id: "1_B", created: true });
  expect(await write("2")).toMatchObject({ approach_id: "2", variant: null, created: true });
  // As the findings gate writes it.
  const file = "findings/frontend.yaml";
  await world.write(
    file,
    (await world.read(file)).replace("pending_refinement: null", "pending_refinement: Less"),
  );
  const before = (await world.fields(file))["approaches"] as readonly unknown[];
  expect(before[0]).toMatchObject({ pending_refinement: "Less" });
  expect(await write("1_A", text("Store it", "./src//b/"))).toMatchObject({ updated: true, created: false });
  const stored = {
    description: "Cache it",
    relevant_files: ["src/a.ts", "src/deep"],
    approach_detail: "All of\nit",
    required_clarifying_questions: [] as unknown[],
    pending_refinement: null,
  };
  expect(before[0]).toMatchObject({
    ...stored,
    pending_refinement: "Less",
    required_clarifying_questions: [{ question: "Why?" }, { question: "How fast?" }],
  });
  const after = (await world.fields(file))["approaches"] as readonly unknown[];
  expect(after).toHaveLength(3);
  expect(after[0]).toMatchObject({ ...stored, description: "Store it", relevant_files: ["src/b"] });
  expect(after.slice(1)).toEqual(before.slice(1));
  expect(after[1]).toMatchObject({ ...stored, number: 1, variant: "B" });
  expect(after[2]).toMatchObject({ ...stored, number: 2, variant: null });
});

verifies("ENV-26", "notes and approaches of a specialist do not overwrite each other", async () => {
  await world.ok(approach("backend_1", "1"));
  expect(await world.ok(["plan", "write-notes", "backend_1", "--notes", "Mind the cache"])).toEqual({
    specialist: "backend_1",
    updated: true,
  });
  await world.ok(approach("backend_1", "2"));
  const file = await world.fields("findings/backend_1.yaml");
  expect(file).toMatchObject({ specialist_name: "backend_1", notes: "Mind the cache" });
  expect(file["approaches"]).toMatchObject([{ number: 1 }, { number: 2 }]);
  // Notes first, then overwritten.
  await world.ok(["plan", "write-notes", "backend_2", "--notes", "Mind"]);
  await world.ok(["plan", "write-notes", "backend_2", "--notes", "Mind more"]);
  expect(await world.fields("findings/backend_2.yaml")).toEqual({
    specialist_name: "backend_2",
    notes: "Mind more",
    approaches: [],
  });
});

verifies("ENV-42", "a number is standalone or has variants, whose letters have no gap", async () => {
  for (const id of ["1", "2_A", "2_B"]) await world.ok(approach("design", id));
  const before = hashOf(world.dir);
  const refused = (id: string) => world.refused(approach("design", id));
  expect(await refused("1_A")).toMatchObject({ code: 2, type: "standalone_exists" });
  expect(await refused("2")).toMatchObject({ code: 2, type: "variants_exist" });
  for (const [id, expected] of [
    ["2_D", "C"],
    ["3_B", "A"],
  ] as const) {
    const gap = await refused(id);
    expect(gap).toMatchObject({ code: 2, type: "variant_out_of_order", detail: { expected } });
    expect(gap.message).toMatch(new RegExp(` ${expected}$`, "u"));
  }
  expect(hashOf(world.dir)).toBe(before);
  await world.ok(approach("design", "2_C"));
});

verifies("ENV-43", "files must be relative to the project, and agent names must be valid", async () => {
  await world.ok(["plan", "write-prompt", "1", ...promptText]);
  const worktreeFile = join(world.env["METTLE_HOME"] ?? "", "worktree", "src", "a.ts");
  const bad = ["/etc/x", "../x", "src/../../x", "..", worktreeFile];
  const before = hashOf(world.dir);
  for (const path of bad)
    for (const line of [
      approach("frontend", "5", text("x", `src/a.ts,${path}`)),
      ["plan", "write-prompt", "1", "--files", path],
      ["plan", "write-prompt", "2", ...promptText.slice(0, 6), "--files", path],
    ]) {
      const refused = await world.refused(line);
      expect([line, refused]).toMatchObject([line, { code: 2, type: "path_not_relative" }]);
      expect(refused.message).toContain(path);
    }
  for (const name of ["../a", "a/b", "", "a b", "a\n", ".", `${"a".repeat(101)}`])
    for (const line of [
      approach(name, "1"),
      ["plan", "write-notes", name, "--notes", "x"],
      ["plan", "get-finding-approach", name, "1"],
      ["plan", "start-prompt", "1", "--specialist", name, "--worktree", "feature/x--implementation-1"],
    ])
      expect([line, await world.refused(line)]).toMatchObject([line, { code: 2, type: "invalid_name" }]);
  expect(hashOf(world.dir)).toBe(before);
  await world.ok(["plan", "write-prompt", "1", "--files", "./a//b,new/folder/,./c/../d.ts"]);
  expect(await world.fields("prompts/1.md")).toMatchObject({ relevant_files: ["a/b", "new/folder", "d.ts"] });
  await world.ok(approach("frontend_2", "1", text("x", "./a//b")));
  expect(await world.fields("findings/frontend_2.yaml")).toMatchObject({
    approaches: [{ relevant_files: ["a/b"] }],
  });
});

verifies(
  "ENV-52",
  "get-finding-approach returns one approach with required changes and answered questions",
  async () => {
    for (const id of ["1_A", "1_B", "2"])
      await world.ok(approach("mobile", id, [...text(), "--questions", "Why?|How?"]));
    const get = (...words: string[]) => world.ok(["plan", "get-finding-approach", "mobile", ...words]);
    const plain = {
      specialist: "mobile",
      approach_id: "1_A",
      number: 1,
      variant: "A",
      description: "Cache it",
      relevant_files: ["src/a.ts", "src/deep"],
      approach_detail: "All of\nit",
      user_addressed_questions: [],
    };
    expect(await get("1", "A")).toEqual(plain);
    expect(await get("1_A")).toEqual(plain);
    expect(await get("2")).toMatchObject({ approach_id: "2", variant: null });
    // As the findings gate writes it.
    const file = "findings/mobile.yaml";
    const edited = (await world.read(file))
      .replace("pending_refinement: null", "pending_refinement: Use less memory")
      .replace("user_addressed_questions: []", "user_addressed_questions: [{ question: Why?, answer: So }]");
    await world.write(file, edited);
    const answered = { ...plain, user_addressed_questions: [{ question: "Why?", answer: "So" }] };
    expect(await get("1", "A")).toEqual({ ...answered, pending_refinement: "Use less memory" });
    await world.ok(approach("mobile", "1_A"));
    expect(await get("1", "A")).toEqual(answered);
    expect(await world.refused(["plan", "get-finding-approach", "mobile", "1"])).toMatchObject({
      code: 2,
      type: "invalid_variant",
      detail: { variants: ["A", "B"] },
    });
    for (const words of [
      ["mobile", "9"],
      ["mobile", "2", "A"],
      ["nobody", "1"],
    ])
      expect(await world.refused(["plan", "get-finding-approach", ...words])).toMatchObject({
        type: "not_found",
      });
    const approach_references = [{ specialist_name: "mobile", approach_num: 1, variant: "A" }];
    const inputs = JSON.stringify({ agent_name: "mobile", segment_context: "x", approach_references });
    const { formatted_output } = await world.ok(["protocol", "discovery", "--json", "--inputs", inputs]);
    expect(formatted_output).toContain(`given: approach_references = ${JSON.stringify(approach_references)}`);
  },
);

test("an error in edited findings names its line, and a file of another specialist is refused", async () => {
  await world.ok(approach("broken", "1"));
  const file = join(world.dir, "findings/broken.yaml");
  const whole = await readFile(file, "utf8");
  await writeFile(file, whole.replace("number: 1", "number: one"));
  expect((await world.refused(approach("broken", "2"))).message).toMatch(/broken\.yaml:\d+:\d+: /u);
  await writeFile(file, whole.replace("specialist_name: broken", "specialist_name: Broken"));
  expect(await world.refused(approach("broken", "2"))).toMatchObject({ type: "invalid_name" });
  expect(parse(await readFile(file, "utf8"))).toMatchObject({ specialist_name: "Broken" });
});
