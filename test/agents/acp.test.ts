/** The ACP adapter with a stub agent, built on the agent side of the SDK. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { acpAgent } from "../../src/agents/acp/adapter.ts";
import type { AgentEvent, AgentOutcome, AgentSpec } from "../../src/agents/agent.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { newFolder } from "../support/folder.ts";
import { wide } from "../wide.ts";
import { agentContract, specIn, type Act, type AgentStage } from "./contract.ts";

const stub = fileURLToPath(new URL("../support/acp-stub.mjs", import.meta.url));

/** Acts of the stub beyond the contract. */
type StubAct =
  | Act
  | { readonly ask: object }
  | { readonly report: object }
  | { readonly context: number }
  | { readonly dies: number }
  | { readonly stops: string };

interface Heard {
  readonly texts: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly mcpServers: readonly object[];
}

interface AcpStage extends Omit<AgentStage, "prepare"> {
  prepare(acts: readonly StubAct[]): Promise<void>;
  turns(): Promise<readonly Heard[]>;
}

async function stageWith(can: readonly string[], login: string | null = null): Promise<AcpStage> {
  const folder = newFolder();
  const [acts = "", received = "", sessions = ""] = ["acts.json", "heard.jsonl", "sessions.json"].map(
    (name) => join(folder, name),
  );
  const turns = async () =>
    (await readFile(received, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Heard);
  return {
    agent: acpAgent({
      name: "mine",
      vendor: "me",
      run: [process.execPath, stub, acts, received, sessions, ...can],
      login,
      env: {},
      path: process.env["PATH"] ?? "",
      home: folder,
      caller: packageRoot("dist/bin/acp-caller.js"),
      node: process.execPath,
    }),
    patienceMs: 4000,
    prepare: (list) => writeFile(acts, JSON.stringify(list)),
    received: async () => (await turns()).at(-1)?.texts.join("\n") ?? "",
    turns,
  };
}

agentContract("acp, that loads sessions", () => stageWith(["load", "late"]), { tags: "ci" });
if (wide) agentContract("acp, that remembers nothing", () => stageWith([]));

describe("beside the contract", { tags: "ci" }, () => {
  async function at(can: readonly string[], login: string | null = null) {
    const stage = await stageWith(can, login);
    const root = newFolder();
    const cwd = join(root, "work");
    await mkdir(cwd);
    const play = async (acts: readonly StubAct[], given: Partial<AgentSpec> = {}) => {
      await stage.prepare(acts);
      const events: AgentEvent[] = [];
      const spec = specIn({ root, cwd, given });
      const outcome: AgentOutcome = await stage.agent.start(
        spec,
        (event) => events.push(event),
        new AbortController().signal,
      );
      const denied = events.flatMap((event) => (event.type === "denied" ? event.name : []));
      return { outcome, events, denied };
    };
    return { stage, root, cwd, play };
  }

  test("a role has only its permissions: other calls are denied, reported and not executed", async () => {
    const { play, cwd, root } = await at([]);
    const write = { path: "a.txt", content: "a" };
    const outside = { path: join(root, "outside.txt"), content: "b" };
    const acts = [
      { write },
      { shell: "touch b.txt" },
      { ask: { kind: "read", title: "read_file" } },
      { ask: { kind: "switch_mode", title: "yolo" } },
      { ask: { kind: "other", title: "send_mail" } },
      { say: "done" },
    ];
    const reader = await play(acts, { tools: ["Read", "Grep"] });
    expect(reader.outcome).toEqual({ type: "ok", text: "done\n" });
    expect(reader.denied).toEqual(["write_file", "shell", "yolo", "send_mail"]);
    expect(await readdir(cwd)).toEqual([]);
    const writer = await play([...acts, { write: outside }], { tools: ["Write", "Bash"] });
    expect(writer.denied).toEqual(["read_file", "yolo", "send_mail", "write_file"]);
    expect((await readdir(cwd)).toSorted()).toEqual(["a.txt", "b.txt"]);
    expect(await readdir(root)).not.toContain("outside.txt");
  });

  test("the agent receives the server of the dispatch, whose tools need no permission", async () => {
    const { play, stage } = await at([]);
    const file = join(stage.agent.name, "x");
    expect(file).toBe("mine/x");
    const mcp = {
      name: "mettle",
      command: process.execPath,
      args: [packageRoot("dist/bin/mcp.js")],
      env: { METTLE_SOCKET: "/none", METTLE_TOKEN: "none" },
    };
    const { denied } = await play([{ ask: { kind: "other", title: "report (mettle MCP Server)" } }], {
      mcp,
      tools: [],
    });
    expect(denied).toEqual([]);
    expect((await stage.turns())[0]?.mcpServers).toEqual([
      {
        ...mcp,
        env: [
          { name: "METTLE_SOCKET", value: "/none" },
          { name: "METTLE_TOKEN", value: "none" },
        ],
      },
    ]);
  });

  test("messages come whole, tool calls once, context share and tokens as reported", async () => {
    const { play } = await at([]);
    const { events } = await play([
      { say: "a longer text\nof two lines" },
      { context: 0.25 },
      { shell: "true" },
      { say: "end" },
    ]);
    expect(events.filter(({ type }) => type !== "usage")).toEqual([
      { type: "text", text: "a longer text\nof two lines" },
      { type: "tool", name: "shell", detail: '{"kind":"execute","input":{"command":"true"}}' },
      { type: "text", text: "end" },
    ]);
    expect(events.filter(({ type }) => type === "usage")).toEqual([
      { type: "usage", context: 0.25 },
      { type: "usage", inputTokens: 100, outputTokens: 20 },
    ]);
  });

  test("a fork has the content of its parent, is resumed by its own id, and does not change its parent; without the capability it fails", async () => {
    const { play, stage } = await at(["load", "fork"]);
    const [parent, child] = [crypto.randomUUID(), crypto.randomUUID()];
    await play([{ say: "noted" }], { prompt: "the secret is 58", conversation: { type: "new", id: parent } });
    await play([{ say: "noted" }], {
      prompt: "mine is 59",
      conversation: { type: "fork", id: child, parent },
    });
    expect(await stage.received()).toMatch(/secret is 58[^]*mine is 59/u);
    await play([{ say: "noted" }], { prompt: "and now?", conversation: { type: "resume", id: child } });
    expect(await stage.received()).toMatch(/secret is 58[^]*mine is 59[^]*and now/u);
    await play([{ say: "noted" }], { prompt: "and you?", conversation: { type: "resume", id: parent } });
    expect(await stage.received()).not.toContain("mine is 59");

    const other = await at(["load"]);
    await other.play([{ say: "noted" }], { conversation: { type: "new", id: parent } });
    const { outcome } = await other.play([], { conversation: { type: "fork", id: child, parent } });
    expect(outcome).toMatchObject({
      type: "crashed",
      why: expect.stringContaining("it cannot fork a conversation"),
    });
  });

  test("a lost session is not replaced by a new one", async () => {
    const { play } = await at(["load"]);
    const { outcome } = await play([{ say: "hello" }], {
      conversation: { type: "resume", id: crypto.randomUUID() },
    });
    expect(outcome).toMatchObject({ type: "crashed", why: expect.stringContaining("it has no session for") });
  });

  test.each([
    ["max_turn_requests", { type: "max_turns" }],
    ["max_tokens", { type: "api_error" }],
    ["refusal", { type: "api_error" }],
    ["cancelled", { type: "api_error" }],
  ])("a turn that stopped with %s is not complete", async (stops, outcome) => {
    const { play } = await at([]);
    expect((await play([{ say: "so far" }, { stops }])).outcome).toMatchObject({
      ...outcome,
      text: "so far\n",
    });
  });

  test("a turn cancelled after a denied tool is complete: the agent may get a reminder", async () => {
    const { play } = await at([]);
    const { outcome } = await play([{ shell: "true" }, { stops: "cancelled" }], { tools: [] });
    expect(outcome.type).toBe("ok");
  });

  test("an agent that dies is crashed, with its last output", async () => {
    const { play } = await at([]);
    const { outcome } = await play([{ say: "so far" }, { dies: 3 }]);
    expect(outcome).toEqual({
      type: "crashed",
      text: "out of luck\nit ended with exit code 3\nso far\n",
      why: "ended with exit code 1: it ended with exit code 3",
    });
  });

  test("a login method is requested if one is set; without one a missing login is reported", async () => {
    const named = await at(["login"], "key");
    expect((await named.play([{ say: "in" }])).outcome).toEqual({ type: "ok", text: "in\n" });
    const none = await at(["login"]);
    expect((await none.play([{ say: "in" }])).outcome).toMatchObject({ type: "auth" });
  });

  test("a missing program, or one without ACP, is reported with the setting to fix", async () => {
    const { stage } = await at(["load"]);
    expect(await stage.agent.probe()).toEqual({ type: "ready", version: "1.2.3" });
    const options = {
      name: "mine",
      vendor: "me",
      login: null,
      env: {},
      path: "/usr/bin:/bin",
      home: tmpdir(),
      node: process.execPath,
    };
    const caller = packageRoot("dist/bin/acp-caller.js");
    expect(await acpAgent({ ...options, caller, run: ["no-such-program"] }).probe()).toEqual({
      type: "missing",
      why: "no-such-program is not installed (not on PATH)",
      hint: "install it, or correct `agents.commands.mine.acp` in mettle.yaml",
    });
    expect(await acpAgent({ ...options, caller, run: ["true"] }).probe()).toMatchObject({
      type: "missing",
      why: expect.stringContaining("true does not speak the Agent Client Protocol"),
    });
  });
});
