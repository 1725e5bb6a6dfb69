/**
 * Phases 1 to 4 of Orchestrate in a session in plan mode, with recorded hook inputs: questions, state lines, a full context,
 * and ExitPlanMode.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import { shellWords } from "../../src/views/shell-words.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { type ProgramSeat } from "../cycles/referee-world.ts";
import { eventsOf, golden, type CliResult, type World } from "../orchestrate/world.ts";
import { verifies, verifiesWhen } from "../verifies.ts";
import { usesContext, type HookAnswer, type Hooks, openOrchestrateSession } from "./session.ts";
import { callIn } from "../cli/here.ts";

let world: World;
let session: Hooks;
let seat: ProgramSeat;
let run = "";
/** Every tool call that the session made. */
const made: { readonly tool: string; readonly answer: HookAnswer }[] = [];
const stateLine =
  /^\[Orc\.Phase\d+_[A-Z_]+\] \[Gemini: \d\/3\] \[Claude: \d\/3\] \[Exec: (?:UN)?PROVEN\] \[Exit: (?:\d+|PENDING)\] \[Status: (?:in_progress|blocked|complete)\]$/u;

beforeAll(async () => void ({ world, session, seat } = await openOrchestrateSession()));

const plan = { permission_mode: "plan" };
const document = (name: string) => join(world.repository.dir, ".claude/temp", `${name}.md`);
const events = async (): Promise<readonly Recorded[]> => (await world.host.journal.read(run)).map(recorded);
const line = async () => {
  const { runs } = (await callIn(world, ["status", run, "--json"])).json() as unknown as {
    readonly runs: readonly { readonly state_line: string }[];
  };
  return runs[0]?.state_line ?? "";
};
const use = async (tool: string, tool_input: object, more: object = {}): Promise<HookAnswer> => {
  const answer = await session.hook("PreToolUse:Bash:plan", { tool_name: tool, tool_input, ...more });
  made.push({ tool, answer });
  return answer;
};
/** Runs a command of the session's shell tool, if its hook permits it. */
const shell = async (command: string, args: readonly string[]): Promise<CliResult> => {
  expect((await use("Bash", { command })).denied, command).toBeNull();
  return world.cli(args);
};
const stops = async (words: string, more: object = plan) =>
  session.hook("Stop", { last_assistant_message: `${await line()}\n${words}`, ...more });
const question = (id: string, text = `${id}: as Mettle asks it`) => ({
  question: text,
  header: id,
  multiSelect: false,
  options: [
    { label: "yes", description: "y" },
    { label: "no", description: "n" },
  ],
});
/** The person answers in the dialog of Claude Code, which then calls the hook. */
const answers = async (given: Readonly<Record<string, string>>) => {
  const questions = Object.keys(given).map((id) => question(id));
  expect((await use("AskUserQuestion", { questions })).denied).toBeNull();
  const byText = Object.fromEntries(
    questions.map(({ question: text, header }) => [text, given[header] ?? ""]),
  );
  return session.hook("PostToolUse:AskUserQuestion", {
    tool_input: { questions, answers: byText },
    tool_response: { questions, answers: byText },
  });
};

verifies(
  "ORC-08",
  "the keyword requests plan mode, in which the run begins and passes its questions to the session",
  async () => {
    const { context } = await session.hook("UserPromptSubmit", { prompt: "@orchestrate Add slugify" });
    expect(context).toContain("call EnterPlanMode now");
    const begins = /mettle run --protocol orchestrate '?Add slugify'?/u.exec(context ?? "")?.[0] ?? "";
    made.push({ tool: "EnterPlanMode", answer: await session.hook("PreToolUse:EnterPlanMode") });
    expect(await session.hook("PostToolUse:EnterPlanMode")).toMatchObject({ code: 0, stdout: "" });
    const begun = await shell(begins, ["run", "--protocol", "orchestrate", "Add slugify", "--json"]);
    expect(begun.code, begun.stderr).toBe(3);
    run = String(begun.json()["run"]);
    expect(await line()).toMatch(/^\[Orc\.Phase1_INTAKE\]/u);
    expect((await use("ExitPlanMode", { plan: "mine" })).denied).toMatch(/Phases 1 to 3 are plan mode/u);
    const write = { file_path: "src/slugify.js", content: "" };
    expect((await use("Write", write)).denied).toContain("may not be written by the session");
  },
);

