/** `envoy gemini review`: another agent reviews the work on a prompt. */
import { appendFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { stringify } from "yaml";
import { openRepository } from "../../src/git/repository.ts";
import { memoryPayloads } from "../../src/testing/memory-payloads.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";
import { askReviewer, type ReviewerReply } from "../../src/plans/review/ask-reviewer.ts";
import { splitDiff } from "../../src/plans/review/split-diff.ts";
import { joinVerdicts, readVerdict } from "../../src/plans/review/verdict.ts";
import { inCi, verifies, verifiesInCi } from "../verifies.ts";
import { createGateWorld, type GateWorld } from "./gate-world.ts";
import { record, walkthrough, type Json } from "./plan-world.ts";

let world: GateWorld;
let worktree = "";
beforeAll(async () => void (world = await createGateWorld()));
beforeEach(async () => {
  await world.reset();
  worktree = await world.prompt("1");
});

const review = ["gemini", "review", "1"];
type Turn = Readonly<Record<string, unknown>>;

/** A turn of the scripted agent with this reply. */
const says = (reply: unknown, more: Turn = {}): Turn => ({
  ...more,
  does: [{ say: typeof reply === "string" ? reply : JSON.stringify(reply) }],
});
const passes = { verdict: "passed" };
const fails = { verdict: "failed", thoughts: "Close", suggested_changes: "Do less" };

/** Sets the replies of the reviewer, in order. */
async function reviewer(...turns: readonly Turn[]): Promise<void> {
  await world.repository.write({
    "mettle.yaml": "version: 1\nagents: { roles: { reviewer: 'scripted:review.yaml' } }\n",
    "review.yaml": stringify({ version: 1, kind: "cassette", roles: { reviewer: turns } }),
  });
}

verifies("ENV-66", "a reviewer passes the work or requires changes, and gets all the context", async () => {
  await reviewer();
  expect(await world.refused(review)).toMatchObject({ code: 2, type: "invalid_status" });
  await world.write("user_input.md", "It must be blue.\n");
  await world.implement("1", worktree, "blue\n");
  const expects = ["Does a thing", "It is done", "It must be blue.", "+blue\n", "Did it"];
  await reviewer(
    says(passes, { expects }),
    says(fails),
    says({ ...fails, verdict: "passed" }),
    says({ verdict: "passed", suggested_changes: null, thoughts: "Good", questions: [] }),
  );
  expect(await world.ok(review)).toEqual({ verdict: "passed" });
  const fields = await world.fields("prompts/1.md");
  await world.repository.git("-C", worktree, "add", "-A");
  const tree = await world.repository.git("-C", worktree, "write-tree");
  expect(fields).toMatchObject({ status: "reviewed", reviews: [{ source: "review", passed: true, tree }] });
  const failed = { verdict: "failed", thoughts: "Close", suggested_changes: "Do less" };
  expect(await world.ok(review)).toEqual(failed);
  expect((await world.ok(["plan", "read-prompt", "1"]))["pending_refinement"]).toEqual({
    source: "review",
    text: "Do less",
  });
  expect((await world.fields("prompts/1.md"))["status"]).toBe("implemented");
  // A verdict "passed" with suggested changes counts as failed.
  expect(await world.ok(review)).toEqual(failed);
  await world.ok(record("1", 2, walkthrough(2, "review-refinement")));
  expect(await world.ok(review)).toEqual({ verdict: "passed", thoughts: "Good" });
  expect(await world.fields("prompts/1.md")).toMatchObject({
    status: "reviewed",
    pending_refinement: null,
  });
});

verifies("ENV-67", "the whole diff is reviewed, however long it is, and nothing else", async () => {
  const other = await world.prompt("2");
  await world.implement("2", other, "other work\n");
  await world.ok(["git", "commit", "2", "--message", "Other"]);
  await world.review("2");
  await world.ok(["git", "merge-worktree", "2"]);
  await writeFile(join(worktree, "a.txt"), "first\n".repeat(20_000));
  await world.ok(["git", "commit", "1", "--message", "Committed"]);
  await writeFile(join(worktree, "m.txt"), `${"long ".repeat(30_000)}\n`);
  await writeFile(join(worktree, "z.txt"), "the uncommitted fault\n");
  await world.ok(record("1", 1, walkthrough(1)));
  // Changes of another prompt and of the feature branch are not included.
  const others = ["other work", "b/src/deep/a.ts"];
  const [first, last] = [
    says(passes, { expects: ["part 1 of 2", "+first"], forbids: [...others, "the uncommitted fault"] }),
    says(passes, { expects: ["part 2 of 2", "+the uncommitted fault"], forbids: others }),
  ];
  await reviewer(first, says(fails, { expects: ["+the uncommitted fault"] }), first, last);
  expect(await world.ok(review)).toMatchObject({ verdict: "failed", suggested_changes: "Do less" });
  expect(await world.ok(review)).toEqual({ verdict: "passed" });
  // The parts together are the whole diff at every limit.
  const diff = Array.from(
    { length: 50 },
    (_, at) => `diff --git a/${at} b/${at}\n+${"x".repeat(at * 7)}\n+é\n`,
  ).join("");
  for (const most of [1, 10, 97, 1000, 1e6]) {
    const parts = splitDiff(diff, most);
    expect(parts.join("")).toBe(diff);
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(most);
  }
  expect(splitDiff("")).toEqual([]);
  expect(joinVerdicts([])).toMatchObject({ type: "inconclusive" });
});

verifies(
  "ENV-68",
  "a person answers the questions of a reviewer, and then the reviewer judges once more",
  async () => {
    await world.implement("1", worktree);
    const asks = { verdict: "failed", questions: ["Which colour?"], suggested_changes: "" };
    const expects = ["Question: Which colour?\nAnswer: Blue"];
    await reviewer(says(asks), says({ verdict: "passed", questions: ["More?"] }, { expects }));
    expect(await world.refused([...review, "--wait", "0"])).toMatchObject({
      code: 3,
      type: "waiting_for_person",
    });
    expect(await world.saved("1_review_questions.yaml")).toContain(
      'questions:\n  - question: Which colour?\n    answer: ""\n',
    );
    expect((await world.fields("prompts/1.md"))["reviews"]).toEqual([]);
    // An incomplete answer is refused.
    await world.answer("1_review_questions", {});
    expect(await world.refused([...review, "--wait", "0.6"])).toMatchObject({ code: 3 });
    await world.answer("1_review_questions", { "questions.answer": "Blue" });
    // The first request is not sent again.
    expect(await world.ok(review)).toEqual({
      verdict: "passed",
      answered_questions: [{ question: "Which colour?", answer: "Blue" }],
    });
    expect(await world.userInput()).toContain("Question: Which colour?\nAnswer: Blue\n");
  },
);

verifies(
  "ENV-64",
  "unverified claims and unmentioned changes are shown to the agent, the reviewer and the person",
  async () => {
    await world.reset();
    worktree = await world.prompt("1", "--requires-testing");
    const inTree = (file: string) => join(worktree, file);
    await writeFile(inTree("committed.ts"), "1\n");
    await rm(inTree("README.md"));
    await world.ok(["git", "commit", "1", "--message", "Work"]);
    await writeFile(inTree("src/deep/a.ts"), "2\n");
    await writeFile(inTree("new.ts"), "1\n");
    const told = (...files: readonly string[]) =>
      walkthrough(1).replace("- `src/a.ts`: new", files.map((file) => `- \`${file}\`: told`).join("\n"));
    expect(await world.ok(record("1", 1, told("src/a.ts", "src/deep/", "README.md")))).toMatchObject({
      unverified_changes: ["src/a.ts"],
      unmentioned_changes: ["committed.ts", "new.ts"],
    });
    const expects = [
      "\n## Reported as changed, but unchanged\n\nsrc/a.ts\n",
      "\n## Changed, but not reported\n\ncommitted.ts\nnew.ts\n",
    ];
    await reviewer(says(fails, { expects }));
    expect(await world.ok(review)).toMatchObject({ verdict: "failed" });
    const gate = ["plan", "block-prompt-testing-gate", "1"];
    await world.open(gate);
    const shown = await world.saved("1_testing.yaml");
    expect(shown).toContain("# Reported as changed, but unchanged: src/a.ts\n");
    expect(shown).toContain("# Changed, but not reported: committed.ts, new.ts\n");
    // Claims of earlier iterations count, and changes after the walkthrough are reported.
    const second = walkthrough(2, "review-refinement").replace("`src/a.ts`: new", "`new.ts`: told");
    expect(await world.ok(record("1", 2, second))).toMatchObject({
      unverified_changes: [],
      unmentioned_changes: ["committed.ts"],
    });
    await rm(inTree("new.ts"));
    await writeFile(inTree("later.ts"), "1\n");
    await world.open(gate);
    expect(await world.saved("1_testing.yaml")).toContain(
      "# Reported as changed, but unchanged: new.ts\n#\n# Changed, but not reported: committed.ts, later.ts\n",
    );
  },
);

test("a worktree without changes is not reviewed", async () => {
  await world.implement("1", worktree);
  await rm(join(worktree, "src"), { recursive: true });
  await world.repository.git("-C", worktree, "checkout", "--quiet", "--", ".");
  await reviewer(says(passes));
  expect(await world.refused(review)).toMatchObject({ code: 2, type: "nothing_to_review" });
});

verifiesInCi(
  "ENV-69",
  "a reviewer without a verdict passes nothing, and a person may accept exactly this tree",
  async () => {
    await world.implement("1", worktree);
    const before = await world.fields("prompts/1.md");
    const inconclusive = { code: 5, type: "review_inconclusive" };
    const again = says("x", { repeat: true });
    for (const turn of [
      again,
      says("It looks good to me: passed.", { repeat: true }),
      says('{"verdict": "passed"} or {"verdict": "failed"}', { repeat: true }),
      says({ verdict: "failed" }, { repeat: true }),
      says({ verdict: "ok" }, { repeat: true }),
      { does: [], repeat: true },
      { does: [{ crash: 1 }], repeat: true },
      { does: [{ fails: { outcome: "auth", why: "no" } }], repeat: true },
      { does: [{ fails: { outcome: "api_error", why: "500" } }], repeat: true },
    ]) {
      await reviewer(turn);
      expect(await world.refused(review)).toMatchObject({
        ...inconclusive,
        suggestion: expect.stringContaining("mettle approve 1 --gate review") as string,
      });
    }
    await appendFile(join(world.repository.dir, "mettle.yaml"), "deadlines: { wall: 1s, idle: 1s }\n");
    await world.repository.write({
      "review.yaml": stringify({
        version: 1,
        kind: "cassette",
        roles: { reviewer: [{ does: [{ hang: true }], repeat: true }] },
      }),
    });
    expect(await world.refused(review)).toMatchObject(inconclusive);
    await world.repository.write({
      "mettle.yaml":
        "version: 1\nagents: { roles: { reviewer: nobody }, commands: { nobody: { run: [./no-such-program] } } }\n",
    });
    expect(await world.refused(review)).toMatchObject(inconclusive);
    expect(await world.fields("prompts/1.md")).toEqual(before);
    await world.ok(["git", "commit", "1", "--message", "Work"]);
    expect(await world.refused(["git", "merge-worktree", "1"])).toMatchObject({
      detail: { missing: ["not_reviewed"] },
    });
    const approve = (...words: readonly string[]) =>
      world.mettle("approve", "1", "--gate", "review", ...words);
    expect((await approve()).json["error"]).toMatchObject({ code: "reason_required" });
    expect(await approve("--reason", "I read it")).toMatchObject({ code: 0 });
    const { reviews } = (await world.fields("prompts/1.md")) as { reviews: Json[] };
    expect(reviews).toMatchObject([
      { passed: true, text: "Accepted by a person: I read it", by: expect.any(String) as string },
    ]);
    await writeFile(join(worktree, "src", "a.ts"), "edited\n");
    await world.ok(["git", "commit", "1", "--message", "More"]);
    expect(await world.refused(["git", "merge-worktree", "1"])).toMatchObject({ type: "approval_lapsed" });
    await writeFile(join(worktree, "src", "a.ts"), "1\n");
    await world.ok(["git", "commit", "1", "--message", "Back"]);
    await world.ok(["git", "merge-worktree", "1"]);
  },
);

inCi("only network errors are retried, after one, two and four seconds", async () => {
  const repository = await openRepository(world.repository.dir, { path: world.env["PATH"] ?? "" });
  const plan = { repository, branch: "feature/x", dir: world.dir };
  const ask = async (reply: ReviewerReply) => {
    const clock = manualClock();
    const times: number[] = [];
    const started = clock.now();
    const reviewing = askReviewer(
      {
        plan,
        id: { number: 1, variant: null },
        clock,
        payloads: memoryPayloads(),
        reviewer: { name: "r", ask: async () => (times.push((clock.now() - started) / 1000), reply) },
      },
      "?",
    );
    let done = false;
    void reviewing.finally(() => (done = true));
    while (!done) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (clock.sleeping() > 0) await clock.advance(1000);
    }
    return { times, verdict: await reviewing };
  };
  const gone = (transient: boolean): ReviewerReply => ({ type: "unreachable", why: "503", transient });
  expect(await ask(gone(true))).toEqual({
    times: [0, 1, 3, 7],
    verdict: { type: "inconclusive", why: "r: 503" },
  });
  expect(await ask(gone(false))).toEqual({ times: [0], verdict: { type: "inconclusive", why: "r: 503" } });
  expect(await ask({ type: "replied", text: '{"verdict":"passed"}' })).toMatchObject({
    times: [0],
    verdict: { verdict: "passed" },
  });
});

