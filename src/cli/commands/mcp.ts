/**
 * `mettle mcp`: the MCP server, which is a program of its own beside this one. It is loaded by its path, since the two are
 * equals and neither imports the other; being loaded is being served, and ends when the client goes.
 */
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../config/package-root.ts";
import { AppError } from "../../lib/errors.ts";
import type { Io, Run } from "../command.ts";

export const run: Run = async (io, given) => {
  const http = given.text("http");
  // Its standard output belongs to the protocol; an object for programs says what would be offered.
  if (io.json) return { exit: 0, json: await (await httpServer()).offeredHere(io.cwd), text: "" };
  if (http === null) await loaded("mcp");
  else {
    const { cwd, say, signal } = io;
    const port = portOf(http);
    await (await httpServer()).serveHttp({ cwd, port, say, signal });
  }
  return { exit: 0, json: {}, text: "" };
};

function loaded(name: string): Promise<unknown> {
  return import(pathToFileURL(packageRoot(`dist/bin/${name}.js`)).href);
}

/** The program for clients over HTTP, which also says what would be offered. */
async function httpServer(): Promise<HttpServer> {
  const server = await loaded("mcp-http");
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
