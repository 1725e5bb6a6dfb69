/** What an agent tells of its turn, as the events of every agent. A message comes in pieces and ends where something else begins. */
import type { SessionUpdate, ToolCallUpdate } from "@agentclientprotocol/sdk";
import { z } from "zod";
import type { AgentEvent } from "../agent.ts";
import { clipDetail } from "../json-lines.ts";

/** So much of a text that comes in pieces is passed on as one event. */
const maxText = 64_000;

export interface UpdateReporter {
  update(update: SessionUpdate): void;
  /** Tells a tool call once, however often the agent speaks of it. */
  tool(call: ToolCallUpdate): void;
  denied(call: ToolCallUpdate): void;
  /** What was being said is said to its end. */
  flush(): void;
  /** After the answer to the prompt. */
  end(response: unknown): void;
}

export function reportUpdates(emit: (event: AgentEvent) => void): UpdateReporter {
  const told = new Set<string>();
  let saying = "";
  const flush = (): void => {
    if (saying !== "") emit({ type: "text", text: saying });
    saying = "";
  };
  const tool = (call: ToolCallUpdate): void => {
    flush();
    if (told.has(call.toolCallId)) return;
    told.add(call.toolCallId);
    emit({ type: "tool", ...toolEventOf(call) });
  };
  return {
    update(update) {
      switch (update.sessionUpdate) {
        case "agent_message_chunk":
          if (update.content.type === "text") saying += update.content.text;
          if (saying.length > maxText) flush();
          return;
        case "tool_call":
          return tool(update);
        case "usage_update":
          return emit({
            type: "usage",
            context: update.size > 0 ? Math.min(1, update.used / update.size) : undefined,
          });
        default:
          // An empty figure: it is alive, which the deadline for silence wants to know.
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

/** Where agents tell them: a field that the protocol is about to have, and what the Gemini CLI says. */
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
