/** Reads the stream of one Codex process: events for the sink, and the end of the turn. */
import type { AgentEvent } from "../agent.ts";
import { clipDetail, detailOf, jsonLines } from "../json-lines.ts";
import type { OutputLine } from "../stream.ts";
import { textBuffer } from "../text-buffer.ts";
import { CodexLine, type CodexItem } from "./stream.ts";

export type TurnEnd =
  | {
      readonly type: "completed";
      /** Tokens of the whole conversation. */
      readonly tokens: { readonly input: number; readonly output: number };
    }
  | { readonly type: "failed"; readonly why: string };

export interface CodexTurn {
  onLine(line: OutputLine): void;
  /** The messages of the agent, and what was printed outside the stream. */
  readonly text: string;
  /** The last message: the structured answer, if one was required. */
  readonly answer: string;
  /** Codex's id of the conversation. */
  readonly thread: string | null;
  readonly end: TurnEnd | null;
}

export function codexTurn(sink: (event: AgentEvent) => void): CodexTurn {
  const output = textBuffer();
  let answer = "";
  let thread: string | null = null;
  let end: TurnEnd | null = null;

  const takeItem = (item: CodexItem): void => {
    if (item.type !== "agent_message") return sink({ type: "tool", ...toolOf(item) });
    answer = item.text;
    output.add(`${item.text}\n`);
    sink({ type: "text", text: item.text });
  };
  const take = (line: CodexLine): void => {
    switch (line.type) {
      case "thread.started":
        thread = line.thread_id;
        return;
      case "item.completed":
        return takeItem(line.item);
      case "error":
        if (isRetry(line.message)) sink({ type: "retry", status: statusOf(line.message) });
        return;
      case "turn.completed":
        end = {
          type: "completed",
          tokens: { input: line.usage.input_tokens, output: line.usage.output_tokens },
        };
        return;
      case "turn.failed":
        end = { type: "failed", why: line.error.message };
    }
  };
  return {
    onLine: jsonLines({ schema: CodexLine, take, output }),
    get text() {
      return output.text;
    },
    get answer() {
      return answer;
    },
    get thread() {
      return thread;
    },
    get end() {
      return end;
    },
  };
}

function toolOf(item: Exclude<CodexItem, { readonly type: "agent_message" }>): {
  name: string;
  detail: string;
} {
  switch (item.type) {
    case "command_execution":
      return { name: "exec_command", detail: clipDetail(item.command) };
    case "file_change": {
      const paths = item.changes.map(({ path, kind }) => `${kind} ${path}`).join("\n");
      return { name: "apply_patch", detail: clipDetail(paths) };
    }
    case "mcp_tool_call": {
      const detail = detailOf(item.arguments);
      return { name: `mcp__${item.server}__${item.tool}`, detail };
    }
  }
}

function isRetry(message: string): boolean {
  return message.startsWith("Reconnecting...");
}

/** The HTTP status, which Codex reports only within the message. */
export function statusOf(message: string): number | null {
  const status = /\bstatus:? (\d{3})\b/u.exec(message)?.[1];
  return status === undefined ? null : Number(status);
}
