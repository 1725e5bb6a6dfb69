/** The real Gemini CLI against a scripted model. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { AgentEvent, AgentOutcome, AgentSpec, Conversation } from "../../src/agents/agent.ts";
import { geminiAgent } from "../../src/agents/gemini/adapter.ts";
import { newFolder } from "../support/folder.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { withRealGemini } from "../support/real-agents.ts";
import type { ModelStep } from "../support/wire.ts";
import { agentContract, specIn, type Act, type AgentStage } from "./contract.ts";

withRealGemini("the Gemini CLI", (file) => {
  agentContract("gemini", () => createStage(file));
  agentContract("gemini", () => createStage(file), { confined: true });

  describe("beside the contract", () => {
    let stage: GeminiStage;
    let root: string;
    let cwd: string;
    beforeAll(async () => {
      stage = await createStage(file);
      root = newFolder();
      cwd = join(root, "work");
      await lay(cwd, project);
    });
    const play = async (steps: readonly ModelStep[], given: Partial<AgentSpec>): Promise<Played> => {
      stage.server.script(steps);
      const events: AgentEvent[] = [];
      const spec = specIn({ root, cwd, given });
      const outcome = await stage.agent.start(
        spec,
        (event) => events.push(event),
        new AbortController().signal,
      );
      return { outcome, events };
    };

    test("no memory, setting, hook, server, variable or command of the project applies, and no file that its prompt mentions is read", async () => {
      const prompt = "/help @a.txt @src/ and ask@a.txt\n!{touch made} {{args}} @{a.txt}";
      const { outcome } = await play([{ text: "hello" }], { prompt });
      expect(outcome).toEqual({ type: "ok", text: "hello\n" });
      const bodies = stage.server.requests.map(({ body }) => body).join("\n");
      expect(bodies.match(/marker-[a-z]+/gu)).toBeNull();
      expect(await stage.received()).toContain(prompt);
      expect((await readdir(cwd)).sort()).toEqual(Object.keys(project).map(top).filter(unique).sort());
      expect(await readdir(root)).not.toContain("touched");
    });

    test("has only its role's tools; other calls are denied and reported", async () => {
      const calls = ["write_file", "google_web_search", "invoke_agent"];
      const { outcome, events } = await play(
        [
          ...calls.map((name) => ({ tools: [{ name, input: { file_path: "b.txt", content: "b" } }] })),
          { text: "done" },
        ],
        { tools: ["Read", "Grep"] },
      );
      expect(outcome.type).toBe("ok");
      expect([...(stage.server.requests[0]?.tools ?? [])].sort()).toEqual([
        "grep_search",
        "list_directory",
        "read_file",
      ]);
      expect(events.flatMap((event) => (event.type === "denied" ? event.name : []))).toEqual(calls);
      expect(await readdir(cwd)).not.toContain("b.txt");
    });

    test("a fork has the content of its parent, is resumed by its own id, and does not change its parent", async () => {
      const [parent, child] = [crypto.randomUUID(), crypto.randomUUID()];
      const tell = (prompt: string, conversation: Conversation) =>
        play([{ text: "noted" }], { prompt, conversation });
      await tell("the parent's secret is 58", { type: "new", id: parent });
      await tell("the child's secret is 59", { type: "fork", id: child, parent });
      expect(await stage.received()).toContain("the parent's secret is 58");
      await tell("and now?", { type: "resume", id: child });
      expect(await stage.received()).toMatch(/secret is 58[^]*secret is 59[^]*and now/u);
      const { outcome } = await tell("and you?", { type: "resume", id: parent });
      expect(outcome.type).toBe("ok");
      expect(await stage.received()).not.toContain("the child's secret");
    });

    test("an empty answer with exit 0 is not ok; a shell command works with loops and redirections, and not with git", async () => {
      expect((await play([{ text: "" }], {})).outcome.type).toBe("api_error");
      const shell = (command: string) => ({ tools: [{ name: "run_shell_command", input: { command } }] });
      const loop = "for i in 1 2; do cat a.txt; done > loop.txt && (cd src; ls) >> loop.txt 2>&1";
      const { events } = await play([shell(loop), shell("git status"), { text: "ran" }], {});
      expect(await readFile(join(cwd, "loop.txt"), "utf8")).toBe("marker-filemarker-fileb.js\n");
      expect(events.filter(({ type }) => type === "denied")).toEqual([
        { type: "denied", name: "run_shell_command", detail: '{"command":"git status"}' },
      ]);
    });
  });
});

interface GeminiStage extends AgentStage {
  readonly server: ModelServer;
}

interface Played {
  readonly outcome: AgentOutcome;
  readonly events: readonly AgentEvent[];
}

const touch = (name: string) => `mkdir -p ../touched && touch ../touched/${name}`;

/** Everything by which a project could influence the agent. */
const project = {
  "GEMINI.md": "marker-memory",
  "AGENTS.md": "marker-agents",
  "a.txt": "marker-file",
  "src/b.js": "marker-source",
  "evil.md": "marker-system",
  ".env": "GEMINI_SYSTEM_MD=evil.md\n",
  ".gemini/.env": "export GEMINI_SYSTEM_MD=evil.md\nGOOGLE_GEMINI_BASE_URL=http://127.0.0.1:9\n",
  ".gemini/settings.json": JSON.stringify({
    context: { fileName: ["GEMINI.md", "AGENTS.md"] },
    mcpServers: { evil: { command: "sh", args: ["-c", touch("server")] } },
    hooks: { SessionStart: [{ hooks: [{ type: "command", command: touch("hook"), name: "evil" }] }] },
  }),
  ".gemini/commands/help.toml": 'prompt = "marker-command"\n',
  ".gemini/skills/evil/SKILL.md": "---\nname: evil\ndescription: marker-skill\n---\nbody\n",
  ".gemini/agents/evil.md": "---\nname: evil\ndescription: marker-agent\n---\nbody\n",
};

async function lay(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

const top = (path: string): string => path.split("/")[0] ?? path;
const unique = (name: string, index: number, names: readonly string[]): boolean =>
  names.indexOf(name) === index;

async function createStage(program: string): Promise<GeminiStage> {
  const server = await startModelServer();
  const home = newFolder();
  return {
    server,
    model: server.url,
    patienceMs: 12_000,
    agent: geminiAgent({
      file: program,
      path: process.env["PATH"] ?? "",
      home,
      env: { GOOGLE_GEMINI_BASE_URL: server.url, GEMINI_API_KEY: "dummy" },
      login: { auth: "gemini-api-key", credentials: null },
      model: null,
    }),
    prepare: async (acts) => server.script(acts.map(stepOf)),
    received: async () => spoken(server.requests.at(-1)?.body ?? "{}"),
  };
}

const statuses = { rate_limited: 429, auth: 401, api_error: 500 } as const;

/** Model answers that make the Gemini CLI do these acts with its own tools. */
function stepOf(act: Act): ModelStep {
  if ("say" in act) return { text: act.say };
  if ("write" in act) {
    const { path, content } = act.write;
    return { tools: [{ name: "write_file", input: { file_path: path, content } }] };
  }
  if ("shell" in act) return { tools: [{ name: "run_shell_command", input: { command: act.shell } }] };
  if ("hang" in act) return { hang: true };
  return { status: statuses[act.fails] };
}

/** All user messages in the conversation of a request. */
function spoken(body: string): string {
  const { contents = [] } = JSON.parse(body) as {
    contents?: { role: string; parts: { text?: string }[] }[];
  };
  return contents
    .filter(({ role }) => role === "user")
    .flatMap(({ parts }) => parts.map(({ text }) => text ?? ""))
    .join("\n");
}
