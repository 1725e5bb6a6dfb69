/** The real OpenCode against a scripted model. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { opencodeAgent } from "../../src/agents/opencode/adapter.ts";
import { startModelServer } from "../support/model-server.ts";
import { withRealOpencode } from "../support/real-agents.ts";
import type { ModelStep } from "../support/wire.ts";
import { agentContract, type Act, type AgentStage } from "./contract.ts";

withRealOpencode("OpenCode", (file) =>
  agentContract("opencode", () => createStage(file), { timeoutMs: 90_000 }),
);

async function createStage(program: string): Promise<AgentStage> {
  const server = await startModelServer();
  const home = await mkdtemp(join(tmpdir(), "mettle-opencode-"));
  return {
    // It needs four seconds to start, and twelve on a busy machine.
    patienceMs: 30_000,
    agent: opencodeAgent({
      file: program,
      path: process.env["PATH"] ?? "",
      home,
      env: {},
      credentials: null,
      loggedIn: true,
      models: { provider: { scripted: providerAt(server.url) }, model: "scripted/m" },
    }),
    prepare: async (acts, cwd) => server.script(acts.map((act) => stepOf(act, cwd))),
    heard: async () => spoken(server.requests.at(-1)?.body ?? "{}"),
    async remove() {
      await server.close();
      await rm(home, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function providerAt(url: string): object {
  return {
    npm: "@ai-sdk/openai-compatible",
    name: "scripted",
    options: { baseURL: `${url}/v1`, apiKey: "dummy" },
    models: { m: { name: "m", limit: { context: 100_000, output: 8000 } } },
  };
}

const statuses = { rate_limited: 429, auth: 401, api_error: 500 } as const;

/** What the model says so that OpenCode does this with its own tools. */
function stepOf(act: Act, cwd: string): ModelStep {
  if ("say" in act) return { text: act.say };
  if ("write" in act) {
    const { path, content } = act.write;
    return { tools: [{ name: "write", input: { filePath: join(cwd, path), content } }] };
  }
  if ("shell" in act)
    return { tools: [{ name: "bash", input: { command: act.shell, description: "as the test says" } }] };
  if ("hang" in act) return { hang: true };
  return { status: statuses[act.fails] };
}

/** Everything the user said in the conversation that the model was sent. */
function spoken(body: string): string {
  const { messages = [] } = JSON.parse(body) as {
    messages?: { role: string; content: string | { text?: string }[] }[];
  };
  return messages
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) =>
      typeof content === "string" ? [content] : content.map(({ text }) => text ?? ""),
    )
    .join("\n");
}
