/**
 * Starting Orchestrate in a session, and the verdicts that count: the built `mettle mcp` and `mettle hook` together.
 * @module-tag ci
 */
import { beforeAll, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { shellWords } from "../../src/views/shell-words.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { type ProgramSeat } from "../cycles/referee-world.ts";
import { countersOf } from "../orchestrate/watched.ts";
import { eventsOf, type CliResult, type World } from "../orchestrate/world.ts";
import { verifies, verifiesWhen } from "../verifies.ts";
import { type Hooks, openOrchestrateSession } from "./session.ts";
import { runAsPerson } from "../support/as-person.ts";

let world: World;
let session: Hooks;
let seat: ProgramSeat;
beforeAll(async () => void ({ world, session, seat } = await openOrchestrateSession()));

const runs = () => world.host.journal.runs();
const eventsNow = async (run: string) => (await world.host.journal.read(run)).map(recorded);
const start = async (args: object) => {
  const { content } = await seat.mcp.callTool({ name: "start", arguments: { ...args } });
  return (content as { text: string }[]).map(({ text }) => text).join("\n");
};
const shell = (command: string, more = {}) =>
  session.hook("PreToolUse:Write", { tool_name: "Bash", tool_input: { command }, ...more });
const typed = async (prompt: string, more = {}) => {
  const { context } = await session.hook("UserPromptSubmit", { prompt, ...more });
  return /\{"token": "(\w+)"\}/u.exec(context ?? "")?.[1] ?? "";
};

let run = "";
let resumed: CliResult;

verifies(
  "ORC-04",
  "a session starts one run per keyword of the person, by tool or command, and none without a keyword",
  async () => {
    const words = "mettle run --protocol orchestrate 'Add slugify(text)'";
    for (const args of [
      {},
      { task: "Add slugify(text)" },
      { token: "", task: "x" },
      { token: "../x", task: "x" },
    ])
      expect(await start(args)).toMatch(/^error\[not_triggered\]: .*\nhint: .*@orchestrate/u);
    for (const command of [words, "cd src && npx mettle run '@orchestrate Build it'"])
      expect((await shell(command)).denied, command).toContain("error[not_triggered]");
    for (const command of [
      "mettle run --protocol riper 'see @orchestrate'",
      "echo mettle run; cat orchestrate.md",
    ])
      expect((await shell(command)).stdout, command).toBe("");
    expect(await runs()).toEqual([]);

    const token = await typed("@orchestrate Add slugify(text)");
    expect((await shell(words)).stdout).toBe("");
    expect((await shell(words, { session_id: "foreign" })).denied).toContain("error[not_triggered]");
    expect(await start({ token: `${token}x`, task: "x" })).toMatch(/^error\[not_triggered\]/u);
    const [first, again] = await Promise.all([start({ token, task: "something else" }), start({ token })]);
    const texts = [first, again].toSorted();
    expect(texts[1]).toMatch(/^error\[not_triggered\]/u);
    [run = ""] = await runs();
    expect(await runs()).toHaveLength(1);
    expect(texts[0]).toMatch(/^\[Orc\.Phase1_INTAKE\] \[Gemini: 0\/3\] .*\[Status: in_progress\]\n/u);
    expect(texts[0]).toContain(`mettle resume ${run}`);
    expect(eventsOf(await eventsNow(run), "run.started")[0]).toMatchObject({
      protocol: "orchestrate",
      task: "Add slugify(text)",
    });
    resumed = await world.cli(["resume", run, "--json"]);
    expect([resumed.code, JSON.stringify(resumed.json())]).toEqual([3, expect.stringContaining("Q1")]);
  },
);

test("a keyword without a task starts a run with the task that the person gives afterwards", async () => {
  const token = await typed("@orchestrate", { session_id: "other" });
  expect(await start({ token })).toMatch(/^error\[empty_task\]/mu);
  expect(await start({ token, task: "Add initials(name)" })).toContain(": Add initials(name)\n");
  const other = (await runs()).at(-1) ?? "";
  expect((await world.cli(["abort", other])).code).toBe(1);
});

verifies(
  "ORC-16",
  "a verdict that a session reports counts for no gate and is journaled as refused, since it is not isolated",
  async () => {
    const before = await eventsNow(run);
    for (const args of [
      { status: "APPROVED" },
      { status: "APPROVED", message: "fresh-reviewer: ISSUES: none" },
    ])
      expect(await seat.refused("report", args)).toMatch(/^error\[no_dispatch\]: .*isolated/u);
    const after = await eventsNow(run);
    expect(countersOf(after)).toEqual(countersOf(before));
    expect(after.slice(before.length)).toMatchObject([
      {
        type: "warned",
        code: "verdict_refused",
        message: expect.stringMatching(/^not_isolated: .*APPROVED/u),
      },
      { type: "warned", code: "verdict_refused" },
    ]);
    expect(eventsOf(after, "review.given")).toEqual([]);
  },
);

verifiesWhen(
  process.platform === "linux",
  "a terminal made by util-linux's script",
  "ORC-69",
  "in a session no tool, command or report approves; what the person types does, and the record says so",
  { timeout: 90_000 },
  async () => {
    const answers = ["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => `${id}=as the task says`);
    const words = [process.execPath, packageRoot("dist/bin/mettle.js"), "answer", run, ...answers];
    const stop = new AbortController();
    // At a terminal the run continues to the plan gate, which stays unanswered.
    const atTerminal = runAsPerson("script", ["-qec", shellWords(words), "/dev/null"], {
      cwd: world.repository.dir,
      env: world.env,
      timeoutMs: 60_000,
      signal: stop.signal,
    });
    const shown = async () => eventsOf(await eventsNow(run), "ask.shown").map(({ key }) => key);
    await expect.poll(shown, { timeout: 60_000, interval: 100 }).toContain("user_gate_plan#1");
    stop.abort();
    await atTerminal;
    const given = eventsOf(await eventsNow(run), "question.answered");
    expect(given.map(({ by }) => by.answeredBy)).toEqual(Array.from({ length: 5 }, () => "tty"));
    const state = async () => (await eventsNow(run)).filter(({ type }) => type !== "warned");
    const before = await state();
    for (const { name, inputSchema } of (await seat.mcp.listTools()).tools) {
      const fields = Object.keys(inputSchema.properties ?? {});
      const args = Object.fromEntries(fields.map((field) => [field, "approved"]));
      await seat.mcp.callTool({ name, arguments: args });
    }
    for (const verb of ["approve", `approve ${run}`, `reject ${run} --reason x`, `answer ${run} approve`])
      expect((await shell(`cd . && npx mettle ${verb}`)).denied, verb).toContain(
        "error[agent_cannot_approve]",
      );
    for (const prompt of ["I approve of blue", "approve it later", "do not approve", "approved? no"])
      expect((await session.hook("UserPromptSubmit", { prompt })).stdout, prompt).toBe("");
    const types = async (prompt: string, more = {}) =>
      (await session.hook("UserPromptSubmit", { prompt, ...more })).context;
    expect(await types("approve", { session_id: "foreign" })).toBeNull();
    expect(await types("approve the code")).toContain("error[nothing_waiting]");
    expect(await state()).toEqual(before);

    expect(await types("Approve the plan.")).toContain(`mettle resume ${run}`);
    expect((await state()).slice(before.length)[0]).toMatchObject({
      type: "result",
      key: "user_gate_plan#1",
      outcome: "approve",
      by: { answeredBy: "session" },
    });
    expect((await world.cli(["log", run])).stdout).toMatch(/user_gate_plan#1 -> approve by \S+ \(session\)/u);
    expect(await types("approve")).toContain("error[nothing_waiting]");
  },
);
