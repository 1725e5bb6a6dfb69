/** All commands of Envoy as tools of `mettle mcp`, for an agent without a shell. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { usageOf } from "../../src/lib/command-line/usage.ts";
import { commands, program as envoyProgram } from "../../src/envoy/table.ts";
import { confinesHere } from "../sandbox/bubblewrap.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { wide } from "../wide.ts";
import { follow } from "./follower.ts";
import { createGateWorld, type GateWorld } from "./gate-world.ts";
import type { TestAgent, EnvoyReply } from "./test-agent.ts";
import { promptText, type Json } from "./plan-world.ts";
import { reviewer } from "./reviewer.ts";
import { expectSameAnswers } from "./same-answers.ts";
import { inSandbox, toolAgent, toolCall, type ToolAgent } from "./tool-agent.ts";

// One test runs a whole protocol.
vi.setConfig({ testTimeout: 240_000 });

let world: GateWorld;
let agent: ToolAgent;
beforeAll(async () => {
  world = await createGateWorld();
  await world.repository.write({
    ".gitignore": "mettle.yaml\nreview.yaml\n",
    "package.json": '{ "name": "shop", "type": "module" }\n',
    "test/base.test.js": 'import { test } from "node:test";\ntest("base", () => {});\n',
    "src/a.ts": "export const a = 0;\n",
  });
  await world.repository.git("add", "-A");
  await world.repository.git("commit", "--quiet", "-m", "A shop");
  agent = await toolAgent(world, "1");
});
afterAll(() => agent.close());

const call = (name: string, args: Json = {}) => agent.ask(`envoy_${name}`, args);
const typed = async (...line: readonly string[]) => {
  const { code, stdout } = await world.envoy(line);
  return { text: stdout.trimEnd(), isError: code !== 0 };
};
const toolOf = (name: string) => name.replaceAll(/[ -]/gu, "_");

verifiesInCi(
  ["ENV-87", "ENV-89"],
  "every command is a tool with the same arguments, answers and errors, and an agent without a shell merges by tools alone",
  async () => {
    await expectToolsOfHelp();
    await expectSameErrors();
    await world.reset();
    await world.ok(["plan", "write-prompt", "1", ...promptText, "--requires-testing"]);
    await reviewer(
      world,
      { verdict: "failed", suggested_changes: "Say 2" },
      { verdict: "passed" },
      { verdict: "passed" },
      { verdict: "passed" },
    );
    const replies: (readonly [command: string, reply: EnvoyReply])[] = [];
    const commits: string[] = [];
    let worktree = "";
    const shell: TestAgent = {
      ...agent,
      async call(words, cwd) {
        const command = words.slice(0, 2).join(" ");
        // Another prompt is merged first.
        if (command === "git merge-worktree" && !replies.some(([before]) => before === command))
          await changeFeature("export const a = 9;\n");
        if (command === "git commit") expectReadOnlyGit(cwd);
        const reply = await agent.call(words, cwd);
        replies.push([command, reply]);
        if (reply.status === "success" && command === "git commit") {
          expect(Object.keys(reply.data)).toEqual(["commit", "files"]);
          expect(reply.data["commit"]).toBe(await world.repository.git("rev-parse", branch));
          commits.push(...(reply.data["files"] as string[]));
        }
        if (command === "git worktree") worktree = cwd;
        return reply;
      },
    };
    const done = await follow(world, shell, {
      protocol: "implementation",
      id: "1",
      edits: [1, 2, 3].map((value) => ({ "src/a.ts": `export const a = ${value};\n` })),
      person: [
        ["1_testing", { test_passed: "false", user_required_changes: "Say 3" }],
        ["1_testing", { test_passed: "true" }],
        ["1_testing", { test_passed: "true" }],
      ],
      resolved: { "src/a.ts": "export const a = 12;\n" },
    });
    expect([done.merged, worktree]).toEqual([true, world.repository.dir]);
    expect(new Set(commits)).toEqual(new Set(["src/a.ts"]));
    expect(await world.repository.git("show", "feature/x:src/a.ts")).toBe("export const a = 12;");
    expect(await world.fields("prompts/1.md")).toMatchObject({
      status: "merged",
      verification: { verdict: "pass" },
    });
    // The diff was that of its own worktree, not of the server's checkout.
    const [, shown] = replies.find(([command]) => command === "git diff-base") ?? [];
    expect(shown).toMatchObject({ data: { current_branch: branch } });
    if (!wide) return;
    await expectFixed();
    await expectSameAnswers();
  },
);

const branch = "feature/x--implementation-1";

async function changeFeature(text: string): Promise<void> {
  await world.repository.write({ "src/a.ts": text });
  await world.repository.git("commit", "--quiet", "-am", "Say 9");
}

/** Confined if bubblewrap is installed; the agent calls no git in either case. */
function expectReadOnlyGit(worktree: string): void {
  if (!confinesHere()) return;
  const { status, stderr } = inSandbox(worktree, ["git", "commit", "--allow-empty", "-m", "Mine"]);
  expect([status, stderr]).toEqual([128, expect.stringContaining("Read-only file system")]);
}

