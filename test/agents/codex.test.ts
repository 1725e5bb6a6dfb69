/** The real Codex against a scripted model. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codexAgent } from "../../src/agents/codex/adapter.ts";
import { startModelServer } from "../support/model-server.ts";
import { withRealCodex } from "../support/real-agents.ts";
import type { ModelStep } from "../support/wire.ts";
import { agentContract, type Act, type AgentStage } from "./contract.ts";

withRealCodex("Codex", (file) => agentContract("codex", () => createStage(file)));

async function createStage(program: string): Promise<AgentStage> {
  const server = await startModelServer();
  const home = await mkdtemp(join(tmpdir(), "mettle-codex-"));
  return {
    patienceMs: 8000,
    agent: codexAgent({
      file: program,
      path: process.env["PATH"] ?? "",
      home,
      env: { OPENAI_API_KEY: "dummy" },
      login: { type: "key", variable: "OPENAI_API_KEY" },
      baseUrl: `${server.url}/v1`,
      model: "gpt-5.5",
    }),
    prepare: async (acts) => server.script(acts.map(stepOf)),
    heard: async () => spoken(server.requests.at(-1)?.body ?? "{}"),
    async remove() {
      await server.close();
      await rm(home, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

const statuses = { rate_limited: 429, auth: 401, api_error: 500 } as const;

/** What the model says so that Codex does this with its own tools. */
function stepOf(act: Act): ModelStep {
  if ("say" in act) return { text: act.say };
  if ("write" in act) {
    const { path, content } = act.write;
    // A patch writes whole lines, and what it shall write may end without one.
    return { tools: [{ name: "exec_command", input: { cmd: `printf %s '${content}' > ${path}` } }] };
  }
  if ("shell" in act) return { tools: [{ name: "exec_command", input: { cmd: act.shell } }] };
  if ("hang" in act) return { hang: true };
  return { status: statuses[act.fails] };
}

/** Everything the user said in the conversation that the model was sent. */
function spoken(body: string): string {
  const { input = [] } = JSON.parse(body) as {
    input?: { role?: string; content?: { text?: string }[] }[];
  };
  return input
    .filter(({ role }) => role === "user")
    .flatMap(({ content = [] }) => content.map(({ text }) => text ?? ""))
    .join("\n");
}
