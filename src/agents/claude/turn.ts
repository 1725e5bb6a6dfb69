/** Reads the stream of one Claude Code process: events for the sink, and the last `result`. */
import type { AgentEvent, Conversation } from "../agent.ts";
import { detailOf, jsonLines } from "../json-lines.ts";
import type { OutputLine } from "../stream.ts";
import { textBuffer } from "../text-buffer.ts";
import { ClaudeLine, type ClaudeLimit, type ClaudeResult, type Usage } from "./stream.ts";

export interface ClaudeTurn {
  onLine(line: OutputLine): void;
  /** The messages of the agent, and what was printed outside the stream. */
  readonly text: string;
  readonly result: ClaudeResult | null;
  /** The newest state of the account's limit; null: not reported. */
  readonly limit: ClaudeLimit | null;
  /** Whether a tool call is running. */
  readonly busy: boolean;
}

export function claudeTurn(sink: (event: AgentEvent) => void, conversation: Conversation): ClaudeTurn {
  const output = textBuffer();
  let result: ClaudeResult | null = null;
  let limit: ClaudeLimit | null = null;
  let last: Usage | null = null;
  const calls = new Map<string, { readonly name: string; readonly detail: string }>();
  const take = (line: ClaudeLine): void => {
    switch (line.type) {
      case "assistant":
        if (line.message.usage && !line.parent_tool_use_id) last = line.message.usage;
        for (const block of line.message.content) {
          if ("text" in block) {
            output.add(`${block.text}\n`);
            sink({ type: "text", text: block.text });
          }
          if (!("name" in block)) continue;
          const call = { name: block.name, detail: detailOf(block.input) };
          if (block.id !== undefined) calls.set(block.id, call);
          sink({ type: "tool", ...call });
        }
        return;
      case "user":
        for (const { tool_use_id: id = "", is_error: failed, content } of line.message.content) {
          const call = calls.get(id);
          calls.delete(id);
          if (failed === true && call !== undefined && isToolMissing(content))
            sink({ type: "denied", ...call });
        }
        return;
      case "system":
        return sink({ type: "retry", status: line.error_status ?? null });
      case "rate_limit_event":
        limit = line.rate_limit_info;
        return;
      case "result":
        result = line;
        for (const { tool_name, tool_input } of line.permission_denials)
          sink({ type: "denied", name: tool_name, detail: detailOf(tool_input) });
        return sink(usageOf(line, last, conversation));
    }
  };
  return {
    onLine: jsonLines({ schema: ClaudeLine, take, output }),
    get text() {
      return output.text;
    },
    get result() {
      return result;
    },
    get limit() {
      return limit;
    },
    get busy() {
      return calls.size > 0;
    },
  };
}

/**
 * The tokens are those of this process. `total_cost_usd` is the cost of the conversation: after a resume or fork it contains
 * earlier turns, so only the figure of this process counts. Without it the cost is unknown.
 */
function usageOf(result: ClaudeResult, last: Usage | null, conversation: Conversation): AgentEvent {
  const own = result.model_usage_since_last_result;
  const sum = own && Object.values(own).reduce((total, { costUSD = 0 }) => total + costUSD, 0);
  const costUsd = sum ?? (conversation.type === "new" ? (result.total_cost_usd ?? undefined) : undefined);
  const windows = Object.values(result.modelUsage ?? {}).flatMap(({ contextWindow }) => contextWindow ?? []);
  const window = Math.max(0, ...windows);
  return {
    type: "usage",
    costUsd,
    inputTokens: result.usage && inputOf(result.usage),
    outputTokens: result.usage?.output_tokens,
    context:
      last === null || window === 0 ? undefined : Math.min(1, (inputOf(last) + last.output_tokens) / window),
  };
}

function inputOf({ input_tokens, cache_creation_input_tokens, cache_read_input_tokens }: Usage): number {
  return input_tokens + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0);
}

/** A call of a tool that the role does not have: the list of denials omits it. */
function isToolMissing(content: unknown): boolean {
  return typeof content === "string" && content.includes("No such tool available: ");
}
