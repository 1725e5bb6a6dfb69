/**
 * The proxy by which a confined agent reaches the hosts of its model, and no others (PRV-21). It listens on a socket that the
 * sandbox shows, takes CONNECT and absolute URLs, resolves names itself and keeps what it refused.
 */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import {
  allowedBy,
  destinationOf,
  destinationOfUrl,
  textOf,
  type AllowedHost,
  type Destination,
} from "./allow-list.ts";
import { dial, type DialOptions } from "./dial.ts";

export interface RefusedRequest extends Destination {
  readonly count: number;
}

export interface NetworkProxy {
  /** What it refused so far, the first first; at most 50 destinations, the others are counted as `others` with port 0. */
  refused(): readonly RefusedRequest[];
  close(): Promise<void>;
}

export interface ProxyOptions extends DialOptions {
  /** Path of the socket. */
  readonly socket: string;
  readonly allowed: readonly AllowedHost[];
}

const maxRefused = 50;
const maxConnections = 512;

export async function openProxy({ socket, allowed, ...dialing }: ProxyOptions): Promise<NetworkProxy> {
  const refusals = new Map<string, RefusedRequest>();
  const open = new Set<Duplex>();
  const track = <Stream extends Duplex>(stream: Stream): Stream => {
    open.add(stream);
    return stream.once("close", () => open.delete(stream)).on("error", () => stream.destroy());
  };
  const refuse = (wanted: Destination) => {
    const isNew = !refusals.has(textOf(wanted)) && refusals.size >= maxRefused;
    const { host, port } = isNew ? { host: "others", port: 0 } : wanted;
    const name = textOf({ host, port });
    refusals.set(name, { host, port, count: (refusals.get(name)?.count ?? 0) + 1 });
    return `${textOf(wanted)} is not reachable from the sandbox: name it under agents.network in mettle.yaml\n`;
  };
  /** A connection, or why there is none: refused, or failed. */
  const reach = async (
    wanted: Destination,
  ): Promise<Socket | { readonly status: 403 | 502; readonly why: string }> => {
    const entry = allowedBy(allowed, wanted);
    if (entry === null) return { status: 403, why: refuse(wanted) };
    const reached = await dial(wanted, entry, dialing);
    if (reached === "refused") return { status: 403, why: refuse(wanted) };
    return typeof reached === "string" ? { status: 502, why: `${reached}\n` } : track(reached);
  };

  const server = createServer((request, response) => void forward(request, response, { reach, refuse }));
  server.maxConnections = maxConnections;
  server.on("connection", track);
  // Answers stream for as long as a model thinks; the deadlines of the agent end them.
  server.requestTimeout = 0;
  server.timeout = 0;
  server.on("clientError", (_error, stream) => stream.destroy());
  server.on("connect", (request: IncomingMessage, client: Duplex, head: Buffer) => {
    void (async () => {
      const wanted = /:\d+$/u.test(request.url ?? "") ? destinationOf(request.url ?? "") : null;
      const reached = wanted === null ? { status: 400, why: "HOST:PORT is expected\n" } : await reach(wanted);
      if ("status" in reached) return void client.end(answerOf(reached.status, reached.why));
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      if (head.length > 0) reached.write(head);
      client.pipe(reached).pipe(client);
      client.once("close", () => reached.destroy());
      reached.once("close", () => client.destroy());
    })();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socket, resolve);
  });
  return {
    refused: () => [...refusals.values()],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const stream of open) stream.destroy();
      }),
  };
}

interface Reach {
  readonly reach: (
    wanted: Destination,
  ) => Promise<Socket | { readonly status: number; readonly why: string }>;
  readonly refuse: (wanted: Destination) => string;
}

/** Headers between two neighbours only. */
const hopByHop = [
  "connection",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade",
];

/** A request with an absolute URL, as clients send it for plain HTTP. */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { reach, refuse }: Reach,
): Promise<void> {
  const url = request.url ?? "";
  const wanted = /^http:/iu.test(url) ? destinationOfUrl(url) : null;
  if (wanted === null) return void response.writeHead(400).end("an absolute URL with http is expected\n");
  const named = destinationOf(request.headers.host ?? "", 80);
  // A host that answers for many names would serve the other one.
  if (named === null || textOf(named) !== textOf(wanted))
    return void response.writeHead(403).end(refuse(named ?? wanted));
  const reached = await reach(wanted);
  if ("status" in reached) return void response.writeHead(reached.status).end(reached.why);
  const { pathname, search } = new URL(url);
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !hopByHop.includes(name)),
  );
  const { method } = request;
  const onward = httpRequest({
    createConnection: () => reached,
    method,
    path: pathname + search,
    headers: { ...headers, connection: "close" },
  });
  onward.on("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
  response.once("close", () => reached.destroy());
  request.pipe(onward);
}

function answerOf(status: number, why: string): string {
  const length = Buffer.byteLength(why);
  return `HTTP/1.1 ${status} Refused\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${why}`;
}
