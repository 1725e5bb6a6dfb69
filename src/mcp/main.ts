/** MCP over standard input and output. It is evaluated to its end when the client has gone: `mettle mcp` waits for that. */
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { dispatchHere } from "../runtime/channel/here.ts";
import { mcpServer } from "./server.ts";

declare const METTLE_VERSION: string | undefined;

const server = mcpServer(
  await dispatchHere(),
  typeof METTLE_VERSION === "string" ? METTLE_VERSION : "0.0.0-source",
);
const ended = new Promise<void>((resolve) => {
  server.onclose = resolve;
  process.stdin.once("end", resolve).once("close", resolve);
  // A client that no longer reads has gone too.
  process.stdout.once("error", () => resolve());
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
});
await server.connect(new StdioServerTransport());
await ended;
await server.close();
