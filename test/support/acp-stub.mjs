// A test agent that speaks the Agent Client Protocol: performs the acts in a file, asks before it writes or runs anything, and
// stores its sessions in a file, so that another process can resume them.
// `node acp-stub.mjs ACTS.json HEARD.jsonl SESSIONS.json [CAN…]`; CAN: load, late (replays a session after the answer to session/load), resume, fork, login
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { agent, ndJsonStream, PROTOCOL_VERSION, RequestError } from "@agentclientprotocol/sdk";

const [acts, received, sessionsFile, ...can] = process.argv.slice(2);
const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];
/** Session -> its messages. */
const sessions = existsSync(sessionsFile) ? JSON.parse(readFileSync(sessionsFile, "utf8")) : {};
const places = new Map();
let loggedIn = !can.includes("login");
let calls = 0;

const open = (id, texts, { cwd, mcpServers }) => {
  if (!loggedIn) throw RequestError.authRequired();
  places.set(id, { cwd, mcpServers });
  sessions[id] = texts;
  return { sessionId: id };
};
const known = (id) => {
  if (sessions[id] === undefined) throw RequestError.resourceNotFound(id);
  return sessions[id];
};

const app = agent({ name: "stub" })
  .onRequest("initialize", () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: "stub", version: "1.2.3" },
    agentCapabilities: {
      loadSession: can.includes("load"),
      sessionCapabilities: {
        ...(can.includes("resume") ? { resume: {} } : {}),
        ...(can.includes("fork") ? { fork: {} } : {}),
      },
    },
    authMethods: [{ id: "key", name: "A key" }],
  }))
  .onRequest("authenticate", ({ params }) => {
    if (params.methodId !== "key") throw RequestError.invalidParams();
    loggedIn = true;
    return {};
  })
  .onRequest("session/new", ({ params }) => open(crypto.randomUUID(), [], params))
  .onRequest("session/resume", ({ params }) => {
    open(params.sessionId, known(params.sessionId), params);
    return {};
  })
  .onRequest("session/load", async ({ params, client }) => {
    const texts = known(params.sessionId);
    open(params.sessionId, texts, params);
    const retell = async () => {
      for (const text of texts) await tell(client, params.sessionId, "agent_message_chunk", text);
    };
    if (can.includes("late")) setTimeout(() => void retell(), 100);
    else await retell();
    return {};
  })
  .onRequest("session/prompt", ({ params, client }) => play(params, client));
if (can.includes("fork"))
  app.onRequest(
    "session/fork",
    (params) => params,
    ({ params }) => open(crypto.randomUUID(), [...known(params.sessionId)], params),
  );
app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

async function play({ sessionId, prompt }, client) {
  const texts = sessions[sessionId];
  texts.push(prompt.map(({ text }) => text).join(""));
  appendFileSync(received, `${JSON.stringify({ texts, env: process.env, ...places.get(sessionId) })}\n`);
  for (const act of JSON.parse(readFileSync(acts, "utf8"))) {
    const stop = await perform(act, sessionId, client);
    if (stop !== undefined) return { stopReason: stop };
    if ("say" in act) texts.push(act.say);
  }
  writeFileSync(sessionsFile, JSON.stringify(sessions));
  return {
    stopReason: "end_turn",
    _meta: { quota: { token_count: { input_tokens: 100, output_tokens: 20 } } },
  };
}

async function perform(act, sessionId, client) {
  const { cwd, mcpServers } = places.get(sessionId);
  if ("say" in act)
    for (const piece of act.say.match(/.{1,5}/gsu) ?? [])
      await tell(client, sessionId, "agent_message_chunk", piece);
  if ("write" in act) {
    const path = isAbsolute(act.write.path) ? act.write.path : join(cwd, act.write.path);
    const call = { kind: "edit", title: "write_file", locations: [{ path }], rawInput: { path } };
    if (await mayI(client, sessionId, call)) writeFileSync(path, act.write.content);
  }
  if (
    "shell" in act &&
    (await mayI(client, sessionId, { kind: "execute", title: "shell", rawInput: { command: act.shell } }))
  )
    spawnSync("/bin/sh", ["-c", act.shell], { cwd, stdio: ["ignore", "ignore", "pipe"] });
  if ("ask" in act) await mayI(client, sessionId, act.ask);
  if (
    "report" in act &&
    (await mayI(client, sessionId, { kind: "other", title: "report (mettle MCP Server)" }))
  )
    await report(mcpServers[0], act.report);
  if ("context" in act)
    await client.notify("session/update", {
      sessionId,
      update: { sessionUpdate: "usage_update", used: act.context * 1000, size: 1000 },
    });
  if ("hang" in act) await new Promise(() => setInterval(() => undefined, 60_000));
  if ("dies" in act) {
    process.stderr.write("out of luck\n");
    process.exit(act.dies);
  }
  if ("fails" in act) throw failures[act.fails];
  return act.stops;
}

const failures = {
  rate_limited: new RequestError(429, "Rate limit exceeded. Try again later."),
  auth: RequestError.authRequired(),
  api_error: new RequestError(-32603, "Internal error", { details: "500 Internal Server Error" }),
};

async function mayI(client, sessionId, call) {
  const toolCall = { toolCallId: `call-${++calls}`, status: "pending", ...call };
  await client.notify("session/update", { sessionId, update: { sessionUpdate: "tool_call", ...toolCall } });
  const { outcome } = await client.request("session/request_permission", { sessionId, toolCall, options });
  return outcome.outcome === "selected" && outcome.optionId === "yes";
}

async function report({ command, args, env }, fields) {
  // Few turns report, and to load it takes longer than the rest of a turn.
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  const server = new Client({ name: "stub", version: "1" });
  const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  await server.connect(new StdioClientTransport({ command, args, env: variables }));
  await server.callTool({ name: "report", arguments: fields });
  await server.close();
}

function tell(client, sessionId, sessionUpdate, text) {
  return client.notify("session/update", {
    sessionId,
    update: { sessionUpdate, content: { type: "text", text } },
  });
}
