/** What one process of the Gemini CLI said, gathered line by line: events for the sink, and its `result`. */
import type { AgentEvent } from "../agent.ts";
import { detailOf, jsonLines } from "../json-lines.ts";
import type { Line } from "../stream.ts";
import { textBuffer } from "../text-buffer.ts";
import { StreamLine, type Result } from "./stream.ts";

export interface GeminiTurn {
  onLine(line: Line): void;
  /** After the last line: what was being said is said to its end. */
  end(): void;
  /** Everything it said, and what was printed beside the stream. */
  readonly text: string;
  readonly result: Result | null;
  /** The last error that it told of; a `result` without success names none itself. */
  readonly lastError: string;
  /** A tool of it runs. */
  readonly busy: boolean;
}

/** So much of a text that comes in pieces is passed on as one event. */
const maxText = 64_000;

export function geminiTurn(sink: (event: AgentEvent) => void): GeminiTurn {
  const said = textBuffer();
  const calls = new Map<string, { readonly name: string; readonly detail: string }>();
  let saying = "";
  let result: Result | null = null;
  let trouble = "";

  /** A message comes in the pieces in which the model made it; it ends where something else begins. */
  const end = (): void => {
    if (saying === "") return;
    said.add(`${saying}\n`);
    sink({ type: "text", text: saying });
    saying = "";
  };
  const take = (line: StreamLine): void => {
    if (line.type === "message") {
      if (line.role !== "assistant") return;
      saying += line.content;
      if (saying.length > maxText) end();
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
    onLine: jsonLines({ schema: StreamLine, take, said }),
    end,
    get text() {
      return said.text;
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

/** A tool that our rules took away is unknown to it; where it would have to ask, nobody is there to allow it. */
function isRefusal({ type, message }: { readonly type: string; readonly message: string }): boolean {
  if (type === "tool_not_registered" || type === "policy_violation") return true;
  return message.includes("requires user confirmation");
}
