/** `mettle mcp --http`: the built program, over real sockets of this machine. */
import { spawn, type ChildProcess } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isGraphCall } from "../memory/graph/shapes.ts";
import { packageRoot } from "../config/package-root.ts";
import { maxMessageBytes } from "./bounded-input.ts";
import { makePlace, type Place } from "./fixtures/servers.ts";
import { inCi } from "../../test/verifies.ts";

let place: Place;
let server: Served;
beforeAll(async () => {
  place = await makePlace();
  server = await serve(place);
});
afterAll(() => stop(server.child));

interface Served {
  readonly child: ChildProcess;
  readonly port: number;
  readonly file: string;
  readonly token: string;
}

async function serve({ dir, env }: Place): Promise<Served> {
  const child = spawn(process.execPath, [packageRoot("dist/bin/mettle.js"), "mcp", "--http", "0"], {
    cwd: dir,
    env: { ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.once("close", () => reject(new Error(`it ended: ${output}`)));
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.split("\n").length > 2) resolve();
    });
  });
  const port = Number(/127\.0\.0\.1:(\d+)\/mcp/u.exec(output)?.[1]);
  const file = /the token is in (.*)$/mu.exec(output)?.[1] ?? "";
  return { child, port, file, token: (await readFile(file, "utf8")).trim() };
}

function stop(child: ChildProcess): Promise<number | null> {
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  child.kill("SIGTERM");
  return ended;
}

async function connected({ port, token }: Served): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const headers = { Authorization: `Bearer ${token}` };
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  return client;
}

interface Said {
  readonly status: number;
  readonly text: string;
}

/** One raw request, since fetch sets the Host header. */
function ask(fields: {
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly body?: string | Buffer;
}): Promise<Said> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: "127.0.0.1",
        port: server.port,
        method: "POST",
        path: fields.path ?? "/mcp",
        headers: {
          Authorization: `Bearer ${server.token}`,
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
          ...fields.headers,
        },
      },
      (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => (text += chunk.toString()));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    request.on("error", reject);
    request.end(fields.body ?? "{}");
  });
}

inCi("two clients share one graph, each in its own session", async () => {
  const [one, two] = await Promise.all([connected(server), connected(server)]);
  const entities = (name: string) => ({ entities: [{ name, entityType: "person", observations: [] }] });
  await Promise.all([
    one.callTool({ name: "create_entities", arguments: entities("Ada") }),
    two.callTool({ name: "create_entities", arguments: entities("Bob") }),
  ]);
  const found = await one.callTool({ name: "open_nodes", arguments: { names: ["Ada", "Bob"] } });
  expect((found.structuredContent as { entities: unknown[] }).entities).toHaveLength(2);
  const { tools } = await two.listTools();
  expect(tools.filter(({ name }) => isGraphCall(name))).toHaveLength(9);
  await Promise.all([one.close(), two.close()]);
});

inCi("only one of two sessions holds a dispatch, until that session ends", async () => {
  await writeFile(join(place.dir, "mettle.yaml"), 'version: 1\nrunner: "node:test"\n');
  const [one, two] = await Promise.all([connected(server), connected(server)]);
  const call = async (client: Client, name: string, args = {}) => {
    const { content } = await client.callTool({ name, arguments: args });
    return (content as { text: string }[])[0]?.text ?? "";
  };
  expect(await call(one, "enter", { mode: "O1P", ctx: "Add slugify(text)" })).toContain("Ω₁ᴾ[]");
  for (let times = 0; times < 2; times += 1)
    expect(await call(two, "next")).toMatch(
      new RegExp(`^error\\[role_busy\\]: .*process ${server.child.pid}, its session \\w+`, "u"),
    );
  expect(await call(one, "next")).toContain("Ω₁ᴾ[]");
  await (one.transport as StreamableHTTPClientTransport).terminateSession();
  expect(await call(two, "next")).toContain("Ω₁ᴾ[]");
  await Promise.all([one.close(), two.close()]);
});

inCi("the token is in a file that only this user may read, and the next start uses it again", async () => {
  expect((await stat(server.file)).mode & 0o777).toBe(0o600);
  const other = await serve(place);
  expect([other.file, other.token]).toEqual([server.file, server.token]);
  expect(await stop(other.child)).toBe(0);
});

