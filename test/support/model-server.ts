/**
 * A model behind the Anthropic Messages wire format that says what a test wrote, on loopback only. It lets the real Claude
 * Code work without a key or a network; what reached the model is kept, headers and all, so use dummy keys.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the model answers to one request. */
export type ModelStep =
  | {
      readonly text?: string;
      readonly tools?: readonly { readonly name: string; readonly input: unknown }[];
    }
  | { readonly status: number }
  | { readonly hang: true };

/** A request as the model saw it. */
export interface ModelRequest {
  readonly path: string;
  readonly model: string;
  readonly tools: readonly string[];
  /** The whole conversation and the system prompt, as text. */
  readonly body: string;
}

export interface ModelServer {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** Forgets what was, and answers with these steps from now on; the last one repeats. */
  script(steps: readonly ModelStep[]): void;
  /** Answers each request by what it asks. */
  scriptWith(choose: (request: ModelRequest) => ModelStep): void;
  close(): Promise<void>;
}

export async function startModelServer(): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  let choose: (request: ModelRequest) => ModelStep = () => ({ text: "nothing was scripted" });
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const path = request.url ?? "";
    if (request.method !== "POST" || !/\/messages(\?|$)/u.test(path)) return end(response, 200, {});
    const asked = JSON.parse(body) as { model?: string; stream?: boolean; tools?: { name: string }[] };
    const seen = { path, model: asked.model ?? "", tools: (asked.tools ?? []).map(({ name }) => name), body };
    requests.push(seen);
    const step = choose(seen);
    if ("hang" in step) return;
    if ("status" in step)
      return end(response, step.status, { type: "error", error: { type: "scripted", message: "scripted" } });
    const message = messageOf(step, { model: seen.model, nth: requests.length });
    if (asked.stream === true) return stream(response, message);
    end(response, 200, message);
  }

  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
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
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

type Spoken = Extract<ModelStep, { readonly text?: string }>;
type Message = ReturnType<typeof messageOf>;

function messageOf({ text, tools = [] }: Spoken, { model, nth }: { model: string; nth: number }) {
  const said = text === undefined ? [] : [{ type: "text" as const, text }];
  const calls = tools.map(({ name, input }, index) => ({
    type: "tool_use" as const,
    id: `toolu_${nth}_${index}`,
    name,
    input,
  }));
  return {
    id: `msg_${nth}`,
    type: "message",
    role: "assistant",
    model,
    content: [...said, ...calls],
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: {
      input_tokens: 100,
      output_tokens: 20,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  };
}

/** The same message in the pieces in which it comes over the wire. */
function stream(response: ServerResponse, message: Message): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send("message_start", { message: { ...message, content: [], stop_reason: null } });
  for (const [index, block] of message.content.entries()) {
    const isText = block.type === "text";
    send("content_block_start", {
      index,
      content_block: isText ? { ...block, text: "" } : { ...block, input: {} },
    });
    const delta = isText
      ? { type: "text_delta", text: block.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
    send("content_block_delta", { index, delta });
    send("content_block_stop", { index });
  }
  const { stop_reason, stop_sequence, usage } = message;
  send("message_delta", { delta: { stop_reason, stop_sequence }, usage });
  send("message_stop", {});
  response.end();
}

function end(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
