/** The real Claude Code against a scripted model. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Conversation } from "../../src/agents/agent.ts";
import { claudeAgent } from "../../src/agents/claude/adapter.ts";
import { newFolder } from "../support/folder.ts";
import { startModelServer } from "../support/model-server.ts";
import { withRealClaude } from "../support/real-agents.ts";
import type { ModelStep } from "../support/wire.ts";
import { playIn } from "./beside.ts";
import { agentContract, type Act, type AgentStage } from "./contract.ts";

withRealClaude("Claude Code", (file) => {
  agentContract("claude", () => createStage(file));
  agentContract("claude", () => createStage(file), { confined: true });

  test("a fork in another home and workspace has the content of its parent, is resumed by its own id, and does not change its parent", async () => {
    const stage = await createStage(file);
    const root = newFolder();
    const homes = { parent: join(root, "homes", "parent"), child: join(root, "homes", "child") };
    for (const name of ["parent", "child"]) await mkdir(join(root, name));
    const tell = async (who: "parent" | "child", prompt: string, conversation: Conversation) => {
      await stage.prepare([{ say: "noted" }], join(root, who));
      const given = { prompt, conversation, home: homes[who] };
      const { outcome } = await playIn(stage.agent, { root, cwd: join(root, who), given });
      expect(outcome).toMatchObject({ type: "ok", text: "noted\n" });
      return stage.received();
    };
    const [parent, child, lost] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
    await tell("parent", "the parent's secret is 42", { type: "new", id: parent });
    const from = homes.parent;
    expect(await stage.agent.forks?.({ id: parent, from }, homes.child)).toBe("copied");
    expect(await stage.agent.forks?.({ id: parent, from }, homes.parent)).toBe("native");
    expect(await stage.agent.forks?.({ id: lost, from }, homes.child)).toBe(null);
    const forked = await tell("child", "the child's secret is 59", { type: "fork", id: child, parent, from });
    expect([forked.includes("is 42"), forked.includes("is 59")]).toEqual([true, true]);
    const again = await tell("child", "go on", { type: "resume", id: child });
    expect([again.includes("is 42"), again.includes("is 59")]).toEqual([true, true]);
    const own = await tell("parent", "go on", { type: "resume", id: parent });
    expect([own.includes("is 42"), own.includes("is 59")]).toEqual([true, false]);
  });
});

async function createStage(program: string): Promise<AgentStage> {
  const server = await startModelServer();
  const home = newFolder();
  return {
    model: server.url,
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
    received: async () => spoken(server.requests.at(-1)?.body ?? "{}"),
  };
}

const statuses = { rate_limited: 429, auth: 401, api_error: 500 } as const;

/** Model answers that make Claude Code do these acts with its own tools. */
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

/** All user messages in the conversation of a request. */
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
