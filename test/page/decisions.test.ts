/**
 * A person decides in the page: a whole run from its questions to its end, with two browsers and a terminal.
 * @module-tag ci
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { recorded } from "../../src/run/list-runs.ts";
import { systemClock } from "../../src/lib/clock.ts";
import type { RunModel } from "../../src/views/model/run-model.ts";
import { verifies } from "../verifies.ts";
import { callIn } from "../cli/here.ts";
import { promptsOf } from "../orchestrate/watched.ts";
import { createWorld, eventsOf, golden, type CliResult, type World } from "../orchestrate/world.ts";
import { servePageOf, type Answer, type Browser } from "./page-server.ts";

const comment = {
  file: "architecture.md",
  line: 4,
  side: "after",
  text: "Why not in src/words.js?",
};

describe("one run, decided in the page", () => {
  let world: World;
  let run = "";
  let path = "";
  let one: Browser;
  let two: Browser;
  let wrongHash: Answer;
  let answeredOne: Answer;
  let answered: Answer;
  let stale: Answer;
  let resumed: Answer;
  let rejected: Answer;
  let rejectedLate: Answer;
  let approvals: readonly Answer[];
  let terminal: CliResult;
  let unknownAsk: Answer;
  let code: Answer;
  let afterEnd: Answer;

  beforeAll(async () => {
    world = await createWorld();
    const cassette = await golden();
    const { roles } = cassette;
    // The planner writes the plan twice, and both reviewers read it three times.
    for (const role of ["planner", "gemini", "claude"] as const) {
      const [first] = roles[role];
      if (first !== undefined) roles[role] = [first, ...(role === "planner" ? [] : [first]), ...roles[role]];
    }
    const agent = await world.agent(cassette);
    const started = await callIn(world, ["run", '@orchestrate "Add slugify"', "--json", "--agent", agent]);
    run = String(started.json()["run"]);
    const server = await servePageOf(world);
    [one, two] = [await server.browser(), await server.browser()];
    path = `repositories/${world.host.repository.id}/runs/${run}`;

    const asks = await shown();
    const answers = ["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => ({ id, text: `${id} as you like` }));
    wrongHash = await decide(one, { type: "answer", ...asks, hash: `sha256:${"0".repeat(64)}`, answers });
    answeredOne = await decide(one, { type: "answer", ...asks, answers: answers.slice(0, 1) });
    answered = await decide(two, {
      type: "answer",
      ...(await waitFor("questions")),
      answers: answers.slice(1),
    });

    const plan = await waitFor("plan");
    const spec = join(world.repository.dir, ".claude/temp/spec.md");
    await writeFile(spec, (await readFile(spec, "utf8")).replace("All tests pass.", "All tests pass!"));
    stale = await decide(one, { type: "approve", ...plan });
    resumed = await decide(two, { type: "resume", state: await stateNow(), text: "" });
    const again = await waitFor("plan", plan.hash);
    rejected = await decide(one, {
      type: "reject",
      ...again,
      reason: "Name the new file",
      comments: [{ ...comment, of: { type: "document", ref: await refOf("architecture") } }],
    });
    rejectedLate = await decide(two, { type: "reject", ...again, reason: "No", comments: [] });

    const third = await waitFor("plan", again.hash);
    const approve = { type: "approve", ...third };
    const [first, second, called] = await Promise.all([
      decide(one, approve),
      decide(two, approve),
      world.cli(["approve", run]),
    ]);
    [approvals, terminal] = [[first, second], called];
    unknownAsk = await decide(one, { ...approve, ask: "nothing#1" });
    code = await decide(two, { type: "approve", ...(await waitFor("code")) });
    await until(async () => (await model()).state.status === "complete");
    afterEnd = await decide(one, { type: "abort", state: await stateNow(), reason: "" });
  }, 240_000);

  const decide = (browser: Browser, decision: object) => browser.post(`${path}/decisions`, decision);
  const now = async () => (await one.get(path)).json;
  const model = async () => (await now())["model"] as RunModel;
  const stateNow = async (): Promise<string> => String((await now())["state"]);

  /** What the page shows of the open ask, and what an answer is bound to. */
  async function shown(): Promise<{ ask: string; hash: string; kind: string }> {
    const [ask] = (await model()).asks;
    return { ask: ask?.key ?? "", hash: ask?.hash ?? "", kind: ask?.kind ?? "" };
  }

  async function waitFor(kind: string, not = ""): Promise<{ ask: string; hash: string }> {
    await until(async () => {
      const open = await shown();
      return open.kind === kind && open.hash !== "" && open.hash !== not;
    });
    const { ask, hash } = await shown();
    return { ask, hash };
  }

  async function refOf(document: string): Promise<string> {
    return (await model()).documents.find(({ name }) => name === document)?.ref ?? "";
  }

  const eventsNow = async () => (await world.host.journal.read(run)).map(recorded);

  test("an answer to something else than what was shown is refused, and nothing is journaled", () => {
    expect(wrongHash).toMatchObject({ status: 409, json: { error: { code: "approval_stale" } } });
    expect(unknownAsk).toMatchObject({ status: 409, json: { error: { code: "nothing_waiting" } } });
  });

  verifies(
    "SEE-07",
    "two browsers answer the questions together, and each answer names the person and the way",
    async () => {
      expect([answeredOne.status, answered.status]).toEqual([200, 200]);
      const facts = eventsOf(await eventsNow(), "question.answered");
      expect(facts.map(({ id, text }) => [id, text])).toEqual(
        ["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => [id, `${id} as you like`]),
      );
      for (const { by } of facts)
        expect(by).toEqual({
          answeredBy: "page",
          authenticated: false,
          unguarded: true,
          who: expect.any(String),
        });
    },
  );

  test("a change between showing and approving makes the approval stale, and the new plan is shown", () => {
    expect(resumed.status).toBe(200);
    expect(stale).toMatchObject({
      status: 409,
      json: {
        error: {
          code: "approval_stale",
          message: expect.stringContaining("spec.md changed after it was shown"),
        },
      },
    });
  });

  test("a rejection with comments on lines reaches the agent's next prompt", async () => {
    expect(rejected.status).toBe(200);
    expect(rejectedLate.status).toBe(409);
    const [, prompt = ""] = (await promptsOf(world, await eventsNow(), "planner")).slice(-2);
    for (const part of ["Name the new file", "architecture.md:4", "> - `src/slugify.js`", comment.text])
      expect(prompt).toContain(part);
  });

  test("two browsers and a terminal approve at once: one of them does, and the others learn who", async () => {
    const outcomes = [...approvals.map(({ status: code }) => code === 200), terminal.code === 3];
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    for (const { status: code, json } of approvals)
      if (code !== 200)
        expect([code, json["error"]]).toEqual([
          409,
          expect.objectContaining({ message: expect.any(String) }),
        ]);
    const results = eventsOf(await eventsNow(), "result").filter(
      ({ key, by }) => key.startsWith("user_gate_plan") && by,
    );
    expect(results.filter(({ outcome }) => outcome === "approve")).toHaveLength(1);
  });

  test("the run goes on to its end in the process that serves the page", async () => {
    expect(code.status).toBe(200);
    expect((await model()).state.status).toBe("complete");
    expect(afterEnd).toMatchObject({ status: 409, json: { error: { code: "run_ended" } } });
    const approvedCode = eventsOf(await eventsNow(), "result").findLast(
      ({ outcome }) => outcome === "approve",
    );
    expect(approvedCode?.by).toMatchObject({ answeredBy: "page", unguarded: true });
    const log = await callIn(world, ["log", run]);
    expect(log.stdout).toContain("(page; nothing kept the agents from it)");
  });
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = systemClock.now() + 60_000;
  while (!(await condition())) {
    if (systemClock.now() > end) throw new Error("it did not happen within a minute");
    await systemClock.sleep(100);
  }
}
