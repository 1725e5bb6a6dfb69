/** MCP over streamable HTTP on the loopback, for clients that cannot start programs: `mettle mcp --http PORT`. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { AppError } from "../lib/errors.ts";
import { listenOnLoopback } from "../process/network/loopback-server.ts";
import { repositoryGraph } from "../memory/graph/repository-graph.ts";
import { bodyOf, refusalOf, type HttpRefusal } from "./http-guard.ts";
import { httpSessions, type Sessions } from "./http-sessions.ts";
import { createOrLoadToken } from "./http-token.ts";
import { openOffer } from "./offer.ts";
import type { ToolGroup } from "../config/tool-groups.ts";

declare const METTLE_VERSION: string | undefined;

export interface HttpOptions {
  readonly cwd: string;
  readonly groups: readonly ToolGroup[];
  /** 0: any free port. */
  readonly port: number;
  readonly say: (line: string) => void;
  /** Ends the server. */
  readonly signal: AbortSignal;
}

/** The tools that a client would be offered here, for `mettle mcp --json`. */
export async function listOffer({ cwd, groups }: Pick<HttpOptions, "cwd" | "groups">): Promise<{
  readonly tools: readonly string[];
  readonly why: string | null;
}> {
  const offer = await openOffer(cwd, groups);
  try {
    const tools = offer.sets.flatMap((set) => set.tools().map(({ name }) => name));
    return { tools, why: tools.length > 0 ? null : (offer.instructions ?? null) };
  } finally {
    await offer.close();
  }
}

const maxConnections = 128;

/** Serves until the signal. */
export async function serveHttp({ cwd, groups, port, say, signal }: HttpOptions): Promise<void> {
  const offer = await openOffer(cwd, groups);
  if (offer.sets.length === 0)
    throw new AppError("usage", offer.instructions ?? "No tools are offered here.", {
      hint: "Start it within a git repository, outside of a dispatch.",
    });
  const { file, token } = await createOrLoadToken((await repositoryGraph(cwd)).home().root);
  const sessions = httpSessions(offer, typeof METTLE_VERSION === "string" ? METTLE_VERSION : "0.0.0-source");
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 });
  server.maxConnections = maxConnections;
  try {
    const bound = await listenOnLoopback(server, port);
    server.on("request", (request, response) => {
      answer(request, response, { port: bound, token, sessions }).catch(() => response.destroy());
    });
    say(`MCP is served at http://127.0.0.1:${bound}/mcp`);
    say(`send the header "Authorization: Bearer TOKEN"; the token is in ${file}`);
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  } finally {
    await sessions.close();
    server.close();
    server.closeAllConnections();
    await offer.close();
  }
}

interface AnswerContext {
  readonly port: number;
  readonly token: string;
  readonly sessions: Sessions;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { port, token, sessions }: AnswerContext,
): Promise<void> {
  const refusal = refusalOf(request, { port, token });
  if (refusal !== null) return refuse(request, response, refusal);
  const body = request.method === "POST" ? await bodyOf(request) : null;
  if (body?.type === "refused") return refuse(request, response, body);
  const refusedHere = await sessions.handle(request, response, body?.value);
  if (refusedHere !== null) refuse(request, response, refusedHere);
}

const drainMs = 5_000;

/** Answers at once and discards the rest of the request, since clients read no answer before they have sent everything. */
function refuse(request: IncomingMessage, response: ServerResponse, { status, message }: HttpRefusal): void {
  const error = { jsonrpc: "2.0", id: null, error: { code: -32000, message } };
  response
    .writeHead(status, {
      "Content-Type": "application/json",
      ...(status === 401 ? { "WWW-Authenticate": "Bearer" } : {}),
    })
    .end(JSON.stringify(error));
  request.on("error", () => undefined).resume();
  setTimeout(() => {
    if (!request.complete) request.destroy();
  }, drainMs).unref();
}