async function expectToolsOfHelp(): Promise<void> {
  const all = (await typed("--help")).text;
  const usages = agent.tools
    .filter(({ name }) => name !== "envoy_protocol")
    .map(({ name, inputSchema }) => {
      const command = commands.find((one) => `envoy_${toolOf(one.name)}` === name);
      if (command === undefined) throw new Error(`${name} is no command`);
      const given = command.inputs.map((input) => input.name.replaceAll("-", "_"));
      expect(Object.keys(inputSchema.properties ?? {})).toEqual([
        ...given,
        "agent",
        "feature_branch",
        "wait",
      ]);
      expect(inputSchema.required).toEqual(
        command.inputs.filter(({ required }) => required).map((input) => input.name.replaceAll("-", "_")),
      );
      return usageOf(envoyProgram, command);
    });
  expect(usages).toEqual(
    all.split("\n").flatMap((line) => /^ {2}(envoy (?!protocol).*)$/u.exec(line)?.[1] ?? []),
  );
  expect(agent.tools.map(({ name }) => name)).toContain("envoy_protocol");
  expect(commands.map(({ name }) => `envoy_${toolOf(name)}`)).toContain("envoy_plan_read_prompt");
}

/** Errors: missing arguments, no plan, and an invalid wait. */
async function expectSameErrors(): Promise<void> {
  for (const { name, inputs } of commands) {
    const words = name.split(" ");
    const required = inputs.filter((input) => input.required);
    const values = required.map(({ place, name: input }) =>
      place === "argument" ? ["1"] : [`--${input}`, "x"],
    );
    const whole = [...words, ...values.flat()];
    const lines = [
      ...(required.length === 0 ? [] : [words]),
      [...whole, "--feature-branch", "main"],
      [...whole, "--wait", "0.x"],
    ];
    for (const line of lines) {
      const { tool, args } = toolCall(agent.tools, line);
      expect([line, await agent.ask(tool.name, args)]).toEqual([line, await typed(...line)]);
    }
  }
}

/** The additional steps of `debugging`: logs are added, handed in by a person, and removed. */
async function expectFixed(): Promise<void> {
  await world.ok(["plan", "write-prompt", "2", ...promptText, "--debug"]);
  await reviewer(world, { verdict: "passed" });
  const other = await toolAgent(world, "2");
  try {
    const fix = (value: number) => ({
      "src/b.js": `// [DEBUG-TEMP]\nconsole.log("b");\n\nexport const b = ${value};\n`,
    });
    const fixed = await follow(world, other, {
      protocol: "debugging",
      id: "2",
      edits: [fix(0), fix(6)],
      person: [
        ["2_logging", { thoughts: "it is 0" }, "b is 0\n"],
        ["2_testing", { test_passed: "true" }],
      ],
    });
    expect([fixed.merged, fixed.ran.includes("plan cleanup-debug-logs")]).toEqual([true, true]);
    expect(await world.repository.git("show", "feature/x:src/b.js")).toBe("\nexport const b = 6;");
  } finally {
    await other.close();
  }
}

verifies(
  "ENV-87",
  "a tool call has the answer of the line, and takes lists, flags and texts as JSON types",
  async () => {
    await world.reset();
    await writeFile(join(world.repository.dir, "context.md"), "With `ticks`\n");
    const first = await call("plan_write_prompt", {
      prompt_num: 1,
      description: "Does a thing, and @another",
      context: "@context.md",
      criteria: "@@done",
      files: ["a,b.ts"],
      depends_on: [],
      requires_testing: true,
      debug: false,
      variant: null,
    });
    expect(first).toEqual({ text: expect.stringContaining('"id":"1"'), isError: false });
    const read = await call("plan_read_prompt", { prompt_num: "1" });
    expect(read).toEqual(await typed("plan", "read-prompt", "1"));
    expect(JSON.parse(read.text)).toMatchObject({
      data: {
        content: "# Approach & Plan\n\nWith `ticks`\n",
        front_matter: {
          relevant_files: ["a,b.ts"],
          success_criteria: "@done",
          kind: "feature",
          requires_manual_testing: true,
        },
      },
    });
    const pairs: readonly (readonly [string, object, readonly string[]])[] = [
      ["plan_next", { number: "2", agent: "backend_1" }, ["plan", "next", "-n", "2"]],
      ["plan_read_prompt", { prompt_num: "1", variant: "a" }, ["plan", "read-prompt", "1", "a"]],
      ["plan_next", { feature_branch: "feature/none" }, ["plan", "next", "--feature-branch", "feature/none"]],
      ["git_commit", { prompt_num: 1, message: "m" }, ["git", "commit", "1", "--message", "m"]],
      ["knowledge_search", { index: "docs", query: "ticks" }, ["knowledge", "search", "docs", "ticks"]],
      ["protocol", { name: "debugging" }, ["protocol", "debugging"]],
      ["protocol", { name: "debugging", json: true }, ["protocol", "debugging", "--json"]],
    ];
    for (const [tool, args, line] of pairs)
      expect([tool, await call(tool, { ...args })]).toEqual([tool, await typed(...line)]);
    for (const [tool, args] of [
      ["plan_read_prompt", { prompt_num: [1] }],
      ["plan_next", { nubmer: 1 }],
      ["plan_write_prompt", { prompt_num: 1, debug: "yes" }],
      ["plan_write_notes", { agent_name: "a", notes: "-" }],
    ] as const) {
      const { text, isError } = await call(tool, args);
      expect([tool, isError, JSON.parse(text)]).toMatchObject([
        tool,
        true,
        { status: "error", error: { type: "usage", command: tool.replace("_", " ").replaceAll("_", "-") } },
      ]);
    }
  },
);

test("protocol takes its inputs as an object, and refuses wrong ones", async () => {
  const inputs = { prompt_num: 1, feature_branch: "feature/x" };
  const { text, isError } = await call("protocol", { name: "implementation", inputs });
  expect([isError, text.includes("\ngiven: prompt_num = 1\n")]).toEqual([false, true]);
  const wrong = await call("protocol", { name: "implementation", inputs: {} });
  expect([wrong.isError, JSON.parse(wrong.text)]).toMatchObject([
    true,
    { error: { type: "invalid_inputs" } },
  ]);
});
