/**
 * `mettle mcp`: the MCP server, which is a program of its own beside this one. It is loaded by its path, since the two are
 * equals and neither imports the other; being loaded is being served, and ends when the client goes.
 */
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../config/package-root.ts";
import { AppError } from "../../lib/errors.ts";
import { dispatchHere } from "../../runtime/channel/here.ts";
import type { CliCommand, Io } from "../command.ts";

export const command: CliCommand = {
  define: (line) =>
    line.option("--http <port>", "serve on this port of 127.0.0.1 instead of standard input and output"),
  async run(io, _args, { http }) {
    // Its standard output belongs to the protocol; an object for programs says what would be offered.
    if (io.json) return { exit: 0, json: await offered(io.cwd), text: "" };
    if (http === undefined) await loaded("mcp");
    else await serveHttp(io, portOf(http));
    return { exit: 0, json: {}, text: "" };
  },
};

function loaded(name: string): Promise<unknown> {
  return import(pathToFileURL(packageRoot(`dist/bin/${name}.js`)).href);
}

async function serveHttp({ cwd, say, signal }: Io, port: number): Promise<void> {
  const server = await loaded("mcp-http");
  if (!isHttpServer(server)) throw new Error("dist/bin/mcp-http.js has another shape");
  await server.serveHttp({ cwd, port, say, signal });
}

interface HttpServer {
  serveHttp(options: Pick<Io, "cwd" | "say" | "signal"> & { readonly port: number }): Promise<void>;
}

function isHttpServer(loadedModule: unknown): loadedModule is HttpServer {
  return (
    typeof loadedModule === "object" &&
    loadedModule !== null &&
    "serveHttp" in loadedModule &&
    typeof loadedModule.serveHttp === "function"
  );
}

function portOf(given: unknown): number {
  const text = typeof given === "string" ? given : "";
  const port = Number(text);
  if (/^\d+$/u.test(text) && port <= 65_535) return port;
  throw new AppError("usage", `${text} is no port`, {
    hint: "mettle mcp --http 4000, or 0 for one that is free",
  });
}

async function offered(
  cwd: string,
): Promise<{ readonly tools: readonly string[]; readonly why: string | null }> {
  const here = await dispatchHere();
  const { graphShapes } = await import("../../memory/graph/shapes.ts");
  const memory = Object.keys(graphShapes);
  switch (here.type) {
    case "dispatch":
      return { tools: ["report", ...(here.memory ? memory : [])], why: null };
    case "lost":
      return { tools: [], why: here.why };
    case "none": {
      const { graphHere } = await import("../../runtime/graph-here.ts");
      return graphHere(cwd).then(
        () => ({ tools: memory, why: null }),
        (error: unknown) => {
          if (!(error instanceof AppError)) throw error;
          return { tools: [], why: `error[${error.code}]: ${error.message}` };
        },
      );
    }
  }
}
