/** The server of a channel: a socket that answers callers with the right token. */
import { createServer, type Socket } from "node:net";
import { timingSafeEqual } from "node:crypto";
import { sha256 } from "../lib/hash.ts";
import { splitLines, type LineResult } from "./split-lines.ts";
import { Envelope, firstFault, maxLineBytes, errorAnswer, wireVersion, type ChannelAnswer } from "./wire.ts";
import { parseJson } from "../lib/json.ts";

/** Name of a call -> its handler. The request is not validated yet. */
export type Calls = Readonly<Record<string, (request: unknown) => ChannelAnswer | Promise<ChannelAnswer>>>;

export interface ServerOptions {
  readonly path: string;
  readonly token: string;
  readonly calls: Calls;
}

export interface Listener {
  /** Removes the socket and closes all connections. */
  close(): Promise<void>;
}

const maxConnections = 64;
/** The server closes a connection after this time without input. */
const idleMs = 60_000;

export async function listenAt(serving: ServerOptions): Promise<Listener> {
  const connections = new Set<Socket>();
  // A peer may close its side after its last line and still wait for the answer.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
    socket.setTimeout(idleMs, () => socket.destroy());
    // The peer disconnected.
    socket.on("error", () => socket.destroy());
    serveConnection(socket, serving).catch(() => socket.destroy());
  });
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(serving.path, resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of connections) socket.destroy();
      }),
  };
}

/** Handles one line after the other; it reads no further until the peer has read the answer. */
async function serveConnection(socket: Socket, serving: ServerOptions): Promise<void> {
  const lines = splitLines(maxLineBytes);
  const respond = async (received: readonly LineResult[]): Promise<void> => {
    for (const line of received) {
      // While a call runs the peer is not idle.
      socket.setTimeout(0);
      const answer = await answerTo(line, serving);
      socket.setTimeout(idleMs);
      await send(socket, answer);
    }
  };
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) await respond(lines.push(chunk));
  await respond(lines.end());
  socket.end();
}

function send(socket: Socket, answer: ChannelAnswer): Promise<void> {
  return new Promise((resolve) => socket.write(`${JSON.stringify(answer)}\n`, () => resolve()));
}

async function answerTo(line: LineResult, { token, calls }: ServerOptions): Promise<ChannelAnswer> {
  if (line.type === "too_long")
    return errorAnswer({
      code: "line_too_long",
      message: `a request has at most ${maxLineBytes} bytes`,
      hint: "shorten the request, and put long texts into files of the workspace",
    });
  const request = parse(line.text);
  if (request === undefined)
    return badRequest("a request is one JSON object on one line", "end each object with a line break");
  if (!hasToken(request, token))
    return errorAnswer({
      code: "not_your_dispatch",
      message: "the token is not that of this dispatch",
      hint: "a dispatch is reported to by its own agent, while it lasts",
    });
  const envelope = Envelope.safeParse(request);
  if (!envelope.success) {
    const { field, why } = firstFault(envelope.error, "");
    return badRequest(`${field}: ${why}`, "a request has version, token and call", field);
  }
  const { version, call } = envelope.data;
  if (version !== wireVersion)
    return errorAnswer({
      code: "version_unsupported",
      message: `version ${version} of the channel is not known here`,
      hint: `this one speaks version ${wireVersion}`,
      field: "version",
    });
  const handle = Object.hasOwn(calls, call) ? calls[call] : undefined;
  if (!handle)
    return badRequest(`unknown call ${call.slice(0, 64)}`, `known: ${Object.keys(calls).join(", ")}`, "call");
  return perform(handle, request);
}

async function perform(handle: NonNullable<Calls[string]>, request: unknown): Promise<ChannelAnswer> {
  try {
    return await handle(request);
  } catch {
    // Internal errors are hidden from the agent; it can repeat the call.
    return errorAnswer({ code: "internal", message: "the call failed", hint: "call again" });
  }
}

function badRequest(message: string, hint: string, field?: string): ChannelAnswer {
  return errorAnswer({ code: "bad_request", message, hint, ...(field === undefined ? {} : { field }) });
}

function parse(text: string): object | undefined {
  const value = parseJson(text);
  return typeof value === "object" && value !== null ? value : undefined;
}

/** Compares the token in constant time. */
function hasToken(request: object, token: string): boolean {
  const given = "token" in request && typeof request.token === "string" ? request.token : "";
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(token)));
}
