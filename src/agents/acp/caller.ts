/**
 * Runs one turn with an agent that speaks the Agent Client Protocol: starts the agent, sends the prompt and our MCP server,
 * answers permission requests, and prints the agent's updates as event lines (event-line.ts). It is a separate process, so that
 * the adapter's deadlines end it with everything it started, and so that no command loads the ACP library.
 * Standard input: an AcpRequest.
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
import type { AcpRequest, ProbeResult, AcpTurn } from "./request.ts";
import { openSession, canRestore } from "./sessions.ts";
import { reportUpdates } from "./updates.ts";

/** Time for the agent to exit after its input has ended. */
const exitGraceMs = 2000;
/** A loaded session has been replayed after this time without an update; ten seconds at most in total. */
const quietMs = 250;
const maxRounds = 40;

// The adapter wrote it.
const request = JSON.parse(await textOf(process.stdin)) as AcpRequest;
const [file, ...argv] = request.run;
const child = spawn(file, argv, {
  cwd: request.cwd,
  env: environment(),
  stdio: ["pipe", "pipe", "inherit"],
});
const exited = new Promise<string>((resolve) => {
  child.once("error", (error) => resolve(`cannot be started: ${error.message}`));
  child.once("close", (code, signal) => resolve(`ended with ${signal ?? `exit code ${code}`}`));
});
// An agent that exits without reading its input is reported by its exit code.
child.stdin.on("error", () => undefined);

const reporter = reportUpdates(emit);
try {
  await runTurn();
} catch (error) {
  reporter.flush();
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
  // Node's own type of a web stream, which differs from the browser's in a reader of the SDK that is never used here.
  const bytes = Readable.toWeb(child.stdout) as globalThis.ReadableStream<Uint8Array>;
  const connection = client({ name: "mettle" })
    .onRequest("session/request_permission", ({ params: { toolCall, options } }) => {
      const { tools = [], mcp = null } = request.turn ?? {};
      const permitted = isPermitted(toolCall, { tools, cwd, server: mcp?.name ?? null });
      reporter.tool(toolCall);
      if (!permitted) {
        denied.add(toolCall.toolCallId);
        reporter.denied(toolCall);
      }
      return permissionResponse(permitted, options);
    })
    .onNotification("session/update", ({ params }) => {
      updates += 1;
      // A loaded session is replayed from its beginning.
      if (listening) reporter.update(params.update);
    })
    .connect(ndJsonStream(Writable.toWeb(child.stdin), bytes));
  const { agent } = connection;
  const ended = exited.then((how) => Promise.reject(new Error(`it ${how}`)));
  await Promise.race([runSession(agent), ended]);

  async function runSession(context: ClientContext): Promise<void> {
    const { agentCapabilities = {}, agentInfo } = await context.request("initialize", {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: "mettle", version: "1" },
      // The agent itself reads, writes and runs commands, with permission.
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

  /** Some agents answer `session/load` before the replay ends; the replay is not part of this turn. */
  async function waitUntilQuiet(): Promise<void> {
    for (let round = 0, before = -1; round < maxRounds && before !== updates; round++) {
      before = updates;
      await new Promise((resolve) => setTimeout(resolve, quietMs));
    }
  }

  async function prompt(context: ClientContext, sessionId: string, turn: AcpTurn): Promise<void> {
    const response = await context.request("session/prompt", {
      sessionId,
      prompt: [{ type: "text", text: turn.prompt }],
    });
    reporter.end(response);
    const end = endOfStop(response.stopReason, denied.size > 0);
    if (end !== null) emit(end);
  }
}

/** The exit of the agent explains more than a closed connection. */
async function failureReason(error: unknown): Promise<string> {
  const soon = new Promise<null>((resolve) => setTimeout(resolve, 500, null));
  const how = await Promise.race([exited, soon]);
  return how === null ? (error instanceof Error ? error.message : String(error)) : `it ${how}`;
}

function printProbe(result: ProbeResult): void {
  emit({ type: "text", text: JSON.stringify(result) });
}

function emit(event: AgentEvent | EndEvent): void {
  process.stdout.write(`${JSON.stringify({ mettle: 1, ...event })}\n`);
}

function fail(why: string): void {
  process.stderr.write(`${why}\n`);
  process.exitCode = 1;
}

/** Kills an agent that does not exit; the adapter ends the processes that the agent started. */
async function endAgent(agent: ChildProcessByStdio<Writable, Readable, null>): Promise<void> {
  agent.stdin.end();
  const late = new AbortController();
  const timer = setTimeout(() => agent.kill("SIGKILL"), exitGraceMs);
  if (agent.exitCode === null && agent.signalCode === null && agent.pid !== undefined)
    await once(agent, "exit", { signal: late.signal });
  clearTimeout(timer);
  agent.stdout.destroy();
}
