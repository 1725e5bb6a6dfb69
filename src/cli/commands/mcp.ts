/**
 * `mettle mcp`: the MCP server, a separate program. It is loaded by its path, since neither program imports the other. Loading
 * starts the server, which ends when the client disconnects.
 */
import { pathToFileURL } from "node:url";
import { readToolGroups, type ToolGroup } from "../../config/tool-groups.ts";
import { packageRoot } from "../../config/package-root.ts";
import { readPort } from "../../lib/command-line/port.ts";
import type { Io, CommandHandler } from "../command.ts";

export const run: CommandHandler = async (io, given) => {
  const http = given.text("http");
  const { cwd, print: say, signal } = io;
  const groups = readToolGroups(given.text("tools"));
  // Standard output belongs to the protocol, so --json prints the offered tools and starts no server.
  if (io.json) return { exit: 0, json: await (await httpServer()).listOffer({ cwd, groups }), text: "" };
  if (http === null) await loadProgram("mcp", `?tools=${groups.join()}`);
  else {
    const port = readPort(http, "mettle mcp --http 4000");
    await (await httpServer()).serveHttp({ cwd, groups, port, say, signal });
  }
  return { exit: 0, json: {}, text: "" };
};

function loadProgram(name: string, query = ""): Promise<unknown> {
  return import(`${pathToFileURL(packageRoot(`dist/bin/${name}.js`)).href}${query}`);
}

/** The server for HTTP clients; it can also list the offered tools. */
async function httpServer(): Promise<HttpServer> {
  const server = await loadProgram("mcp-http");
  if (!isHttpServer(server)) throw new Error("dist/bin/mcp-http.js does not export serveHttp and listOffer");
  return server;
}

interface OfferOptions extends Pick<Io, "cwd"> {
  readonly groups: readonly ToolGroup[];
}

interface HttpOptions extends OfferOptions, Pick<Io, "signal"> {
  readonly port: number;
  readonly say: Io["print"];
}

interface HttpServer {
  serveHttp(options: HttpOptions): Promise<void>;
  listOffer(options: OfferOptions): Promise<Readonly<Record<string, unknown>>>;
}

function isHttpServer(loadedModule: unknown): loadedModule is HttpServer {
  return (
    typeof loadedModule === "object" &&
    loadedModule !== null &&
    "serveHttp" in loadedModule &&
    "listOffer" in loadedModule
  );
}
