/** A reviewer behind a tool of an MCP server: the built caller and a real server. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import type { AgentEvent, AgentOutcome, AgentSpec } from "../../src/agents/agent.ts";
import { mcpToolAgent } from "../../src/agents/mcp-tool/adapter.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { newFolder } from "../support/folder.ts";
import { specIn } from "./contract.ts";
import { inCi } from "../verifies.ts";

const stub = fileURLToPath(new URL("../support/mcp-stub.mjs", import.meta.url));

describe("the agent behind an MCP tool", () => {
  let root: string;
  let cwd: string;
  beforeAll(async () => {
    root = newFolder();
    cwd = join(root, "work");
    await mkdir(cwd);
  });

  const agentOf = (tool: string, server?: readonly [string, ...string[]]) =>
    mcpToolAgent({
      name: "mcp:gemini",
      vendor: "google",
      server: server ?? [process.execPath, stub, tool, join(root, "called.json")],
      tool,
      env: {},
      path: process.env["PATH"] ?? "",
      caller: packageRoot("dist/bin/mcp-caller.js"),
      node: process.execPath,
    });
  const play = async (
    agent: ReturnType<typeof agentOf>,
    given: Partial<AgentSpec> = {},
  ): Promise<{ readonly outcome: AgentOutcome; readonly events: readonly AgentEvent[] }> => {
    const events: AgentEvent[] = [];
    const spec = specIn({ root, cwd, given });
    const outcome = await agent.start(spec, (event) => events.push(event), new AbortController().signal);
    return { outcome, events };
  };

  inCi("passes its whole prompt to the tool, and returns the tool's text", async () => {
    const prompt = `--not-a-flag $HOME\n${"é".repeat(1 << 20)}\nlast line`;
    const { outcome, events } = await play(agentOf("ask"), { prompt });
    expect(outcome, JSON.stringify(outcome)).toEqual({ type: "ok", text: "ok\n" });
    expect(events).toEqual([{ type: "text", text: "ok" }]);
    expect(JSON.parse(await readFile(join(root, "called.json"), "utf8"))).toEqual({ prompt });
  });

  test.each([
    ["a tool that fails", "fail", undefined, "fail: the model is away"],
    ["a server that is none", "ask", [process.execPath, "--eval", "0"], "Connection closed"],
  ] as const)("%s is an API error", async (_, tool, server, why) => {
    const { outcome } = await play(agentOf(tool, server));
    expect(outcome).toMatchObject({ type: "api_error", why: expect.stringContaining(why) });
  });

  inCi("a server that never answers is ended at the deadline", async () => {
    const { outcome } = await play(agentOf("hang"), { wallMs: 1500 });
    expect(outcome.type).toBe("timeout");
  });

  test("is missing if the server's program is missing", async () => {
    expect(await agentOf("ask", ["/nowhere/server"]).probe()).toMatchObject({
      type: "missing",
      why: expect.stringContaining("/nowhere/server"),
    });
    expect(await agentOf("ask").probe()).toMatchObject({ type: "ready" });
  });
});
