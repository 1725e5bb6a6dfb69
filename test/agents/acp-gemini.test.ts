/** The real Gemini CLI over the Agent Client Protocol, against a scripted model. */
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { acpAgent } from "../../src/agents/acp/adapter.ts";
import type { Agent, AgentEvent, AgentSpec } from "../../src/agents/agent.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { newFolder } from "../support/folder.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { withRealGemini } from "../support/real-agents.ts";
import type { ModelStep } from "../support/wire.ts";
import { specIn } from "./contract.ts";

interface Stage {
  readonly agent: Agent;
  readonly server: ModelServer;
}

// Not the whole contract: 0.61.0 loses a session that is loaded in the minute of its start, and retries an exhausted quota for
// more than a minute.
withRealGemini("the Gemini CLI over ACP", (file) => {
  let stage: Stage;
  let root: string;
  let cwd: string;
  beforeAll(async () => {
    stage = await createStage(file);
    root = newFolder();
    cwd = join(root, "work");
    await mkdir(cwd);
  });
  const play = async (steps: readonly ModelStep[], given: Partial<AgentSpec>) => {
    stage.server.script(steps);
    const events: AgentEvent[] = [];
    const spec = specIn({ root, cwd, given });
    const outcome = await stage.agent.start(
      spec,
      (event) => events.push(event),
      new AbortController().signal,
    );
    return { outcome, denied: events.filter(({ type }) => type === "denied") };
  };
  const write = (name: string): ModelStep => ({
    tools: [{ name: "write_file", input: { file_path: join(cwd, name), content: "made" } }],
  });
  const shell: ModelStep = { tools: [{ name: "run_shell_command", input: { command: "touch ran.txt" } }] };

  test("is ready, and reports its version and that it can restore sessions", async () => {
    expect(await stage.agent.probe()).toEqual({ type: "ready", version: "0.61.0" });
    expect(stage.agent.remembers).toBe(true);
  });

  test("asks before it writes and runs, and does only what its role may", async () => {
    const reader = await play([write("a.txt"), shell, { text: "done" }], { tools: ["Read"] });
    expect(reader.denied.length).toBeGreaterThan(0);
    expect(await readdir(cwd)).toEqual([]);
    const writer = await play([write("b.txt"), shell, { text: "I made it" }], { tools: ["Write", "Bash"] });
    expect(writer).toEqual({
      outcome: { type: "ok", text: expect.stringContaining("I made it") },
      denied: [],
    });
    expect((await readdir(cwd)).toSorted()).toEqual(["b.txt", "ran.txt"]);
  });

  // As without ACP, it starts no server in a folder that it does not trust (ADR 0008).
  test("starts no server for its model, and can report in its last line", async () => {
    const server = fileURLToPath(new URL("../support/mcp-stub.mjs", import.meta.url));
    const args = [server, "answer", join(root, "called.json")];
    const mcp = { name: "mettle", command: process.execPath, args, env: {} };
    const { outcome } = await play([{ text: "done\n→GC: made" }], { mcp, tools: [] });
    expect(outcome).toMatchObject({ type: "ok", text: expect.stringMatching(/→GC: made\n$/u) });
    expect(stage.server.requests[0]?.tools.filter((name) => /mettle|answer/u.test(name))).toEqual([]);
  });

  test("a refused login has its own outcome", async () => {
    expect((await play([{ status: 401 }], {})).outcome.type).toBe("auth");
  });
});

async function createStage(file: string): Promise<Stage> {
  const server = await startModelServer();
  const home = newFolder();
  return {
    server,
    agent: acpAgent({
      name: "acp-gemini",
      vendor: "google",
      run: [file, "--acp", "--model", "gemini-2.5-pro"],
      login: "gemini-api-key",
      env: {
        GOOGLE_GEMINI_BASE_URL: server.url,
        GEMINI_API_KEY: "dummy",
        GEMINI_CLI_NO_RELAUNCH: "true",
        NO_BROWSER: "true",
      },
      path: process.env["PATH"] ?? "",
      home,
      caller: packageRoot("dist/bin/acp-caller.js"),
      node: process.execPath,
    }),
  };
}
