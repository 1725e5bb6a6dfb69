/** The built MCP server, called by the SDK's client over standard input and output. */
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { packageRoot } from "../config/package-root.ts";
import type { DispatchCommand } from "../kernel/command.ts";
import { dispatchOf } from "../kernel/fixtures/dispatch.ts";
import { openChannel, type Channel } from "../channel/channel.ts";
import { channelVariables } from "../channel/current-dispatch.ts";
import { channelCalls } from "../dispatch/channel/channel-calls.ts";
import { collectDecisions, type Decisions } from "../dispatch/channel/decisions.ts";
import { tooLong } from "./bounded-input.ts";
import { inCi, verifies } from "../../test/verifies.ts";

const program = packageRoot("dist/bin/mcp.js");
const command: DispatchCommand = dispatchOf("green", "coder", { reports: ["GC", "TI"] });

const clients: Client[] = [];
async function connect(
  env: Readonly<Record<string, string>>,
  { argv = [program], cwd = tmpdir() }: { argv?: readonly string[]; cwd?: string } = {},
) {
  const client = new Client({ name: "test", version: "1" });
  clients.push(client);
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...argv], env: { ...env }, cwd }),
  );
  return client;
}
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));

const report = (client: Client, fields: Readonly<Record<string, unknown>>) =>
  client.callTool({ name: "report", arguments: { ...fields } });

describe("within a dispatch", () => {
  let decisions: Decisions;
  let channel: Channel;
  beforeEach(async () => {
    decisions = collectDecisions(command, []);
    channel = await openChannel(channelCalls(command, decisions));
  });
  afterEach(() => channel.close());

  test("it offers one tool with the codes of this dispatch", async () => {
    const client = await connect(channelVariables(channel));
    expect(client.getServerVersion()).toMatchObject({ name: "mettle", title: "Mettle" });
    expect(client.getInstructions()).toBe(
      "You work as coder in a dispatch of Mettle. End it with the tool report. Codes: GC, TI, BL, ME, TO, EX.",
    );
    const { tools } = await client.listTools();
    expect(tools).toEqual([
      {
        name: "report",
        title: "Report the decision",
        description: expect.stringContaining("Codes that are accepted: GC, TI, BL, ME, TO, EX."),
        inputSchema: {
          type: "object",
          properties: {
            status: expect.objectContaining({ type: "string", enum: ["GC", "TI", "BL", "ME", "TO", "EX"] }),
            message: expect.objectContaining({ type: "string" }),
            payload: expect.anything(),
          },
          required: ["status", "message"],
        },
        annotations: {
          title: "Report the decision",
          readOnlyHint: false,
          destructiveHint: false,
          idempotentHint: false,
          openWorldHint: false,
        },
      },
    ]);
  });

  test("a wrong code is refused with the allowed ones, a valid one is accepted, a later one gets the accepted decision", async () => {
    const client = await connect(channelVariables(channel));
    expect(await report(client, { status: "DONE", message: "x" })).toEqual({
      isError: true,
      content: [
        {
          type: "text",
          text: "error[code_not_allowed]: DONE is none of GC, TI, BL, ME, TO, EX\nfield: status\nhint: report again with one of: GC, TI, BL, ME, TO, EX",
        },
      ],
    });
    expect(await report(client, { message: "no status" })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^error\[report_refused\]: status: .*\nfield: status\n/u) }],
    });
    expect(await report(client, { status: "GC", message: "implemented", payload: { n: 1 } })).toEqual({
      content: [{ type: "text", text: "accepted: GC. Your work is decided; end it here." }],
    });
    expect(await report(client, { status: "BL", message: "wait" })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("a later decision BL; GC counts") }],
    });
    expect(decisions.accepted()).toEqual({
      status: "GC",
      message: "implemented",
      payload: { n: 1 },
      channel: "mcp",
    });
    expect(decisions.refused()).toHaveLength(2);
  });

  test("an unknown tool gets the message of the SDK's servers", async () => {
    const client = await connect(channelVariables(channel));
    expect(await client.callTool({ name: "write", arguments: {} })).toEqual({
      isError: true,
      content: [{ type: "text", text: "MCP error -32602: Tool write not found" }],
    });
  });

  inCi("after the end of the dispatch its token is refused, by an old server and by a new one", async () => {
    const client = await connect(channelVariables(channel));
    await channel.close();
    expect(await report(client, { status: "GC", message: "late" })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^error\[not_your_dispatch\]: the dispatch has ended/u) }],
    });
    const later = await connect(channelVariables(channel));
    expect(later.getInstructions()).toMatch(
      /^No tools are offered: error\[not_your_dispatch\]: the dispatch has ended/u,
    );
    expect((await later.listTools()).tools).toEqual([]);
    expect(await report(later, { status: "GC", message: "late" })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("error[not_your_dispatch]") }],
    });
    expect(decisions.accepted()).toBeNull();
  });

  verifies(
    "ORC-88",
    "each answer begins with the state line of the run, as it is at that moment",
    async () => {
      const lines = [
        "[Orc.Phase7_TDD_GREEN] [Gemini: 1/3] [Claude: 1/3] [Exec: UNPROVEN] [Exit: PENDING] [Status: in_progress]",
        "[Orc.Phase7_TDD_GREEN] [Gemini: 1/3] [Claude: 1/3] [Exec: UNPROVEN] [Exit: 1] [Status: in_progress]",
      ];
      let calls = 0;
      const line = () => lines[calls++ < 2 ? 0 : 1] ?? null;
      const own = await openChannel(channelCalls(command, collectDecisions(command, []), { line }));
      const client = await connect(channelVariables(own));
      const heads = [];
      for (const status of ["??", "GC"]) {
        const { content } = await report(client, { status, message: "x" });
        heads.push((content as { text: string }[])[0]?.text);
      }
      expect(heads).toEqual(lines);
      await own.close();
    },
  );

  test("the token of another dispatch is refused", async () => {
    const other = await openChannel(channelCalls(command, collectDecisions(command, [])));
    const client = await connect(channelVariables({ socket: channel.socket, token: other.token }));
    expect(client.getInstructions()).toContain(
      "error[not_your_dispatch]: the token is not that of this dispatch",
    );
    await other.close();
  });
});

