/** The real Claude Code against a scripted model. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claudeAgent } from "../../src/agents/claude/adapter.ts";
import { startModelServer } from "../support/model-server.ts";
import { withRealClaude } from "../support/real-agents.ts";
import type { ModelStep } from "../support/wire.ts";
import { agentContract, type Act, type AgentStage } from "./contract.ts";

withRealClaude("Claude Code", (file) => {
  agentContract("claude", () => createStage(file));
  agentContract("claude", () => createStage(file), { confined: true });
});

async function createStage(program: string): Promise<AgentStage> {
  const server = await startModelServer();
  const home = await mkdtemp(join(tmpdir(), "mettle-claude-"));
  return {
    patienceMs: 8000,
    agent: claudeAgent({
      file: program,
      path: process.env["PATH"] ?? "",
      home,
      env: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "dummy" },
      credentials: null,
      loggedIn: true,
      model: null,
    }),
    prepare: async (acts, cwd) => server.script(stepsOf(acts, cwd)),
    heard: async () => spoken(server.requests.at(-1)?.body ?? "{}"),
    async remove() {
      await server.close();
      await rm(home, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

const statuses = { rate_limited: 429, auth: 401, api_error: 500 } as const;

/** What the model says so that Claude Code does these things with its own tools. */
function stepsOf(acts: readonly Act[], cwd: string): readonly ModelStep[] {
  const steps = acts.map((act): ModelStep => {
    if ("say" in act) return { text: act.say };
    if ("write" in act) {
      const { path, content } = act.write;
      return { tools: [{ name: "Write", input: { file_path: join(cwd, path), content } }] };
    }
    if ("shell" in act) return { tools: [{ name: "Bash", input: { command: act.shell } }] };
    if ("hang" in act) return { hang: true };
    return { status: statuses[act.fails] };
  });
  return steps;
}

/** Everything the user said in the conversation that the model was sent. */
function spoken(body: string): string {
  const { messages = [] } = JSON.parse(body) as {
    messages?: { role: string; content: string | { type: string; text?: string }[] }[];
  };
  return messages
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) =>
      typeof content === "string" ? [content] : content.map(({ text }) => text ?? ""),
    )
    .join("\n");
}
