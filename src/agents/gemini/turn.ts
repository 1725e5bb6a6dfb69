/** Reads the stream of one Gemini CLI process: events for the sink, and its `result`. */
import type { AgentEvent } from "../agent.ts";
import { detailOf, jsonLines } from "../json-lines.ts";
import type { OutputLine } from "../stream.ts";
import { textBuffer } from "../text-buffer.ts";
import { GeminiLine, type GeminiResult } from "./stream.ts";

export interface GeminiTurn {
  onLine(line: OutputLine): void;
  /** Call it after the last line: emits the message collected so far. */
  end(): void;
  /** The messages of the agent, and what was printed outside the stream. */
  readonly text: string;
  readonly result: GeminiResult | null;
  /** The last reported error: a failed `result` may contain none. */
  readonly lastError: string;
  /** Whether a tool call is running. */
  readonly busy: boolean;
}

/** Characters of a chunked message after which it is emitted as one event. */
const maxText = 64_000;

export function geminiTurn(sink: (event: AgentEvent) => void): GeminiTurn {
  const output = textBuffer();
  const calls = new Map<string, { readonly name: string; readonly detail: string }>();
  let message = "";
  let result: GeminiResult | null = null;
  let trouble = "";

  /** A message arrives in chunks and ends where another line type begins. */
  const end = (): void => {
    if (message === "") return;
    output.add(`${message}\n`);
    sink({ type: "text", text: message });
    message = "";
  };
  const take = (line: GeminiLine): void => {
    if (line.type === "message") {
      if (line.role !== "assistant") return;
      message += line.content;
      if (message.length > maxText) end();
      return;
    }
    end();
    switch (line.type) {
      case "tool_use": {
        const call = { name: line.tool_name, detail: detailOf(line.parameters) };
        calls.set(line.tool_id, call);
        return sink({ type: "tool", ...call });
      }
      case "tool_result": {
        const call = calls.get(line.tool_id);
        calls.delete(line.tool_id);
        if (line.error && isRefusal(line.error))
          sink({ type: "denied", ...(call ?? { name: "unknown", detail: "" }) });
        return;
      }
      case "error":
        if (line.severity === "error") trouble = line.message;
        return;
      case "result":
        result = line;
        return sink({
          type: "usage",
          inputTokens: line.stats?.input_tokens,
          outputTokens: line.stats?.output_tokens,
        });
    }
  };
  return {
    onLine: jsonLines({ schema: GeminiLine, take, output }),
    end,
    get text() {
      return output.text;
    },
    get result() {
      return result;
    },
    get lastError() {
      return trouble;
    },
    get busy() {
      return calls.size > 0;
    },
  };
}

/** A tool that our rules removed, or a call that would need the approval of a person. */
function isRefusal({ type, message }: { readonly type: string; readonly message: string }): boolean {
  if (type === "tool_not_registered" || type === "policy_violation") return true;
  return message.includes("requires user confirmation");
}