describe("outside a dispatch and a repository", { tags: "ci" }, () => {
  let cwd: string;
  beforeAll(() => (cwd = newFolder()));

  test.each([
    ["the program of the runtime", [program]],
    ["mettle mcp", [packageRoot("dist/bin/mettle.js"), "mcp"]],
  ])("%s starts, offers no tools and gives the reason", async (_name, argv) => {
    const client = await connect({}, { argv, cwd });
    const why = /No tools are offered: error\[not_a_repository\]: /u;
    expect(client.getInstructions()).toMatch(why);
    expect((await client.listTools()).tools).toEqual([]);
    expect(await report(client, { status: "GC", message: "" })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(why) }],
    });
  });

  test.each([
    ["its input ends", [program], null],
    ["mettle mcp's input ends", [packageRoot("dist/bin/mettle.js"), "mcp"], null],
    ["it is asked to", [program], "SIGTERM"],
    ["mettle mcp is asked to", [packageRoot("dist/bin/mettle.js"), "mcp"], "SIGTERM"],
  ] as const)("exits cleanly when %s, with only MCP on its output", async (_name, argv, signal) => {
    const child = spawn(process.execPath, argv, {
      cwd,
      env: { PATH: "/usr/bin:/bin" },
      stdio: ["pipe", "pipe", "pipe"],
    });
    const output = { out: "", err: "" };
    child.stdout.on("data", (chunk: Buffer) => {
      output.out += chunk.toString();
      if (signal !== null) child.kill(signal);
    });
    child.stderr.on("data", (chunk: Buffer) => (output.err += chunk.toString()));
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
    if (signal === null) child.stdin.end(ping);
    else child.stdin.write(ping);
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect([output.out, output.err]).toEqual(['{"result":{},"jsonrpc":"2.0","id":1}\n', ""]);
    expect(code).toBe(0);
  });
});

inCi("a message over the limit is refused and dropped, and the next one is answered", async () => {
  const cwd = newFolder();
  const child = spawn(process.execPath, [program], { cwd, env: { PATH: "/usr/bin:/bin" } });
  const answers: unknown[] = [];
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${"x".repeat(50_000_000)}"}}\n`);
  child.stdin.end('{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
  const code = await new Promise((resolve) => child.on("close", resolve));
  answers.push(
    ...text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown),
  );
  expect(answers).toEqual([tooLong, { jsonrpc: "2.0", id: 2, result: {} }]);
  expect(tooLong.error.message).toContain("10485760 bytes");
  expect(code).toBe(0);
});
