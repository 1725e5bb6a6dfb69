/** `envoy` within a dispatch: a client of the channel without a repository or store of its own. */
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { envoy } from "../../src/envoy/envoy.ts";
import { commands } from "../../src/envoy/table.ts";
import { openChannel, type Channel } from "../../src/channel/channel.ts";
import { okAnswer } from "../../src/channel/wire.ts";
import { channelVariables } from "../../src/channel/current-dispatch.ts";
import { envoyCalls } from "../../src/dispatch/channel/envoy-call.ts";
import { callHere, type InProcessResult } from "../cli/here.ts";
import { newFolder } from "../support/folder.ts";
import { createPlanWorld, hashOf, promptText, type PlanWorld } from "./plan-world.ts";
import { inCi } from "../verifies.ts";

let world: PlanWorld;
let channel: Channel;
/** The agent's folder: neither a repository nor a state home. */
let workspace = "";
beforeAll(async () => {
  world = await createPlanWorld();
  for (const [name, value] of Object.entries(world.env)) vi.stubEnv(name, value);
  await world.ok(["plan", "init"]);
  await world.ok(["plan", "write-prompt", "1", ...promptText]);
  await world.ok(["plan", "write-notes", "a", "--notes", "x"]);
  await world.repository.write({ "docs/caches.md": "# Caches\n\nAll about caches.\n" });
  channel = await openChannel(envoyCalls(world.repository.dir));
  workspace = newFolder();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await channel.close();
});

/** Runs envoy in a separate process; this process executes the calls. */
function inside(line: readonly string[], more: Readonly<Record<string, string>> = channelVariables(channel)) {
  const program = packageRoot("dist", "bin", "envoy.cjs");
  const env = { PATH: process.env["PATH"] ?? "", HOME: workspace, METTLE_HOME: "/dev/null", ...more };
  return new Promise<InProcessResult>((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...line], { cwd: workspace, env, timeout: 30_000 });
    const out = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk: Buffer) => (out.stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (out.stderr += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? -1, ...out }));
  });
}
const outside = (line: readonly string[]) =>
  callHere(line, { cwd: world.repository.dir, env: world.env }, envoy);

inCi("read-only commands answer as in the person's checkout, also with errors", async () => {
  for (const line of [
    ["plan", "read-prompt", "1"],
    ["plan", "next", "-n", "2", "--agent", "a"],
    ["--feature-branch", "feature/x", "plan", "read-design-manifest"],
    ["plan", "read-prompt", "7"],
    ["plan", "next", "--feature-branch", "main"],
    ["knowledge", "search", "docs", "what is said about caches"],
    ["protocol", "debugging"],
    ["protocol", "implementation", "--json", "--inputs", '{"prompt_num":1,"feature_branch":"feature/x"}'],
    ["protocol", "implementation", "--inputs", "{}"],
    ["protocol", "nothing"],
    // The file was already read by the client.
    ["plan", "nxt"],
    ["plan", "read-prompt"],
    ["--help"],
    ["plan", "next", "--help"],
  ])
    expect([line, await inside(line)]).toEqual([line, await outside(line)]);
});

inCi("writing commands are refused and write nothing", async () => {
  await writeFile(join(workspace, "w.md"), "text\n");
  const before = hashOf(join(world.repository.dir, ".claude"));
  const writing = commands.filter(({ reads }) => reads !== true);
  expect(writing.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["plan write-prompt", "git commit"]),
  );
  for (const { name, inputs } of writing.filter(({ name: one }) =>
    /write|init|commit|block-prompt/u.test(one),
  )) {
    const given = inputs
      .filter(({ required }) => required)
      .flatMap(({ name: field, place, takes }) => {
        const value = takes.type === "text" ? "@w.md" : "1";
        return place === "argument" ? [value] : [`--${field}`, value];
      });
    const { code, stdout, stderr } = await inside([...name.split(" "), ...given]);
    expect([name, code, JSON.parse(stdout)]).toMatchObject([
      name,
      2,
      { status: "error", error: { type: "not_in_protocol", command: name } },
    ]);
    expect(stderr).toMatch(/^error\[not_in_protocol\]: .*\nhint: /u);
  }
  expect(hashOf(join(world.repository.dir, ".claude"))).toBe(before);
});

inCi(
  "an ended dispatch, another dispatch's token and an incomplete address open no store either",
  async () => {
    const other = await openChannel(envoyCalls(world.repository.dir));
    const silent = await openChannel({});
    const line = ["plan", "read-prompt", "1"];
    const stale = channelVariables(other);
    await other.close();
    for (const [variables, type, code] of [
      [{ ...channelVariables(channel), METTLE_TOKEN: stale["METTLE_TOKEN"] ?? "" }, "not_your_dispatch", 5],
      [stale, "not_your_dispatch", 5],
      [{ METTLE_TOKEN: "x" }, "not_your_dispatch", 5],
      [{ METTLE_SOCKET: channel.socket }, "not_your_dispatch", 5],
      [channelVariables(silent), "not_in_protocol", 2],
    ] as const) {
      const reply = await inside(line, { ...variables });
      expect([reply.code, JSON.parse(reply.stdout)]).toMatchObject([
        code,
        { status: "error", error: { type } },
      ]);
      expect(reply.stderr).toContain(`error[${type}]: `);
    }
    await silent.close();
  },
);

inCi("mettle mcp offers the read-only commands as tools", async () => {
  const requests: unknown[] = [];
  const described = { describe: () => okAnswer({ role: "de", codes: ["GC"], envoy: true }) };
  const { envoy: obey } = envoyCalls(world.repository.dir);
  const own = await openChannel({
    ...described,
    envoy: (request) => {
      requests.push(request);
      return obey?.(request) ?? okAnswer(null);
    },
  });
  const client = new Client({ name: "test", version: "1" });
  const env = { PATH: process.env["PATH"] ?? "", METTLE_HOME: "/dev/null", ...channelVariables(own) };
  const args = [packageRoot("dist", "bin", "mcp.js")];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: workspace }));
  try {
    const { tools } = await client.listTools();
    const names = ["protocol", ...commands.filter(({ reads }) => reads === true).map(({ name }) => name)];
    expect(tools.map(({ name }) => name)).toEqual([
      "report",
      ...names.map((name) => `envoy_${name.replaceAll(/[ -]/gu, "_")}`),
    ]);
    const read = await client.callTool({ name: "envoy_plan_read_prompt", arguments: { prompt_num: "1" } });
    const { stdout } = await outside(["plan", "read-prompt", "1"]);
    expect(read).toEqual({ content: [{ type: "text", text: stdout.trimEnd() }] });
    const wrong = await client.callTool({ name: "envoy_plan_read_prompt", arguments: { prompt_num: "7" } });
    expect(wrong).toMatchObject({ isError: true });
    expect(requests).toMatchObject([{ args: { prompt_num: "1" } }, { args: { prompt_num: "7" } }]);
  } finally {
    await client.close();
    await own.close();
  }
});
