/** Every command of Envoy as a tool of `mettle mcp`, spoken to by the SDK's own client (ENV-87). */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { envoy } from "../../src/envoy/envoy.ts";
import { usageOf } from "../../src/envoy/help.ts";
import { commands } from "../../src/envoy/table.ts";
import { callHere } from "../cli/here.ts";
import { createPlanWorld, type PlanWorld } from "./plan-world.ts";

let world: PlanWorld;
let client: Client;
beforeAll(async () => {
  world = await createPlanWorld();
  client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [packageRoot("dist/bin/mcp.js")],
      env: { ...world.env },
      cwd: world.repository.dir,
    }),
  );
});
afterAll(async () => {
  await client.close();
  await world.remove();
});

const call = async (name: string, args: Readonly<Record<string, unknown>> = {}) => {
  const { content, isError = false } = await client.callTool({
    name: `envoy_${name}`,
    arguments: { ...args },
  });
  return { text: (content as readonly { text: string }[])[0]?.text ?? "", isError };
};
const typed = async (...line: string[]) => {
  const { code, stdout } = await callHere(line, { cwd: world.repository.dir, env: world.env }, envoy);
  return { text: stdout.trimEnd(), isError: code !== 0 };
};

test("the tools are the commands of the help, with the same arguments", async () => {
  const { tools } = await client.listTools();
  const found = tools.filter(({ name }) => name.startsWith("envoy_"));
  const all = (await callHere(["--help"], { cwd: world.repository.dir, env: world.env }, envoy)).stdout;
  const usages = found
    .filter(({ name }) => name !== "envoy_protocol")
    .map(({ name, inputSchema }) => {
      const command = commands.find((one) => `envoy_${one.name.replaceAll(/[ -]/gu, "_")}` === name);
      if (command === undefined) throw new Error(`${name} is no command`);
      expect(all).toContain(`\n  ${usageOf(command)}\n`);
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
      return usageOf(command);
    });
  expect(usages).toEqual(
    all.split("\n").flatMap((line) => /^ {2}(envoy (?!protocol).*)$/u.exec(line)?.[1] ?? []),
  );
  expect(found.map(({ name }) => name)).toContain("envoy_protocol");
});

test("a call answers what the line prints, and an error is one", async () => {
  expect(await call("plan_init")).toMatchObject({ isError: false });
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
    ["plan_read_prompt", { prompt_num: 9 }, ["plan", "read-prompt", "9"]],
    ["plan_read_prompt", { prompt_num: "1", variant: "a" }, ["plan", "read-prompt", "1", "a"]],
    ["plan_next", { feature_branch: "feature/none" }, ["plan", "next", "--feature-branch", "feature/none"]],
    ["plan_next", { wait: 600 }, ["plan", "next", "--wait", "600"]],
    ["git_commit", { prompt_num: 1, message: "m" }, ["git", "commit", "1", "--message", "m"]],
    ["knowledge_search", { index: "docs", query: "ticks" }, ["knowledge", "search", "docs", "ticks"]],
    ["protocol", { name: "debugging" }, ["protocol", "debugging"]],
    ["protocol", { name: "debugging", json: true }, ["protocol", "debugging", "--json"]],
  ];
  for (const [tool, args, line] of pairs)
    expect([tool, await call(tool, { ...args })]).toEqual([tool, await typed(...line)]);
  for (const [tool, args] of [
    ["plan_read_prompt", {}],
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
});

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
