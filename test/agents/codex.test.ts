/** The real Codex against a scripted model. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { AgentSpec, Conversation } from "../../src/agents/agent.ts";
import { codexAgent } from "../../src/agents/codex/adapter.ts";
import { newFolder } from "../support/folder.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { withRealCodex } from "../support/real-agents.ts";
import type { ModelStep } from "../support/wire.ts";
import { deniedIn, layProject, playIn, reportServer, type Played } from "./beside.ts";
import { agentContract, type Act, type AgentStage } from "./contract.ts";

withRealCodex("Codex", (file) => {
  agentContract("codex", () => createStage(file));

  describe("beside the contract", () => {
    let stage: CodexStage;
    let root: string;
    let cwd: string;
    beforeAll(async () => {
      stage = await createStage(file);
      root = newFolder();
      cwd = join(root, "work");
      await layProject(cwd, project);
    });
    const play = async (steps: readonly ModelStep[], given: Partial<AgentSpec>): Promise<Played> => {
      stage.server.script(steps);
      return playIn(stage.agent, { root, cwd, given });
    };

    test("no memory, setting, hook, server or skill of the project applies", async () => {
      const { outcome } = await play([shell("ls"), { text: "hello" }], { prompt: "/help @a.txt $evil" });
      expect(outcome).toEqual({ type: "ok", text: "hello\n" });
      const bodies = stage.server.requests.map(({ body }) => body).join("\n");
      expect(bodies.match(/marker-[a-z]+/gu)).toBeNull();
      expect(await readdir(root)).not.toContain("touched");
    });

    test("a read-only role can read but not write; a role without tools has no shell; denied calls are reported", async () => {
      const patch = { name: "apply_patch", input: "*** Begin Patch\n*** Add File: b.txt\n+b\n*** End Patch" };
      const read = await play(
        [shell("cat a.txt"), shell("touch c.txt"), { tools: [patch] }, { text: "done" }],
        {
          tools: ["Read", "Grep"],
        },
      );
      expect(read.outcome.type).toBe("ok");
      expect(stage.server.requests[1]?.body).toContain("the text of a");
      expect(deniedIn(read)).toEqual(["exec_command", "apply_patch"]);
      const none = await play([shell("touch d.txt"), { text: "done" }], { tools: [] });
      expect(deniedIn(none)).toEqual(["exec_command"]);
      expect(stage.server.requests[0]?.tools).not.toContain("exec_command");
      expect((await readdir(cwd)).filter((name) => /^[bcd]\.txt$/u.test(name))).toEqual([]);
    });

    test("a writing role writes only in its workspace, and its commands do not see the key", async () => {
      const calls = [shell("echo w > w.txt"), shell("echo w > ../w.txt"), shell("env > env.txt")];
      const { events } = await play([...calls, { text: "done" }], { tools: ["Read", "Write"] });
      expect(deniedIn({ events })).toEqual(["exec_command"]);
      expect(await readFile(join(cwd, "w.txt"), "utf8")).toBe("w\n");
      expect(await readdir(root)).not.toContain("w.txt");
      expect(await readFile(join(cwd, "env.txt"), "utf8")).not.toContain("OPENAI_API_KEY");
    });

    test("reports by the MCP tool of its dispatch, whatever its sandbox", async () => {
      const mcp = reportServer(join(root, "reported.jsonl"));
      const input = { status: "GC", message: "done" };
      const call = { tools: [{ name: "mcp__mettle__report", input }] };
      const { events } = await play([call, { text: "done" }], { tools: ["Read"], mcp });
      expect(events).toContainEqual({
        type: "tool",
        name: "mcp__mettle__report",
        detail: JSON.stringify(input),
      });
      expect(await readFile(join(root, "reported.jsonl"), "utf8")).toContain('"GC"');
    });

    test("a fork has the content of its parent, is resumed by its own id, and does not change its parent; tokens are those of the turn", async () => {
      const [parent, child] = [crypto.randomUUID(), crypto.randomUUID()];
      const tell = (prompt: string, conversation: Conversation) =>
        play([{ text: "noted" }], { prompt, conversation });
      await tell("the parent's secret is 58", { type: "new", id: parent });
      const forked = await tell("the child's secret is 59", { type: "fork", id: child, parent });
      expect(await stage.received()).toContain("the parent's secret is 58");
      expect(forked.events.filter(({ type }) => type === "usage")).toEqual([
        expect.objectContaining({ inputTokens: 100, outputTokens: 20 }),
      ]);
      await tell("and now?", { type: "resume", id: child });
      expect(await stage.received()).toMatch(/secret is 58[^]*secret is 59[^]*and now/u);
      const { outcome } = await tell("and you?", { type: "resume", id: parent });
      expect(outcome.type).toBe("ok");
      expect(await stage.received()).not.toContain("the child's secret");
    });
  });
});

interface CodexStage extends AgentStage {
  readonly server: ModelServer;
}

const shell = (cmd: string): ModelStep => ({ tools: [{ name: "exec_command", input: { cmd } }] });
const touch = "mkdir -p ../touched";

/** Everything by which a project could influence the agent. */
const project = {
  "AGENTS.md": "marker-agents",
  "a.txt": "the text of a",
  ".codex/config.toml": `developer_instructions = "marker-config"\n[mcp_servers.evil]\ncommand = "sh"\nargs = ["-c", "${touch}"]\n`,
  ".codex/hooks.json": JSON.stringify({
    hooks: { PreToolUse: [{ matcher: ".*", hooks: [{ type: "command", command: touch }] }] },
  }),
  ".codex/skills/evil/SKILL.md": "---\nname: evil\ndescription: marker-skill\n---\nbody\n",
  ".agents/skills/evil/SKILL.md": "---\nname: evil\ndescription: marker-skills\n---\nbody\n",
};

async function createStage(program: string): Promise<CodexStage> {
  const server = await startModelServer();
  const home = newFolder();
  return {
    server,
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
    received: async () => spoken(server.requests.at(-1)?.body ?? "{}"),
  };
}

const statuses = { rate_limited: 429, auth: 401, api_error: 500 } as const;

/** Model answers that make Codex do these acts with its own tools. */
function stepOf(act: Act): ModelStep {
  if ("say" in act) return { text: act.say };
  if ("write" in act) {
    const { path, content } = act.write;
    // A patch writes whole lines, but the content may end without a line break.
    return { tools: [{ name: "exec_command", input: { cmd: `printf %s '${content}' > ${path}` } }] };
  }
  if ("shell" in act) return { tools: [{ name: "exec_command", input: { cmd: act.shell } }] };
  if ("hang" in act) return { hang: true };
  return { status: statuses[act.fails] };
}

/** All user messages in the conversation of a request. */
function spoken(body: string): string {
  const { input = [] } = JSON.parse(body) as {
    input?: { role?: string; content?: { text?: string }[] }[];
  };
  return input
    .filter(({ role }) => role === "user")
    .flatMap(({ content = [] }) => content.map(({ text }) => text ?? ""))
    .join("\n");
}
