/** Sessions of the HTTP server: each is an MCP server over one offer. Their number is limited, and idle ones end. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js";
import { newId } from "../lib/ids.ts";
import { httpRefusal, type HttpRefusal } from "./http-guard.ts";
import { mcpServer } from "./server.ts";
import type { OpenOffer, SeatOffer } from "./tool-set.ts";

const maxSessions = 64;
const idleMs = 30 * 60_000;

interface Session {
  readonly transport: StreamableHTTPServerTransport;
  /** Number of open requests and streams. */
  open: number;
  idle: NodeJS.Timeout | null;
  /** Time since which nothing is open, as `performance.now()`. */
  idleSince: number;
}

export interface Sessions {
  /** Passes the request to its session; null: the session answers it. */
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<HttpRefusal | null>;
  close(): Promise<void>;
}

export function httpSessions(offer: OpenOffer, version: string): Sessions {
  const sessions = new Map<string, Session>();
  const leaving = new Set<Promise<void>>();
  const leave = (seat: SeatOffer) => {
    const left = seat.leave().finally(() => leaving.delete(left));
    leaving.add(left);
  };

  const begin = async (): Promise<Session> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => newId(32),
      onsessioninitialized: (id) => void sessions.set(id, session),
    });
    const session: Session = { transport, open: 0, idle: null, idleSince: performance.now() };
    const seat = offer.seat?.();
    transport.onclose = () => {
      if (seat !== undefined) leave(seat);
      if (session.idle !== null) clearTimeout(session.idle);
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    };
    await mcpServer(seat ?? offer, version).server.connect(transport);
    return session;
  };

  /** Frees the place of a client that may have gone; if it returns, it must initialize a new session. */
  const endLongestIdle = async (): Promise<boolean> => {
    const [longest] = [...sessions.values()]
      .filter(({ open }) => open === 0)
      .toSorted((a, b) => a.idleSince - b.idleSince);
    await longest?.transport.close();
    return longest !== undefined;
  };

  const find = async (request: IncomingMessage, body: unknown): Promise<Session | HttpRefusal> => {
    const id = request.headers["mcp-session-id"];
    if (typeof id === "string")
      return sessions.get(id) ?? httpRefusal(404, "there is no such session; initialize a new one");
    const initializes = Array.isArray(body) ? body.some(isInitializeRequest) : isInitializeRequest(body);
    if (!initializes)
      return httpRefusal(400, "a session begins with initialize; then Mcp-Session-Id names it");
    if (sessions.size >= maxSessions && !(await endLongestIdle()))
      return httpRefusal(503, `${maxSessions} sessions are at work already; end one`);
    return begin();
  };

  return {
    async handle(request, response, body) {
      const session = await find(request, body);
      if ("type" in session) return session;
      session.open += 1;
      if (session.idle !== null) clearTimeout(session.idle);
      response.once("close", () => {
        session.open -= 1;
        if (session.open > 0) return;
        session.idleSince = performance.now();
        session.idle = setTimeout(() => void session.transport.close(), idleMs);
        session.idle.unref();
      });
      await session.transport.handleRequest(request, response, body);
      return null;
    },
    close: async () => {
      await Promise.allSettled([...sessions.values()].map(({ transport }) => transport.close()));
      await Promise.allSettled(leaving);
    },
  };
}