test("a verdict is parsed strictly or not at all", () => {
  const type = (text: string) => {
    const read = readVerdict(text);
    return read.type === "verdict" ? read.verdict : read.type;
  };
  expect(type('{"verdict":"passed"}')).toBe("passed");
  expect(type('```json\n{"verdict":"passed"}\n```')).toBe("passed");
  expect(type('{"verdict":"passed","suggested_changes":["a","b"]}')).toBe("failed");
  expect(readVerdict('{"verdict":"failed","suggested_changes":["a","b"]}')).toMatchObject({
    suggested_changes: "- a\n- b",
  });
  for (const text of [
    "",
    "passed",
    '{"verdict":"failed","verdict":"passed"}',
    '{"verdict":"passed","extra":1}',
    '{"verdict":"PASSED"}',
    '{"verdict":true}',
    '[{"verdict":"passed"}]',
    'Sure!\n{"verdict":"passed"}',
    '```\n{"verdict":"passed"}\n```\n```\n{"verdict":"failed"}\n```',
    '{"verdict":"failed","suggested_changes":"  "}',
  ])
    expect([text, type(text)]).toEqual([text, "inconclusive"]);
});

verifies(
  "ENV-84",
  "repeatedly failing reviews wait for a person, and failed tests of a person are not counted",
  async () => {
    await world.reset();
    worktree = await world.prompt("1", "--requires-testing");
    await world.implement("1", worktree, "another\n");
    await reviewer(says(fails, { repeat: true }));
    for (let tries = 0; tries < 5; tries++)
      expect(await world.ok(review)).toMatchObject({ verdict: "failed" });
    // No agent is started: this one would reply differently.
    await reviewer(says(passes, { repeat: true }));
    const tripped = { code: 4, type: "not_converging", detail: { suggested_changes: "Do less" } };
    expect(await world.refused(review)).toMatchObject(tripped);
    expect(await world.refused(review)).toMatchObject(tripped);
    expect((await world.mettle("status")).json["gates"]).toMatchObject([{ gate: "1_review_limit" }]);
    expect(await world.mettle("answer", "1_review_limit", "--set", "thoughts=Try the queue")).toMatchObject({
      code: 0,
    });
    expect(await world.userInput()).toContain("Try the queue");
    await world.ok(record("1", 2, walkthrough(2, "review-refinement")));
    expect(await world.ok(review)).toEqual({ verdict: "passed" });
    // Failed tests by a person do not count.
    await world.open(["plan", "block-prompt-testing-gate", "1"]);
    await world.answer("1_testing", { test_passed: "false", user_required_changes: "More" });
    await world.ok(["plan", "block-prompt-testing-gate", "1"]);
    await world.repository.write({
      "mettle.yaml":
        "version: 1\nlimits: { envoy_reviews: 1 }\nagents: { roles: { reviewer: 'scripted:review.yaml' } }\n",
    });
    await world.ok(record("1", 3, walkthrough(3, "testing-refinement")));
    expect(await world.ok(review)).toEqual({ verdict: "passed" });
    await world.repository.write({
      "review.yaml": stringify({
        version: 1,
        kind: "cassette",
        roles: { reviewer: [says(fails, { repeat: true })] },
      }),
    });
    expect(await world.ok(review)).toMatchObject({ verdict: "failed" });
    expect(await world.refused(review)).toMatchObject({ code: 4 });
  },
);