test("requests without the token, from a web page or with another host name are refused", async () => {
  const refused = async (fields: Parameters<typeof ask>[0]) => (await ask(fields)).status;
  expect({
    none: await refused({ headers: { Authorization: "" } }),
    wrong: await refused({ headers: { Authorization: `Bearer ${server.token}x` } }),
    host: await refused({ headers: { Host: "evil.example" } }),
    rebound: await refused({ headers: { Host: `evil.example:${server.port}` } }),
    page: await refused({ headers: { Origin: "https://evil.example" } }),
    opaque: await refused({ headers: { Origin: "null" } }),
    path: await refused({ path: "/" }),
    json: await refused({ body: "{" }),
    sessionless: await refused({ body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }) }),
    session: await refused({ headers: { "Mcp-Session-Id": "x" } }),
  }).toEqual({
    none: 401,
    wrong: 401,
    host: 403,
    rebound: 403,
    page: 403,
    opaque: 403,
    path: 404,
    json: 400,
    sessionless: 400,
    session: 404,
  });
});

test("it listens at 127.0.0.1 and at no other address", async () => {
  const code = await new Promise((resolve) => {
    connect({ host: "127.0.0.2", port: server.port })
      .once("connect", () => resolve("connected"))
      .once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
  });
  expect(code).toBe("ECONNREFUSED");
});

inCi("50 MB are refused with the limit, a flood too, and the next request is answered", async () => {
  const large = Buffer.alloc(50_000_000, 0x20);
  const tooLarge = { status: 413, text: expect.stringContaining(`at most ${maxMessageBytes} bytes`) };
  expect(await ask({ body: large })).toEqual(tooLarge);
  expect(await ask({ body: large, headers: { "Transfer-Encoding": "chunked" } })).toEqual(tooLarge);
  const nearly = Buffer.alloc(maxMessageBytes - 10, 0x20);
  const flood = await Promise.all(Array.from({ length: 16 }, () => ask({ body: nearly })));
  // Spaces are not JSON; requests over the total limit are refused.
  expect(flood.every(({ status }) => status === 400 || status === 503)).toBe(true);
  const client = await connected(server);
  expect((await client.callTool({ name: "search_nodes", arguments: { query: "ada" } })).isError).toBeFalsy();
  await client.close();
  if (process.platform === "linux") expect(await peakMb(server.child)).toBeLessThan(400);
});

test("the number of sessions is limited, and abandoned ones make room (fault S10)", async () => {
  const initialize = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "many", version: "1" } },
  });
  const own = await serve(place);
  const begin = () =>
    fetch(`http://127.0.0.1:${own.port}/mcp`, {
      method: "POST",
      body: initialize,
      headers: {
        Authorization: `Bearer ${own.token}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
    });
  const ids: string[] = [];
  for (let n = 0; n < 64; n++) {
    const answer = await begin();
    await answer.text();
    ids.push(answer.headers.get("mcp-session-id") ?? "");
  }
  expect(new Set(ids).size).toBe(64);
  const call = (method: string, id: string) =>
    fetch(`http://127.0.0.1:${own.port}/mcp`, {
      method,
      headers: {
        Authorization: `Bearer ${own.token}`,
        "Mcp-Session-Id": id,
        Accept: "text/event-stream",
      },
    });
  // Sessions with an open stream are active; the longest idle one ends.
  const listening = await Promise.all(ids.slice(1).map((id) => call("GET", id)));
  expect(listening.every(({ status }) => status === 200)).toBe(true);
  expect((await begin()).status).toBe(200);
  expect((await call("GET", ids[0] ?? "")).status).toBe(404);
  // The new session is idle too.
  const newest = await begin();
  const stream = await call("GET", newest.headers.get("mcp-session-id") ?? "");
  expect([newest.status, stream.status]).toEqual([200, 200]);
  expect((await begin()).status).toBe(503);
  expect((await call("DELETE", ids[1] ?? "")).status).toBe(200);
  expect((await begin()).status).toBe(200);
  expect(await stop(own.child)).toBe(0);
});

async function peakMb({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/u.exec(status)?.[1]) / 1024;
}
