/**
 * A scripted model on the loopback, with the APIs of Anthropic, Gemini and OpenAI. It lets the real programs work without a
 * key or a network. It stores all requests, so use dummy keys.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropicWire } from "./anthropic-wire.ts";
import { completionsWire } from "./completions-wire.ts";
import { afterFile } from "./folder.ts";
import { geminiWire } from "./gemini-wire.ts";
import { responsesWire } from "./responses-wire.ts";
import { sendJson, type ModelRequest, type ModelStep, type Wire } from "./wire.ts";

const wires: readonly Wire[] = [anthropicWire, geminiWire, responsesWire, completionsWire];

/** The answer to a request, possibly delayed. */
type Choose = (request: ModelRequest) => ModelStep | Promise<ModelStep>;

export interface ModelServer {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** Clears the requests and answers with these steps; the last one repeats. */
  script(steps: readonly ModelStep[]): void;
  /** Computes the answer to each request. */
  scriptWith(choose: Choose): void;
}

export async function startModelServer(): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  let choose: Choose = () => ({ text: "nothing was scripted" });
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const path = request.url ?? "";
    const wire = request.method === "POST" ? wires.find(({ asks }) => asks(path)) : undefined;
    if (wire === undefined) return sendJson(response, 200, {});
    const seen = { path, body, ...wire.read(path, body) };
    requests.push(seen);
    const step = await choose(seen);
    if ("hang" in step) return;
    if ("status" in step) {
      response.setHeader("retry-after-ms", String(step.retryAfterMs ?? 50));
      return sendJson(response, step.status, wire.failure(step.status));
    }
    wire.say(response, step, { ...seen, nth: requests.length });
  }

  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  afterFile(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    script(steps) {
      let next = 0;
      requests.length = 0;
      choose = () => steps[Math.min(next++, steps.length - 1)] ?? { text: "" };
    },
    scriptWith(choice) {
      requests.length = 0;
      choose = choice;
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
