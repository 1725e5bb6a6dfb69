/**
 * Takes one turn with an agent that speaks the Agent Client Protocol: starts it, hands it the prompt and our MCP server, answers
 * what it asks, and prints what it tells in the lines of event-line.ts. A process of its own, so that the adapter's deadlines end
 * it and whatever it started, and so that no command loads what speaks ACP. Standard input: an AcpRequest.
 */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { realpath } from "node:fs/promises";
import { Readable, Writable } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { client, ndJsonStream, PROTOCOL_VERSION, type ClientContext } from "@agentclientprotocol/sdk";
import { environment } from "../../config/env.ts";
import type { AgentEvent } from "../agent.ts";
import type { EndEvent } from "../event-line.ts";
import { endOfError, endOfStop } from "./failure.ts";
import { permissionResponse, isPermitted } from "./permission.ts";
import type { AcpRequest, ProbeResult, Turn } from "./request.ts";
import { openSession, canRestore } from "./sessions.ts";
import { reportUpdates } from "./updates.ts";

/** Time for the agent to put down its session when its input has ended. */
const exitGraceMs = 2000;
/** So long without an update a session is told to its end; in all ten seconds at most. */
const quietMs = 250;
const maxRounds = 40;

// Written by the adapter a moment ago.
const request = JSON.parse(await textOf(process.stdin)) as AcpRequest;
const [file, ...argv] = request.run;
const child = spawn(file, argv, {
  cwd: request.cwd,
  env: environment(),
  stdio: ["pipe", "pipe", "inherit"],
});
const gone = new Promise<string>((resolve) => {
  child.once("error", (error) => resolve(`cannot be started: ${error.message}`));
  child.once("close", (code, signal) => resolve(`ended with ${signal ?? `exit code ${code}`}`));
});
// Of an agent that went without reading only its end is told.
child.stdin.on("error", () => undefined);

const told = reportUpdates(emit);
try {
  await runTurn();
} catch (error) {
  told.flush();
  const end = endOfError(error);
  if (end !== null) emit(end);
  else fail(await failureReason(error));
}
await endAgent(child);

async function runTurn(): Promise<void> {
  const denied = new Set<string>();
  let listening = false;
  let updates = 0;
  const cwd = await realpath(request.cwd);
  const connection = client({ name: "mettle" })
    .onRequest("session/request_permission", ({ params: { toolCall, options } }) => {
      const { tools = [], mcp = null } = request.turn ?? {};
      const permitted = isPermitted(toolCall, { tools, cwd, server: mcp?.name ?? null });
      told.tool(toolCall);
      if (!permitted) {
        denied.add(toolCall.toolCallId);
        told.denied(toolCall);
      }
      return permissionResponse(permitted, options);
    })
    .onNotification("session/update", ({ params }) => {
      updates += 1;
      // A session that is loaded is told from its beginning.
      if (listening) told.update(params.update);
    })
    .connect(ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)));
  const { agent } = connection;
  const ended = gone.then((how) => Promise.reject(new Error(`it ${how}`)));
  await Promise.race([talk(agent), ended]);

  async function talk(context: ClientContext): Promise<void> {
    const { agentCapabilities = {}, agentInfo } = await context.request("initialize", {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: "mettle", version: "1" },
      // It reads, writes and starts commands by itself, and asks before: what counts is executed by the runtime anyway.
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
    if (request.turn === null)
      return printProbe({
        version: agentInfo?.version ?? "unknown",
        remembers: canRestore(agentCapabilities),
      });
    if (request.login !== null) await context.request("authenticate", { methodId: request.login });
    const { turn } = request;
    const sessionId = await openSession({
      agent: context,
      capabilities: agentCapabilities,
      cwd: request.cwd,
      turn,
    });
    if (turn.conversation.type !== "new") await waitUntilQuiet();
    listening = true;
    await prompt(context, sessionId, turn);
  }

  /** Some answer that the session is loaded before they have told it: what was said long ago is no part of this turn. */
  async function waitUntilQuiet(): Promise<void> {
    for (let round = 0, before = -1; round < maxRounds && before !== updates; round++) {
      before = updates;
      await new Promise((resolve) => setTimeout(resolve, quietMs));
    }
  }

  async function prompt(context: ClientContext, sessionId: string, turn: Turn): Promise<void> {
    const response = await context.request("session/prompt", {
      sessionId,
      prompt: [{ type: "text", text: turn.prompt }],
    });
    told.end(response);
    const end = endOfStop(response.stopReason, denied.size > 0);
    if (end !== null) emit(end);
  }
}

/** That the connection is closed says less than how the agent ended. */
async function failureReason(error: unknown): Promise<string> {
  const soon = new Promise<null>((resolve) => setTimeout(resolve, 500, null));
  const how = await Promise.race([gone, soon]);
  return how === null ? (error instanceof Error ? error.message : String(error)) : `it ${how}`;
}

function printProbe(looked: ProbeResult): void {
  emit({ type: "text", text: JSON.stringify(looked) });
}

function emit(event: AgentEvent | EndEvent): void {
  process.stdout.write(`${JSON.stringify({ mettle: 1, ...event })}\n`);
}

function fail(why: string): void {
  process.stderr.write(`${why}\n`);
  process.exitCode = 1;
}

/** What does not go by itself is ended; what it started, the adapter ends. */
async function endAgent(agent: ChildProcessByStdio<Writable, Readable, null>): Promise<void> {
  agent.stdin.end();
  const late = new AbortController();
  const timer = setTimeout(() => agent.kill("SIGKILL"), exitGraceMs);
  if (agent.exitCode === null && agent.signalCode === null && agent.pid !== undefined)
    await once(agent, "exit", { signal: late.signal });
  clearTimeout(timer);
  agent.stdout.destroy();
}
