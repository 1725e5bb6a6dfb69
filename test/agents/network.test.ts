/** Real agents in the sandbox reach their model by its name, through the runtime's proxy and that of the user (PRV-21). */
import { createServer, request as httpRequest } from "node:http";
import { mkdir, readFile } from "node:fs/promises";
import { connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { Agent } from "../../src/agents/agent.ts";
import { claudeAgent } from "../../src/agents/claude/adapter.ts";
import { codexAgent } from "../../src/agents/codex/adapter.ts";
import { geminiAgent } from "../../src/agents/gemini/adapter.ts";
import { opencodeAgent } from "../../src/agents/opencode/adapter.ts";
import { defaultSettings } from "../../src/config/settings.ts";
import { openAgentNetwork } from "../../src/dispatch/sandbox/agent-network.ts";
import { confinesHere } from "../sandbox/bubblewrap.ts";
import { confinementAt } from "../sandbox/confinement-at.ts";
import { afterFile, newFolder } from "../support/folder.ts";
import { startModelServer } from "../support/model-server.ts";
import { withRealClaude, withRealCodex, withRealGemini, withRealOpencode } from "../support/real-agents.ts";
import type { ModelStep } from "../support/wire.ts";
import { verifies } from "../verifies.ts";
import { specIn } from "./contract.ts";

interface Played {
  readonly name: string;
  readonly make: (env: Readonly<Record<string, string>>, home: string) => Agent;
  /** The variable that names the model's address. */
  readonly variable: string;
  readonly steps: (cwd: string) => readonly ModelStep[];
}

function completesItsTask({ name, make, variable, steps }: Played): void {
  describe.skipIf(!confinesHere())("confined (SKIPPED without bubblewrap)", () => {
    verifies(
      "PRV-21",
      "completes its task with a model that it reaches only through the proxy",
      async () => {
        const settings = defaultSettings();
        const model = await startModelServer();
        const asked: string[] = [];
        const proxy = await userProxy(Number(new URL(model.url).port), asked);
        const root = newFolder();
        const cwd = join(root, "work");
        await mkdir(cwd);
        model.script(steps(cwd));
        const env = { [variable]: "http://model.test:8000", HTTP_PROXY: proxy };
        const spec = specIn({ root, cwd, given: {} });
        const network = await openAgentNetwork(await confinementAt(spec), {
          agent: { name },
          settings: { ...settings, agents: { ...settings.agents, env: [variable] } },
          host: { path: "", env, node: process.execPath },
        });
        afterFile(() => network.close());
        const outcome = await make(env, root).start(
          { ...spec, confinement: network.confinement },
          () => {},
          new AbortController().signal,
        );
        expect(outcome).toMatchObject({ type: "ok", text: expect.stringContaining("I made it") });
        expect(await readFile(join(cwd, "made.txt"), "utf8")).toBe("made");
        expect(new Set(asked)).toEqual(new Set(["model.test:8000"]));
        expect(network.hosts).toContain("model.test:8000");
        expect(network.refused("key", [])).toEqual([]);
      },
      60_000,
    );
  });
}

/** A proxy as a company has it: it leads each name to the scripted model. */
async function userProxy(port: number, asked: string[]): Promise<string> {
  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? "").host);
    request.pipe(
      httpRequest({ port, path: new URL(request.url ?? "").pathname, method: request.method }, (answer) =>
        answer.pipe(response),
      ),
    );
  });
  server.on("connect", (request, client) => {
    asked.push(request.url ?? "");
    const onward = connect(port, "127.0.0.1", () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
    client.pipe(onward).pipe(client);
    client.on("error", () => onward.destroy());
    onward.on("error", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterFile(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

withRealClaude("Claude Code", (file) => {
  completesItsTask({
    name: "claude",
    variable: "ANTHROPIC_BASE_URL",
    make: (env, home) =>
      claudeAgent({
        file,
        path: process.env["PATH"] ?? "",
        home,
        env: { ...env, ANTHROPIC_API_KEY: "dummy" },
        credentials: null,
        loggedIn: true,
        model: null,
      }),
    steps: (cwd) => [
      { tools: [{ name: "Write", input: { file_path: join(cwd, "made.txt"), content: "made" } }] },
      { text: "I made it" },
    ],
  });
});

withRealGemini("the Gemini CLI", (file) => {
  completesItsTask({
    name: "gemini",
    variable: "GOOGLE_GEMINI_BASE_URL",
    make: (env, home) =>
      geminiAgent({
        file,
        path: process.env["PATH"] ?? "",
        home,
        env: { ...env, GEMINI_API_KEY: "dummy" },
        login: { auth: "gemini-api-key", credentials: null },
        model: null,
      }),
    steps: (cwd) => [
      { tools: [{ name: "write_file", input: { file_path: join(cwd, "made.txt"), content: "made" } }] },
      { text: "I made it" },
    ],
  });
});

withRealCodex("Codex", (file) => {
  completesItsTask({
    name: "codex",
    variable: "OPENAI_BASE_URL",
    make: (env, home) =>
      codexAgent({
        file,
        path: process.env["PATH"] ?? "",
        home,
        env: { ...env, OPENAI_API_KEY: "dummy" },
        login: { type: "key", variable: "OPENAI_API_KEY" },
        baseUrl: `${env["OPENAI_BASE_URL"] ?? ""}/v1`,
        model: "gpt-5-codex",
      }),
    steps: () => [
      { tools: [{ name: "exec_command", input: { cmd: "printf made > made.txt" } }] },
      { text: "I made it" },
    ],
  });
});

withRealOpencode("OpenCode", (file) => {
  completesItsTask({
    name: "opencode",
    variable: "MODEL_URL",
    make: (env, home) =>
      opencodeAgent({
        file,
        path: process.env["PATH"] ?? "",
        home,
        env: {},
        credentials: null,
        loggedIn: true,
        models: {
          provider: {
            scripted: {
              npm: "@ai-sdk/openai-compatible",
              name: "scripted",
              options: { baseURL: `${env["MODEL_URL"] ?? ""}/v1`, apiKey: "dummy" },
              models: { m: { name: "m", limit: { context: 100_000, output: 8000 } } },
            },
          },
          model: "scripted/m",
        },
      }),
    steps: (cwd) => [
      { tools: [{ name: "write", input: { filePath: join(cwd, "made.txt"), content: "made" } }] },
      { text: "I made it" },
    ],
  });
});
