/**
 * `mettle mcp`: the MCP server, a separate program. It is loaded by its path, since neither program imports the other. Loading
 * starts the server, which ends when the client disconnects.
 */
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../config/package-root.ts";
import { AppError } from "../../lib/errors.ts";
import type { Io, CommandHandler } from "../command.ts";

export const run: CommandHandler = async (io, given) => {
  const http = given.text("http");
  // Standard output belongs to the protocol, so --json prints the offered tools and starts no server.
  if (io.json) return { exit: 0, json: await (await httpServer()).offeredHere(io.cwd), text: "" };
  if (http === null) await loadProgram("mcp");
  else {
    const { cwd, say, signal } = io;
    const port = portOf(http);
    await (await httpServer()).serveHttp({ cwd, port, say, signal });
  }
  return { exit: 0, json: {}, text: "" };
};

function loadProgram(name: string): Promise<unknown> {
  return import(pathToFileURL(packageRoot(`dist/bin/${name}.js`)).href);
}

/** The server for HTTP clients; it can also list the offered tools. */
async function httpServer(): Promise<HttpServer> {
  const server = await loadProgram("mcp-http");
  if (!isHttpServer(server)) throw new Error("dist/bin/mcp-http.js has another shape");
  return server;
}

interface HttpServer {
  serveHttp(options: Pick<Io, "cwd" | "say" | "signal"> & { readonly port: number }): Promise<void>;
  offeredHere(cwd: string): Promise<Readonly<Record<string, unknown>>>;
}

function isHttpServer(loadedModule: unknown): loadedModule is HttpServer {
  return (
    typeof loadedModule === "object" &&
    loadedModule !== null &&
    "serveHttp" in loadedModule &&
    "offeredHere" in loadedModule
  );
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/u.test(text) && port <= 65_535) return port;
  throw new AppError("usage", `${text} is no port`, {
    hint: "mettle mcp --http 4000, or 0 for one that is free",
  });
}
