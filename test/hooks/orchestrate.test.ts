/** Orchestrate in a person's session, through `mettle hook`. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { AppError } from "../../src/lib/errors.ts";
import { emptyView, foldView } from "../../src/log/run-view.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { readTrigger } from "../../src/families/orchestrate/trigger.ts";
import { stateLineOf } from "../../src/views/run/run-state-line.ts";
import { shellWords } from "../../src/views/shell-words.ts";
import { createCyclesWorld, oneCycle } from "../cycles/world.ts";
import {
  answerNone,
  createWorld,
  eventsOf,
  golden,
  type CassetteFile,
  type World,
} from "../orchestrate/world.ts";
import { callIn } from "../cli/here.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { hooksIn, type Hooks } from "./session.ts";

let world: World;
let session: Hooks;
beforeAll(async () => {
  world = await createWorld();
  session = hooksIn(world);
});

const prompt = (text: string, more = {}) => session.hook("UserPromptSubmit", { prompt: text, ...more });
const tool = (tool_name: string, tool_input: object, more = {}) =>
  session.hook("PreToolUse:Write", { tool_name, tool_input, ...more });
const agent = { description: "d", subagent_type: "general-purpose", prompt: "write it" };
const write = { file_path: "src/words.js", content: "" };
const silent = { code: 0, stdout: "" };

const hint = "begin a line with @orchestrate or /orchestrate to start";
const start = (task: string) => shellWords(["mettle", "run", "--protocol", "orchestrate", task]);

verifies(
  "ORC-02",
  "without keyword and protocol nothing of Orchestrate is active, also in a run of another protocol",
  async () => {
    for (const text of ["Build a login page", "", "the orchestra dances"])
      expect(await prompt(text), text).toMatchObject(silent);
    expect(await tool("Agent", agent)).toMatchObject(silent);
    expect(await tool("Write", write)).toMatchObject(silent);
    expect(await session.hook("Stop", { last_assistant_message: "Done." })).toMatchObject(silent);
    expect(await world.host.journal.runs()).toEqual([]);

    const other = await createCyclesWorld();
    const cassette = await oneCycle();
    cassette.roles.arch_critic = [{ report: { status: "REJECT", message: "the library does it already" } }];
    const agents = `default=${await other.agent(cassette as unknown as CassetteFile)}`;
    const result = await callIn(other, [
      "run",
      "Build a login page",
      "--protocol",
      "dptr",
      "--agent",
      agents,
    ]);
    expect([result.code, result.stdout + result.stderr]).toEqual([1, expect.not.stringContaining("[Orc.")]);
    expect(existsSync(join(other.repository.dir, ".claude", "temp"))).toBe(false);
    const { host, repository } = other;
    const [run = "", ...more] = await host.journal.runs();
    expect(more).toEqual([]);
    const events = (await host.journal.read(run)).map(recorded);
    expect(events[0]).toMatchObject({ protocol: "dptr" });
    const view = foldView(emptyView(run), events);
    expect([stateLineOf(view), stateLineOf(view, { phase: "ℜ" })]).toEqual([null, null]);
    const hooks = hooksIn(other);
    expect(
      await hooks.hook("UserPromptSubmit", { prompt: "Build a login page", cwd: repository.dir }),
    ).toMatchObject(silent);
  },
);

/** Twelve prompts -> the started task; null: none, and whether the person gets the hint. */
const prompts: readonly (readonly [prompt: string, task: string | null, hinted: boolean])[] = [
  ["@orchestrate Build it", "Build it", false],
  ['/orchestrate "Build it"', "Build it", false],
  ["@orchestrate\nBuild it\nwith a logo", "Build it\nwith a logo", false],
  ["I thought about it.\n@orchestrate 'Build it'", "Build it", false],
  ["```js\nlogin();\n```\n/orchestrate Build it", "Build it", false],
  ["@orchestrate-me please", null, true],
  ["docs/@orchestrate.md is old", null, true],
  ["what does @orchestrate do?", null, true],
  ["Please /orchestrate a login page", null, true],
  ["```\n@orchestrate Build it\n```", null, true],
  ["````\n```\n@orchestrate Build it\n````", null, true],
  ["@orchestrated dances", null, false],
];