verifies(
  "ORC-70",
  "the session must ask the person by AskUserQuestion, and only their answers count",
  async () => {
    const { held } = await stops("I wait.");
    for (const id of ["Q1", "Q2", "Q3", "Q4", "Q5"])
      expect(held).toContain(`header "${id}", question "${id}: `);
    expect(held).toContain("AskUserQuestion");
    expect((await stops("I wait.", { ...plan, stop_hook_active: true })).held).toBeNull();

    const own = { questions: [question("Q1")], answers: { "Q1: as Mettle asks it": "yes" } };
    expect((await use("AskUserQuestion", own)).denied).toContain("error[agent_cannot_approve]");
    const foreign = { session_id: "foreign", tool_input: own, tool_response: own };
    expect(await session.hook("PostToolUse:AskUserQuestion", foreign)).toMatchObject({ code: 0, stdout: "" });
    // The session's own question does not belong to the run.
    expect((await answers({ Colour: "blue", Q9: "nine" })).stdout).toBe("");
    expect(eventsOf(await events(), "question.answered")).toEqual([]);

    const some = await answers({ Q1: "one", Q2: "yes, my own words", Q3: "" });
    expect(some.context).toMatch(/^Mettle: answered Q1, Q2\. ask the person[^]*"Q3"[^]*"Q5"/u);
    expect(some.context).not.toContain('header "Q1"');
    const resumed = await shell(`mettle resume ${run}`, ["resume", run, "--json"]);
    expect([resumed.code, JSON.stringify(resumed.json())]).toEqual([3, expect.stringContaining("Q5")]);
    expect(JSON.stringify(resumed.json())).not.toContain('"id":"Q1"');
    expect(eventsOf(await events(), "dispatch.started").map(({ role }) => role)).toEqual(["intake"]);
    const all = await answers({ Q3: "empty", Q4: "no", Q5: "tests pass" });
    expect(all.context).toContain(`mettle resume ${run}`);
    const given = eventsOf(await events(), "question.answered");
    expect(given.map(({ id, text, by }) => [id, text, by.answeredBy])).toEqual([
      ["Q1", "one", "session"],
      ["Q2", "yes, my own words", "session"],
      ["Q3", "empty", "session"],
      ["Q4", "no", "session"],
      ["Q5", "tests pass", "session"],
    ]);
  },
);

const uses = (tokens: number, more: object = {}) => usesContext(world, tokens, more);
const resumes = async (more: object = {}) =>
  (await use("Bash", { command: `mettle resume ${run}` }, more)).denied;

verifies(
  "ORC-79",
  "a session whose context is over 80 % full continues no run before a compaction, and then gets its brief again",
  async () => {
    expect(await resumes()).toBeNull();
    await uses(158_000);
    expect(await resumes()).toBeNull();
    // A sub-agent has its own context, and 162,000 of a million tokens are under the limit.
    await uses(199_000, { isSidechain: true });
    expect(await resumes()).toBeNull();
    await uses(199_000, { model: "claude-opus-5-5" });
    expect(await resumes()).toBeNull();
    await uses(162_000);
    const full = /error\[context_full\]: the context of this session is 81 % full.*\/compact/u;
    expect(await resumes()).toMatch(full);
    expect((await use("mcp__mettle__start", { token: "x" })).denied).toMatch(full);
    expect((await use("Bash", { command: "mettle status" })).denied).toBeNull();
    expect(await resumes({ session_id: "foreign" })).toBeNull();
    // The refusal remains until a compaction.
    await uses(30_000);
    expect(await resumes()).toMatch(full);
    expect(await session.hook("PreCompact")).toMatchObject({ code: 0, stdout: "" });
    expect(await resumes()).toBeNull();
    const { context } = await session.hook("SessionStart:compact");
    for (const part of ["Add slugify", await line(), `mettle resume ${run}`, ".claude/temp"])
      expect(context).toContain(part);
    await uses(163_000);
    expect(await resumes()).toMatch(full);
    expect((await session.hook("SessionStart:compact")).context).toContain(
      "Begin each answer with the state line",
    );
    expect(await resumes()).toBeNull();
  },
);

