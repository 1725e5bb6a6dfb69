/** An agent without a shell: it calls the tools of `mettle mcp` and writes files in its worktree only. */
import { spawnSync } from "node:child_process";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { confinedCall } from "../../src/process/sandbox/confinement.ts";
import { confinesHere, programHere } from "../sandbox/bubblewrap.ts";
import { writeFiles, type TestAgent, type EnvoyReply } from "./test-agent.ts";
import type { Json, PlanWorld } from "./plan-world.ts";

export interface ToolAgent extends TestAgent {
  readonly tools: readonly Tool[];
  /** The raw answer of a tool. */
  ask(tool: string, args: Json): Promise<{ readonly text: string; readonly isError: boolean }>;
  close(): Promise<void>;
}

/** @param id the prompt of its worktree, for tools that default to the current folder, which this agent does not have */
export async function toolAgent({ repository, env }: PlanWorld, id = ""): Promise<ToolAgent> {
  const client = new Client({ name: "test", version: "1" });
  const command = { command: process.execPath, args: [packageRoot("dist/bin/mettle.cjs"), "mcp"] };
  await client.connect(new StdioClientTransport({ ...command, env: { ...env }, cwd: repository.dir }));
  const tools = (await client.listTools()).tools.filter(({ name }) => name.startsWith("envoy_"));
  const [prompt_num, variant] = id.split(" ");
  const ask = async (name: string, args: Json) => {
    const answer = await client.callTool({ name, arguments: { ...args } });
    const [first] = answer.content as readonly { readonly text: string }[];
    return { text: first?.text ?? "", isError: answer.isError === true };
  };
  return {
    tools,
    ask,
    print: async (name) => (await ask("envoy_protocol", { name })).text,
    async call(words) {
      const { tool, args } = toolCall(tools, words);
      const { properties, required } = tool.inputSchema;
      const needsPrompt =
        properties?.["prompt_num"] !== undefined && required?.includes("prompt_num") !== true;
      const own = needsPrompt ? { prompt_num, variant } : {};
      const { text, isError } = await ask(tool.name, { ...own, ...args });
      const reply = JSON.parse(text) as EnvoyReply;
      expect([words, reply.status]).toEqual([words, isError ? "error" : "success"]);
      return reply;
    },
    write: confinesHere() ? writeConfined : writeFiles,
    close: () => client.close(),
  };
}

/** Translates a line into a tool call: arguments by the order of the fields, options by name. */
export function toolCall(
  tools: readonly Tool[],
  [group = "", command = "", ...rest]: readonly string[],
): { readonly tool: Tool; readonly args: Json } {
  const name = `envoy_${group}_${command}`.replaceAll("-", "_");
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  const fields = Object.entries(tool.inputSchema.properties ?? {}) as [string, { type: string }][];
  const args: Record<string, unknown> = {};
  let taken = 0;
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? "";
    if (!word.startsWith("-")) {
      args[fields[taken++]?.[0] ?? ""] = word;
      continue;
    }
    const field = word === "-n" ? "number" : word.replace("--", "").replaceAll("-", "_");
    const type = fields.find(([known]) => known === field)?.[1].type;
    if (type === undefined) throw new Error(`${name} takes no ${field}`);
    if (type === "boolean") args[field] = true;
    else {
      const value = rest[++at] ?? "";
      args[field] = type === "array" ? value.split(field === "questions" ? "|" : ",") : value;
    }
  }
  return { tool, args };
}

/** Confines the agent: everything but its worktree is read-only, including `.git`. */
async function writeConfined(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const ran = inSandbox(folder, ["node", "-e", writer], JSON.stringify(files));
  expect([ran.status, ran.stderr]).toEqual([0, ""]);
}

const writer = `
  const { mkdirSync, readFileSync, writeFileSync } = require("node:fs");
  for (const [file, text] of Object.entries(JSON.parse(readFileSync(0, "utf8")))) {
    mkdirSync(require("node:path").dirname(file), { recursive: true });
    writeFileSync(file, text);
  }`;

export function inSandbox(worktree: string, [program = "", ...argv]: readonly string[], input = "") {
  const rules = [{ type: "writable" as const, at: worktree }];
  const confinement = { bubblewrap: programHere("bwrap"), rules, hidden: [] };
  const file = program === "node" ? process.execPath : programHere(program);
  const call = confinedCall(confinement, { file, argv }, worktree);
  return spawnSync(call.file, call.argv, { input, encoding: "utf8", timeout: 20_000 });
}