verifies(
  "ORC-03",
  "only a whole word at the start of a line outside fences starts a run; elsewhere the person gets one hint",
  async () => {
    for (const [text, task, hinted] of prompts) {
      const { code, context, hint: hinting } = await prompt(text, { session_id: "other" });
      expect([text, code, hinting]).toEqual([text, 0, hinted ? hint : null]);
      expect(context ?? "", text).toContain(task === null ? "" : start(task));
      expect(context === null, text).toBe(task === null);
      expect(driver(text), text).toEqual(
        task !== null ? { task } : hinted ? { hint: expect.stringContaining(hint) } : { other: "riper" },
      );
    }
    expect(await world.host.journal.runs()).toEqual([]);
  },
);

/** What `mettle run` reads from the same text, where the settings name riper. */
function driver(text: string): Readonly<Record<string, string>> {
  try {
    const { protocol, task } = readTrigger(text, null, "riper");
    return protocol === "orchestrate" ? { task } : { other: protocol };
  } catch (error) {
    if (error instanceof AppError) return { hint: error.hint };
    throw error;
  }
}

verifies(
  "ORC-05",
  "a keyword without a task is refused by the driver, and the session asks the one question",
  async () => {
    expect((await prompt("@orchestrate", { session_id: "other" })).context).toContain(
      "ask the single question what to build",
    );
    const refused = [["@orchestrate"], ["@orchestrate x", "--protocol", "riper"]];
    const codes = [];
    for (const words of refused) {
      const { code, stderr } = await callIn(world, ["run", ...words]);
      codes.push([code, stderr.split(":")[0]]);
    }
    expect(codes).toEqual([
      [2, "error[empty_task]"],
      [2, "error[protocol_conflict]"],
    ]);
    expect(await world.host.journal.runs()).toEqual([]);
  },
);

verifies(
  "ORC-60",
  "during a run the session starts no agents; without a run nothing is refused",
  async () => {
    await prompt("@orchestrate Build it");
    expect(await tool("Task", agent)).toMatchObject(silent);
    const { events } = await world.go(await golden(), answerNone);
    // So far only programs of the runtime have worked, in their own workspaces.
    const started = eventsOf(events, "dispatch.started");
    expect(started.map(({ role, agent: name }) => [role, name])).toEqual([["intake", "scripted"]]);
    expect(started[0]?.workspace).toContain("worktrees");
    for (const name of ["Task", "Agent"])
      expect((await tool(name, agent)).denied).toContain("isolated agents are started by Mettle");
    expect(await tool("Agent", agent, { session_id: "foreign" })).toMatchObject(silent);
  },
);

verifies(["ORC-61", "ORC-07"], "the session writes no file of the project during a run", async () => {
  expect((await tool("Write", write)).denied).toContain("src/words.js may not be written by the session");
  expect((await tool("Edit", { file_path: "test/words.test.js" })).denied).toContain("test/words.test.js");
  expect((await tool("Bash", { command: "echo x > src/words.js" })).denied).toContain("src/words.js");
  for (const command of [
    "mettle status",
    "cat src/words.js",
    "echo x > /tmp/elsewhere",
    "echo x > .claude/temp/a",
  ])
    expect(await tool("Bash", { command }), command).toMatchObject(silent);
  expect(await tool("Write", write, { session_id: "foreign" })).toMatchObject(silent);
});

const says = (last_assistant_message: string, more = {}) =>
  session.hook("Stop", { last_assistant_message, ...more });
const stateLine = async (run: string) => {
  const { runs } = (await callIn(world, ["status", run, "--json"])).json() as unknown as {
    readonly runs: readonly { readonly state_line: string }[];
  };
  return runs[0]?.state_line ?? "";
};

