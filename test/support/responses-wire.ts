/** OpenAI's Responses API, streamed, as Codex uses it. */
import type { ServerResponse } from "node:http";
import type { Wire } from "./wire.ts";

interface Tool {
  readonly type: string;
  readonly name?: string;
  readonly tools?: readonly Tool[];
}

export const responsesWire: Wire = {
  asks: (path) => /\/responses(\?|$)/u.test(path),
  read(_, body) {
    const request = JSON.parse(body) as { model?: string; tools?: readonly Tool[] };
    return { model: request.model ?? "", tools: (request.tools ?? []).flatMap(namesOf) };
  },
  say(response, { text, tools = [] }, { nth }) {
    const messages = text === undefined ? [] : [messageOf(text, nth)];
    const calls = tools.map(({ name, input }, index) => callOf(name, input, `call_${nth}_${index}`));
    stream(response, [...messages, ...calls], nth);
  },
  failure: () => ({ error: { type: "scripted", message: "scripted" } }),
};

/** The tools of a server are in a namespace. */
function namesOf({ type, name, tools = [] }: Tool): readonly string[] {
  if (type === "namespace") return tools.map((tool) => `${name ?? ""}__${tool.name ?? ""}`);
  return [name ?? type];
}

function messageOf(text: string, nth: number) {
  return {
    type: "message",
    role: "assistant",
    id: `msg_${nth}`,
    content: [{ type: "output_text", text, annotations: [] }],
  };
}

/** A patch is free text; other tools take JSON, and those of a server have a namespace. */
function callOf(name: string, input: unknown, call_id: string) {
  if (typeof input === "string") return { type: "custom_tool_call", name, input, call_id };
  const [, namespace, own] = /^(mcp__.+)__(.+)$/u.exec(name) ?? [];
  const named = namespace === undefined ? { name } : { name: own, namespace };
  return { type: "function_call", ...named, arguments: JSON.stringify(input), call_id };
}

function stream(response: ServerResponse, output: readonly object[], nth: number): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send("response.created", { response: { id: `resp_${nth}` } });
  for (const [output_index, item] of output.entries()) {
    send("response.output_item.added", { output_index, item });
    send("response.output_item.done", { output_index, item });
  }
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 120,
  };
  send("response.completed", { response: { id: `resp_${nth}`, usage } });
  response.end();
}
