/** MCP over standard input and output. It is evaluated to its end when the client has gone: `mettle mcp` waits for that. */
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { onEndSignal } from "../process/end-signals.ts";
import { openOffer } from "./offer.ts";
import { mcpServer } from "./server.ts";
import { boundedInput, maxMessageBytes } from "./bounded-input.ts";

declare const METTLE_VERSION: string | undefined;

const offer = await openOffer(process.cwd());
const { server, settled } = mcpServer(
  offer,
  typeof METTLE_VERSION === "string" ? METTLE_VERSION : "0.0.0-source",
);
const input = boundedInput(process.stdin, process.stdout);
const ended = new Promise<void>((resolve) => {
  server.onclose = resolve;
  input.once("end", resolve).once("close", resolve);
  // A client that no longer reads has gone too.
  process.stdout.once("error", () => resolve());
  onEndSignal(() => resolve());
});
await server.connect(new StdioServerTransport(input, process.stdout, { maxBufferSize: 2 * maxMessageBytes }));
await ended;
// What was asked before the end is answered: a call waits at most as long as the store or the channel does.
await settled();
await server.close();
// An input that is still read would keep the process alive.
process.stdin.unpipe(input).pause();
await offer.close();