verifies(
  "ORC-88",
  "a wrong or missing state line of the session is answered once with the right one",
  async () => {
    const [run = ""] = await world.host.journal.runs();
    const line = await stateLine(run);
    expect(line).toBe(
      "[Orc.Phase1_INTAKE] [Gemini: 0/3] [Claude: 0/3] [Exec: UNPROVEN] [Exit: PENDING] [Status: in_progress]",
    );
    const invented = line.replace(/\[Exec: \w+\] \[Exit: \w+\]/u, "[Exec: PROVEN] [Exit: 0]");
    expect((await says(`${invented}\nAll is well.`)).held).toContain(line);
    expect((await says(`Waiting for you.`)).held).toContain(line);
    expect(await says(`${line}\nWaiting for you.`)).toMatchObject(silent);
    expect(await says("Waiting.", { stop_hook_active: true })).toMatchObject(silent);
  },
);

const phrases = ["Done", "Fixed", "Complete", "Tests pass", "It works", "This should fix it"];

verifiesInCi(
  ["ORC-49", "ORC-54"],
  "each claim of a session is journaled, retracted, tested once per tree, and held once",
  async () => {
    const [run = ""] = await world.host.journal.runs();
    const eventsNow = async () => (await world.host.journal.read(run)).map(recorded);
    const before = (await eventsNow()).length;
    const news = async () => (await eventsNow()).slice(before);
    const records = async () =>
      eventsOf(await news(), "record.written").filter(({ purpose }) => purpose === "claim");
    const line = await stateLine(run);
    expect((await says(`${line}\nI am DONE.`)).held).toContain('UNVERIFIED claim retracted: "Done"; ');
    await expect.poll(records, { timeout: 60_000, interval: 200 }).toHaveLength(1);
    const [answer] = await records();
    const tree = await world.repository.git("rev-parse", "HEAD^{tree}");
    expect(answer).toMatchObject({ tree, verdict: "fail", exitCode: 1 });
    const result = (phrase: string) =>
      `UNVERIFIED claim retracted: "${phrase}"; the runtime's own run: fail, EXIT_CODE 1`;
    const now = await stateLine(run);
    for (const phrase of [...phrases, "ORCHESTRATION COMPLETE"])
      expect((await says(`${now}\n${phrase.toLowerCase()}.`)).held, phrase).toContain(result(phrase));
    const { hint: hintText, held } = await says(`${now}\nDone.`, { stop_hook_active: true });
    expect(held).toBeNull();
    for (const phrase of [...phrases, "ORCHESTRATION COMPLETE"]) expect(hintText).toContain(result(phrase));
    const journaled = eventsOf(await news(), "claim.unverified");
    expect(new Set(journaled.map(({ key }) => key))).toEqual(new Set(["session"]));
    // On a busy machine this test repeats a hook, which may journal twice.
    const found = [...new Set(journaled.map(({ phrase }) => phrase))];
    expect(found).toEqual([...phrases, "ORCHESTRATION COMPLETE"]);
    // A process that a hook started continues without it.
    const isVerifying = () =>
      execFileSync("ps", ["-eww", "-o", "args"], { encoding: "utf8" })
        .split("\n")
        .some((line) => line.includes("hook-verify.js") && line.includes(` ${run} `));
    await expect.poll(isVerifying, { timeout: 60_000, interval: 100 }).toBe(false);
    expect(await records()).toHaveLength(1);
    expect((await callIn(world, ["verify", run])).code).toBe(0);
    expect((await callIn(world, ["status", run])).stdout).toContain(result("Done"));

    await callIn(world, ["abort", run]);
    expect((await says("Done.")).held).toMatch(/UNVERIFIED[\s\S]*✗ NOT DONE: /u);
    expect(await says("It was aborted.")).toMatchObject(silent);
    expect(await tool("Agent", agent)).toMatchObject(silent);
  },
  180_000,
);
