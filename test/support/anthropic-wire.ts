/** Anthropic's Messages API, whole and streamed, as Claude Code uses it. */
import type { ServerResponse } from "node:http";
import { sendJson, type ModelAnswer, type Wire } from "./wire.ts";

export const anthropicWire: Wire = {
  asks: (path) => /\/messages(\?|$)/u.test(path),
  read(_, body) {
    const request = JSON.parse(body) as { model?: string; tools?: { name: string }[] };
    return { model: request.model ?? "", tools: (request.tools ?? []).map(({ name }) => name) };
  },
  say(response, step, { model, nth, body }) {
    const message = messageOf(step, { model, nth });
    if ((JSON.parse(body) as { stream?: boolean }).stream === true) return stream(response, message);
    sendJson(response, 200, message);
  },
  failure: () => ({ type: "error", error: { type: "scripted", message: "scripted" } }),
};

type Message = ReturnType<typeof messageOf>;

function messageOf({ text, tools = [] }: ModelAnswer, { model, nth }: { model: string; nth: number }) {
  const textBlocks = text === undefined ? [] : [{ type: "text" as const, text }];
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
    content: [...textBlocks, ...calls],
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

/** The message as a stream of events. */
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