verifies(
  "ORC-08",
  "in plan mode both documents and gate 1 need no write of the session, and Phase 4 requests ExitPlanMode",
  async () => {
    const planned = await shell(`mettle resume ${run}`, ["resume", run, "--json"]);
    expect(planned.code, planned.stderr).toBe(3);
    for (const name of ["spec", "architecture", "plan-review"])
      expect(existsSync(document(name)), name).toBe(true);
    expect(await readFile(document("plan-review"), "utf8")).toContain("VERDICT: APPROVED");
    expect(await line()).toMatch(/^\[Orc\.Phase4_USER_GATE_PLAN\]/u);
    expect((await stops("The plan waits.")).held).toContain("Phase 4: call ExitPlanMode");
    expect((await stops("The plan waits.", { permission_mode: "default" })).held).toBeNull();

    made.push({ tool: "ExitPlanMode", answer: await session.hook("PreToolUse:ExitPlanMode") });
    expect(made.at(-1)?.answer).toMatchObject({ code: 0, stdout: "" });
    const left = await session.hook("PostToolUse:ExitPlanMode");
    expect(left.context).toContain("the plan still waits");
    expect(eventsOf(await events(), "result").filter(({ outcome }) => outcome === "approve")).toEqual([]);
    const writes = made.filter(({ tool, answer }) => tool === "Write" && answer.denied === null);
    expect(writes).toEqual([]);
    expect(await world.repository.git("status", "--porcelain", "--untracked-files=all", "src", "test")).toBe(
      "",
    );
    const { context } = await session.hook("UserPromptSubmit", {
      prompt: "approve",
      permission_mode: "default",
    });
    expect(context).toContain(`mettle resume ${run}`);
  },
);

verifies(
  "ORC-88",
  "every answer of every tool begins with the state line, only while the run is active",
  async () => {
    const now = await line();
    expect(now).toMatch(stateLine);
    const { tools } = await seat.mcp.listTools();
    const messages = async () => {
      const heads: [name: string, head: string][] = [];
      for (const { name, inputSchema } of [
        ...tools,
        { name: "no_such_tool", inputSchema: { properties: {} } },
      ]) {
        const args = Object.fromEntries(
          Object.keys(inputSchema.properties ?? {}).map((field) => [field, "x"]),
        );
        for (const given of [{}, args]) {
          const { content } = await seat.mcp.callTool({ name, arguments: given });
          heads.push([name, (content as { text: string }[])[0]?.text ?? ""]);
        }
      }
      return heads;
    };
    const during = await messages();
    expect(during.length).toBeGreaterThan(30);
    expect(during.filter(([, head]) => head !== now)).toEqual([]);
    expect((await world.cli(["abort", run])).code).toBe(1);
    expect((await messages()).filter(([, head]) => stateLine.test(head))).toEqual([]);
  },
);

test("a session without a run, or with an ended one, has no duties", async () => {
  expect((await stops("Done with it.", plan)).held ?? "").not.toContain("AskUserQuestion");
  expect((await use("ExitPlanMode", { plan: "mine" })).denied).toBeNull();
});

verifiesWhen(
  process.platform === "linux",
  "a terminal made by util-linux's script",
  "ORC-70",
  "at a terminal the questions come in order, and the last answer continues the run",
  { tags: "ci", timeout: 90_000 },
  async () => {
    run = await world.start(await golden());
    const words = [process.execPath, packageRoot("dist/bin/mettle.js"), "resume", run];
    // The terminal is one column wide.
    const wide = `stty cols 120; echo "process $$"; exec ${shellWords(words)}`;
    const child = spawn("script", ["-qec", wide, "/dev/null"], {
      cwd: world.repository.dir,
      env: world.env,
      stdio: ["pipe", "pipe", "ignore"],
      timeout: 60_000,
    });
    let shown = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => (shown += part));
    const topics = ["inputs", "outputs", "edge cases", "constraints", "success criteria"];
    for (const [index, topic] of topics.entries()) {
      await expect.poll(() => shown.includes(`${topic}: `), { timeout: 30_000, interval: 50 }).toBe(true);
      child.stdin.write(`answer ${index + 1}\r`);
    }
    const started = async () => eventsOf(await events(), "dispatch.started").map(({ role }) => role);
    await expect.poll(started, { timeout: 30_000, interval: 100 }).toContain("planner");
    const inside = Number(/process (\d+)/u.exec(shown)?.[1]);
    child.kill("SIGTERM");
    // The command inside the terminal is hung up, ends its agent and writes its last events.
    const gone = () => expect(() => process.kill(inside, 0)).toThrow("ESRCH");
    await vi.waitFor(gone, { timeout: 30_000, interval: 50 });
    const given = eventsOf(await events(), "question.answered");
    expect(given.map(({ id, text, by }) => [id, text, by.answeredBy])).toEqual(
      topics.map((_, index) => [`Q${index + 1}`, `answer ${index + 1}`, "tty"]),
    );
  },
);
