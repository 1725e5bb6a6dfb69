/** MCP over standard input and output. The module completes when the client has disconnected: `mettle mcp` waits for that. */
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { onEndSignal } from "../process/end-signals.ts";
import { openOffer } from "./offer.ts";
import { mcpServer } from "./server.ts";
import { readToolGroups } from "../config/tool-groups.ts";
import { boundedInput, maxMessageBytes } from "./bounded-input.ts";

declare const METTLE_VERSION: string | undefined;

/** `mettle mcp --tools` loads this module with the groups as its query, `?tools=memory`. */
const groups = readToolGroups(new URL(import.meta.url).searchParams.get("tools"));
const offer = await openOffer(process.cwd(), groups);
const { server, settled } = mcpServer(
  offer,
  typeof METTLE_VERSION === "string" ? METTLE_VERSION : "0.0.0-source",
);
const input = boundedInput(process.stdin, process.stdout);
const ended = new Promise<void>((resolve) => {
  server.onclose = resolve;
  input.once("end", resolve).once("close", resolve);
  // A client that no longer reads has disconnected too.
  process.stdout.once("error", () => resolve());
  onEndSignal(() => resolve());
});
await server.connect(new StdioServerTransport(input, process.stdout, { maxBufferSize: 2 * maxMessageBytes }));
await ended;
// Answers pending calls; the timeouts of store and channel limit the wait.
await settled();
await server.close();
// An open input would keep the process alive.
process.stdin.unpipe(input).pause();
await offer.close();
