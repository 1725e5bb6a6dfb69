/** Recording work: the walkthrough, its iteration, and the comparison with the worktree. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, beforeEach, expect } from "vitest";
import { judgePrompt } from "../../src/plans/judge.ts";
import { readWalkthrough, type Walkthrough } from "../../src/plans/prompt/walkthrough.ts";
import { inCi, verifies } from "../verifies.ts";
import {
  createPlanWorld,
  promptText,
  record,
  start,
  walkthrough,
  type Json,
  type PlanWorld,
} from "./plan-world.ts";

let world: PlanWorld;
beforeAll(async () => void (world = await createPlanWorld()));
beforeEach(async () => {
  await world.repository.write({ ".claude/plans": null });
  await world.ok(["plan", "init"]);
  await world.ok(["plan", "write-prompt", "1", ...promptText]);
  await world.ok(start("1"));
});

const judge = (source: "review" | "testing", text: string | null) =>
  judgePrompt(
    { dir: world.dir },
    { number: 1, variant: null },
    {
      source,
      passed: text === null,
      text: text ?? "",
      tree: null,
    },
  );
const entries = async () => (await world.fields("prompts/1.md"))["walkthrough"] as readonly Json[];

verifies(
  "ENV-30",
  "a walkthrough is parsed into fields, and its type must match the required changes",
  async () => {
    const full = `Hello
### Iteration 2

**Type**: testing-refinement
**Refinement Context**: it blinks
in the dark

#### Approach

Like this: \`x\`

\`\`\`md
#### Changes Made
\`\`\`

#### Changes Made

- \`src/a b.ts\`: new
  and more
- \`c\`: gone: all of it

#### Key Decisions

- use \`a: b\` here: it is small
- no retry: one try
`;
    const read = readWalkthrough(full);
    expect(read).toEqual({
      iteration: 2,
      type: "testing-refinement",
      refinement_context: "it blinks\nin the dark",
      approach: "Like this: `x`\n\n```md\n#### Changes Made\n```",
      changes: [
        { file: "src/a b.ts", description: "new\nand more" },
        { file: "c", description: "gone: all of it" },
      ],
      decisions: [
        { decision: "use `a: b` here", rationale: "it is small" },
        { decision: "no retry", rationale: "one try" },
      ],
    });
    expect(readWalkthrough(walkthroughText(read))).toEqual(read);
    expect(readWalkthrough(full.replaceAll("\n", "\r\n"))).toEqual(read);
    for (const heading of [
      "### Iteration",
      "**Type**:",
      "**Refinement Context**:",
      "#### Approach",
      "#### Changes Made",
      "#### Key Decisions",
    ]) {
      // The heading in the code block stays.
      const at = heading === "#### Changes Made" ? full.lastIndexOf(heading) : full.indexOf(heading);
      const end = full.indexOf("\n", at);
      expect(() => readWalkthrough(full.slice(0, at) + full.slice(end + 1))).toThrow(heading);
    }
    const refused = (text: string, iteration = 1) => world.refused(record("1", iteration, text));
    expect(await refused(walkthrough(1).replace("#### Key Decisions", ""))).toMatchObject({
      code: 2,
      type: "invalid_walkthrough",
      message: expect.stringContaining("#### Key Decisions") as string,
    });
    const type = async (text: string, iteration: number, expected: string) =>
      expect(await refused(text, iteration)).toMatchObject({
        code: 2,
        type: "invalid_walkthrough_type",
        suggestion: expect.stringContaining(expected) as string,
      });
    await type(walkthrough(1, "review-refinement"), 1, "initial");
    await world.ok(record("1", 1, walkthrough(1)));
    await judge("testing", "It blinks");
    await type(walkthrough(2, "review-refinement"), 2, "testing-refinement");
    await type(walkthrough(2, "initial"), 2, "testing-refinement");
    await world.ok(record("1", 2, walkthrough(2, "testing-refinement")));
    await judge("review", "More");
    await type(walkthrough(3, "testing-refinement"), 3, "review-refinement");
    await world.ok(record("1", 3, walkthrough(3, "review-refinement")));
    // No changes were required: both types are accepted.
    await judge("review", null);
    await type(walkthrough(4, "initial"), 4, "review-refinement or testing-refinement");
    await world.ok(record("1", 4, walkthrough(4, "testing-refinement")));
  },
);

inCi("a written walkthrough is read back, and malformed lines are reported", () => {
  const line = fc
    .stringMatching(/^[a-z]([a-zäΩ` .:-]{0,20}[a-z])?$/u)
    .filter((one) => !one.includes(": ") && one.split("`").length % 2 === 1);
  const lines = fc.array(line, { minLength: 1, maxLength: 3 }).map((all) => all.join("\n"));
  const entry = fc.record({
    iteration: fc.integer({ min: 2, max: 99 }),
    type: fc.constantFrom("review-refinement" as const, "testing-refinement" as const),
    refinement_context: lines,
    approach: lines,
    changes: fc.array(fc.record({ file: fc.stringMatching(/^[a-z][a-z/. ]{0,9}$/u), description: lines })),
    decisions: fc.array(fc.record({ decision: line, rationale: lines })),
  });
  fc.assert(
    fc.property(entry, (one) => {
      expect(readWalkthrough(walkthroughText(one))).toEqual(one);
    }),
    {
      numRuns: 200,
    },
  );
  const wrong = (from: string, to: string) => () => readWalkthrough(walkthrough(1).replace(from, to));
  for (const [from, to, message] of [
    ["- `src/a.ts`: new", "- src/a.ts: new", "Changes Made"],
    ["- `src/a.ts`: new", "src/a.ts is new", "outside of its list"],
    ["- one file: it is small", "- one file", "Key Decisions"],
    ["Did it", " ", "Approach"],
    ["#### Key", "#### Approach\n#### Key", "twice"],
    ["initial", "first", "first"],
  ] as const)
    expect(wrong(from, to)).toThrow(message);
  expect(readWalkthrough(walkthrough(1).replace("- `src/a.ts`: new", ""))).toMatchObject({ changes: [] });
});

verifies("ENV-62", "record-implementation appends an entry field by field", async () => {
  expect(await world.ok(record("1", 1, walkthrough(1)))).toMatchObject({
    id: "1",
    status: "implemented",
    iteration: 1,
    walkthrough_count: 1,
  });
  expect(await world.fields("prompts/1.md")).toMatchObject({ status: "implemented" });
  await judge("review", "More");
  expect(await world.ok(record("1", 2, walkthrough(2, "review-refinement", "Did more")))).toMatchObject({
    id: "1",
    status: "implemented",
    iteration: 2,
    walkthrough_count: 2,
  });
  const fields = {
    iteration: 1,
    type: "initial",
    refinement_reason: null,
    approach: "Did it",
    changes: [{ file: "src/a.ts", description: "new" }],
    decisions: [{ decision: "one file", rationale: "it is small" }],
  };
  expect(await entries()).toMatchObject([
    fields,
    {
      ...fields,
      iteration: 2,
      type: "review-refinement",
      refinement_reason: "Review feedback: more",
      approach: "Did more",
    },
  ]);
  expect(await world.refused(record("1", 2, " \n"))).toMatchObject({ code: 2, type: "missing_walkthrough" });
  const noReason = ["plan", "record-implementation", "1", "--walkthrough", "x", "--iteration", "3"];
  for (const more of [[], ["--refinement-reason", " "]])
    expect(await world.refused([...noReason, ...more])).toMatchObject({
      code: 2,
      type: "missing_refinement_reason",
    });
});

verifies("ENV-63", "the plan dictates the iteration, and a judged one cannot be recorded again", async () => {
  const wrong = async (iteration: number, text: string, expected: number) => {
    const refused = await world.refused(record("1", iteration, text));
    expect(refused).toMatchObject({ code: 2, type: "invalid_iteration", detail: { expected } });
    expect(refused.message).toContain(` ${expected}`);
  };
  await wrong(2, walkthrough(2, "review-refinement"), 1);
  await world.ok(record("1", 1, walkthrough(1)));
  await wrong(2, walkthrough(2, "review-refinement"), 1);
  await world.ok(record("1", 1, walkthrough(1, "initial", "Did it otherwise")));
  expect(await entries()).toMatchObject([{ iteration: 1, approach: "Did it otherwise" }]);
  for (const [source, text, round] of [
    ["review", "More", 1],
    ["testing", null, 2],
  ] as const) {
    await judge(source, text);
    const before = await world.read("prompts/1.md");
    await wrong(round, walkthrough(round, round === 1 ? "initial" : "review-refinement", "New"), round + 1);
    const same = (await entries()).at(-1)?.["text"] as string;
    expect(await world.ok(record("1", round, same))).toMatchObject({
      iteration: round,
      walkthrough_count: round,
    });
    expect(await world.read("prompts/1.md")).toBe(before);
    await wrong(round + 2, walkthrough(round + 2, "review-refinement"), round + 1);
    await world.ok(record("1", round + 1, walkthrough(round + 1, "review-refinement")));
  }
  expect((await entries()).map(({ iteration }) => iteration)).toEqual([1, 2, 3]);
});

inCi(
  "record-implementation compares the claimed changes with the worktree, and the plan keeps both",
  async () => {
    const { path } = (await world.ok(["git", "worktree", "1"])) as { path: string };
    await world.repository.git("-C", path, "rm", "--quiet", "README.md");
    await world.repository.git("-C", path, "commit", "--quiet", "-m", "Change");
    await writeFile(join(path, "src/deep/a.ts"), "2\n");
    await writeFile(join(path, "new.ts"), "1\n");
    await world.repository.write({ "other.ts": "1\n" });
    const text = walkthrough(1).replace(
      "- `src/a.ts`: new",
      "- `src/deep/`: all\n- `src/a.ts`: new\n- `README.md`: gone",
    );
    const lists = { unverified_changes: ["src/a.ts"], unmentioned_changes: ["new.ts"] };
    expect(await world.ok(record("1", 1, text))).toMatchObject(lists);
    expect(await entries()).toMatchObject([lists]);
    // Without the worktree the commits count.
    await world.repository.git("worktree", "remove", "--force", path);
    expect(await world.ok(record("1", 1, text))).toMatchObject({
      unverified_changes: ["src/deep", "src/a.ts"],
      unmentioned_changes: [],
    });
  },
);

inCi("a prompt must be started before it is recorded, and recorded before it is judged", async () => {
  await world.ok(["plan", "write-prompt", "2", ...promptText]);
  expect(await world.refused(record("2", 1, walkthrough(1)))).toMatchObject({
    code: 2,
    type: "not_started",
  });
  await expect(judge("review", null)).rejects.toMatchObject({ code: "invalid_status" });
  const large = walkthrough(1, "initial", "x".repeat(600_000));
  await writeFile(join(world.repository.dir, "large.md"), large);
  const before = await world.read("prompts/1.md");
  expect(await world.refused(record("1", 1, "@large.md"))).toMatchObject({
    code: 2,
    type: "text_too_large",
  });
  expect(await world.read("prompts/1.md")).toBe(before);
});

/** Writes the fields as Markdown. */
function walkthroughText({ iteration, type, refinement_context, approach, changes, decisions }: Walkthrough) {
  const bullet = (head: string, rest: string) => `- ${head}: ${rest}`.replaceAll("\n", "\n  ");
  return [
    `### Iteration ${iteration}\n**Type**: ${type}\n**Refinement Context**: ${refinement_context ?? ""}`,
    `#### Approach\n\n${approach}`,
    `#### Changes Made\n\n${changes.map((one) => bullet(`\`${one.file}\``, one.description)).join("\n")}`,
    `#### Key Decisions\n\n${decisions.map((one) => bullet(one.decision, one.rationale)).join("\n")}\n`,
  ].join("\n\n");
}
