/** The memory tools within a dispatch: through the channel only, and only for roles that are not isolated. */
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { stateHome } from "../config/home.ts";
import { packageRoot } from "../config/package-root.ts";
import type { DispatchCommand } from "../kernel/command.ts";
import { dispatchOf } from "../kernel/fixtures/dispatch.ts";
import { openGraph } from "../memory/graph/open.ts";
import { loadProtocol } from "../protocol/load.ts";
import { readLibrary } from "../engine/start/library.ts";
import { openChannel, type Channel } from "../channel/channel.ts";
import { callChannel } from "../channel/client.ts";
import { channelVariables } from "../channel/current-dispatch.ts";
import { channelCalls } from "../dispatch/channel/channel-calls.ts";
import { collectDecisions } from "../dispatch/channel/decisions.ts";
import { graphBehindChannel, graphOfDispatch, type GraphOfDispatch } from "../dispatch/channel/graph-call.ts";
import { systemClock } from "../lib/clock.ts";
import { program } from "./fixtures/servers.ts";
import { inCi } from "../../test/verifies.ts";

const command: DispatchCommand = dispatchOf("plan", "planner", { reports: ["PC"] });

const passedOn = "planted4712pat";
let home: string;
let graph: GraphOfDispatch;
let channel: Channel;
let client: Client;
beforeEach(async () => {
  home = newFolder();
  graph = graphBehindChannel(() => openGraph({ home, clock: systemClock }), [passedOn]);
  channel = await openChannel(channelCalls(command, collectDecisions(command, []), { graph }));
  client = new Client({ name: "test", version: "1" });
  // Only the channel leads to the graph, not the folder or the environment.
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program],
      env: { ...channelVariables(channel) },
      cwd: tmpdir(),
    }),
  );
});
afterEach(async () => {
  await client.close();
  await channel.close();
  await graph.close();
});

const call = (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args });

inCi("the nine tools are listed with report and reach the graph; listing them creates no state", async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "report",
    "create_entities",
    "create_relations",
    "add_observations",
    "delete_entities",
    "delete_observations",
    "delete_relations",
    "read_graph",
    "search_nodes",
    "open_nodes",
  ]);
  expect(await readdir(home)).toEqual([]);
  const ada = { name: "Ada", entityType: "person", observations: ["wrote notes"] };
  expect((await call("create_entities", { entities: [ada] })).structuredContent).toEqual({
    entities: [ada],
  });
  expect((await call("search_nodes", { query: "NOTES" })).structuredContent).toEqual({
    entities: [ada],
    relations: [],
  });
  expect(await call("add_observations", { observations: [{ entityName: "Bob", contents: [] }] })).toEqual({
    isError: true,
    content: [{ type: "text", text: "Entity with name Bob not found" }],
  });
  expect(await call("open_nodes", { names: 7 })).toEqual({
    isError: true,
    content: [
      {
        type: "text",
        text: "MCP error -32602: Input validation error: Invalid arguments for tool open_nodes: Invalid input: expected array, received number at names",
      },
    ],
  });
});

inCi("an answer or request that is too long for the channel is refused with a hint", async () => {
  const entity = (n: number) => ({ name: `n${n}`, entityType: "t", observations: ["x".repeat(900_000)] });
  for (const n of [1, 2, 3, 4]) await call("create_entities", { entities: [entity(n)] });
  expect(await call("read_graph")).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^the answer has \d+ bytes.*\nhint: search_nodes/u) }],
  });
  expect((await call("open_nodes", { names: ["n1"] })).structuredContent).toEqual({
    entities: [entity(1)],
    relations: [],
  });
  const large = { name: "large", entityType: "t", observations: ["x".repeat(2 << 20)] };
  expect(await call("create_entities", { entities: [large] })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^error\[line_too_long\]/u) }],
  });
});

test("an unknown graph tool is refused; without a shared graph the call does not exist", async () => {
  const named = (tool: unknown) => callChannel(channel, { call: "memory", tool });
  for (const tool of ["toString", "report", 7])
    expect(await named(tool)).toMatchObject({ ok: false, error: { code: "bad_request", field: "tool" } });
  const alone = await openChannel(channelCalls(command, collectDecisions(command, [])));
  try {
    expect(await callChannel(alone, { call: "memory", tool: "read_graph" })).toMatchObject({
      ok: false,
      error: { code: "bad_request", hint: "known: describe, report" },
    });
    expect(await callChannel(alone, { call: "describe" })).toMatchObject({
      result: { role: "planner", codes: expect.any(Array) },
    });
  } finally {
    await alone.close();
  }
});

test("after the end of the dispatch the graph is unreachable, and no store is opened instead", async () => {
  await call("create_entities", { entities: [{ name: "Ada", entityType: "person", observations: [] }] });
  await channel.close();
  expect(await call("read_graph")).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^error\[not_your_dispatch\]/u) }],
  });
});

test("a variable that is passed on to agents is kept in no entity (fault S5)", async () => {
  const entities = [{ name: `of ${passedOn}`, entityType: "key", observations: [`it is ${passedOn}`] }];
  await call("create_entities", { entities });
  const text = JSON.stringify(await call("read_graph"));
  expect(text).toContain("it is [secret]");
  expect(text).not.toContain(passedOn);
});

test("an isolated role has no graph, which would show it the knowledge of others", async () => {
  const library = await readLibrary({ shipped: packageRoot("protocols"), root: null });
  const protocol = loadProtocol("orchestrate", library.protocols);
  if (!("roles" in protocol)) throw new Error("orchestrate has no roles");
  const context = {
    protocol,
    home: stateHome({ repository: "r", env: { METTLE_HOME: home } }),
    clock: systemClock,
    host: { secrets: [] },
  };
  const given = Object.entries(protocol.roles).map(([role, { isolated }]) => ({
    role,
    isolated,
    graph: graphOfDispatch(context, { role }) !== null,
  }));
  expect(given.filter(({ isolated }) => isolated)).toContainEqual({
    role: "coder",
    isolated: true,
    graph: false,
  });
  expect(given.every(({ isolated, graph: shared }) => isolated !== shared)).toBe(true);
  expect(given.some(({ graph: shared }) => shared)).toBe(true);
  expect(graphOfDispatch(context, { role: "nobody" })).toBeNull();
});
