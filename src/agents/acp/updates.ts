/** Converts ACP session updates into agent events. A message arrives in chunks and ends where another update begins. */
import type { SessionUpdate, ToolCallUpdate } from "@agentclientprotocol/sdk";
import * as z from "zod";
import type { AgentEvent } from "../agent.ts";
import { clipDetail } from "../json-lines.ts";

/** Characters of a chunked message after which it is emitted as one event. */
const maxText = 64_000;

export interface UpdateReporter {
  update(update: SessionUpdate): void;
  /** Emits a tool call once, even if the agent reports it several times. */
  tool(call: ToolCallUpdate): void;
  denied(call: ToolCallUpdate): void;
  /** Emits the message collected so far. */
  flush(): void;
  /** Call it after the response to the prompt. */
  end(response: unknown): void;
}

export function reportUpdates(emit: (event: AgentEvent) => void): UpdateReporter {
  const reported = new Set<string>();
  let message = "";
  const flush = (): void => {
    if (message !== "") emit({ type: "text", text: message });
    message = "";
  };
  const tool = (call: ToolCallUpdate): void => {
    flush();
    if (reported.has(call.toolCallId)) return;
    reported.add(call.toolCallId);
    emit({ type: "tool", ...toolEventOf(call) });
  };
  return {
    update(update) {
      switch (update.sessionUpdate) {
        case "agent_message_chunk":
          if (update.content.type === "text") message += update.content.text;
          if (message.length > maxText) flush();
          return;
        case "tool_call":
          return tool(update);
        case "usage_update":
          return emit({
            type: "usage",
            context: update.size > 0 ? Math.min(1, update.used / update.size) : undefined,
          });
        default:
          // Shows the idle deadline that the agent is alive.
          return emit({ type: "usage" });
      }
    },
    tool,
    flush,
    denied(call) {
      flush();
      emit({ type: "denied", ...toolEventOf(call) });
    },
    end(response) {
      flush();
      emit({ type: "usage", ...tokensOf(response) });
    },
  };
}

function toolEventOf({ kind, title, rawInput, locations }: ToolCallUpdate) {
  const name = title ?? kind ?? "tool";
  const detail = JSON.stringify({ kind, input: rawInput, paths: locations?.map(({ path }) => path) });
  return { name: name.slice(0, 200), detail: clipDetail(detail) };
}

/** `usage` is a draft field of the protocol; `_meta.quota` is used by the Gemini CLI. */
const TokenUsage = z.object({
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).nullish().catch(null),
  _meta: z
    .object({
      quota: z.object({ token_count: z.object({ input_tokens: z.number(), output_tokens: z.number() }) }),
    })
    .nullish()
    .catch(null),
});

function tokensOf(response: unknown): { readonly inputTokens?: number; readonly outputTokens?: number } {
  const read = TokenUsage.safeParse(response);
  const { usage, _meta } = read.success ? read.data : {};
  if (usage) return { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens };
  const counted = _meta?.quota.token_count;
  return counted ? { inputTokens: counted.input_tokens, outputTokens: counted.output_tokens } : {};
}
