/** OpenAI's chat completions, streamed, as OpenCode requests them from a custom provider. */
import { sendJson, type Wire } from "./wire.ts";

interface CompletionRequest {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

export const completionsWire: Wire = {
  asks: (path) => /\/chat\/completions(\?|$)/u.test(path),
  read(_, body) {
    const { model = "", tools = [] } = JSON.parse(body) as CompletionRequest;
    return { model, tools: tools.map((tool) => tool.function.name) };
  },
  say(response, { text, tools = [] }, { model, nth, body }) {
    const calls = tools.map(({ name, input }, index) => ({
      index,
      id: `call_${nth}_${index}`,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    }));
    const message = {
      role: "assistant",
      content: text ?? null,
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    };
    const finish_reason = calls.length === 0 ? "stop" : "tool_calls";
    const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
    const base = { id: `chat_${nth}`, created: 0, model };
    if ((JSON.parse(body) as CompletionRequest).stream !== true)
      return sendJson(response, 200, {
        ...base,
        object: "chat.completion",
        choices: [{ index: 0, message, finish_reason }],
        usage,
      });
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (rest: object) =>
      response.write(`data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", ...rest })}\n\n`);
    send({ choices: [{ index: 0, delta: message, finish_reason: null }] });
    send({ choices: [{ index: 0, delta: {}, finish_reason }], usage });
    response.end("data: [DONE]\n\n");
  },
  failure: () => ({ error: { type: "scripted", message: "scripted" } }),
};
