/**
 * Reads the record of a conversation, `sessions/YEAR/MONTH/DAY/rollout-TIME-THREAD.jsonl`. It contains what the stream lacks:
 * denied calls, and the tokens of one turn (measured on 0.171.0). Without a readable record these are unknown, and the turn
 * counts all the same.
 */
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { parseJson } from "../../lib/json.ts";
import type { AgentEvent } from "../agent.ts";
import { readLines } from "../stream.ts";
import { clipDetail } from "../json-lines.ts";

const Usage = z.object({ input_tokens: z.number(), output_tokens: z.number() });

const Payload = z.discriminatedUnion("type", [
  z.object({ type: z.literal("task_started") }),
  z.object({
    type: z.literal("function_call"),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.object({ type: z.literal("custom_tool_call"), call_id: z.string(), name: z.string(), input: z.string() }),
  z.object({
    type: z.enum(["function_call_output", "custom_tool_call_output"]),
    call_id: z.string(),
    output: z.string(),
  }),
  z.object({
    type: z.literal("token_count"),
    info: z.object({ last_token_usage: Usage, model_context_window: z.number().nullish() }),
  }),
]);

const UsageLine = z.object({ type: z.literal("token_usage_record"), payload: z.object({ usage: Usage }) });
const PayloadLine = z.object({ payload: Payload });

export interface CodexCall {
  readonly name: string;
  readonly detail: string;
}

/** What the record contains about the last turn. */
export interface TurnRecord {
  readonly denied: readonly CodexCall[];
  readonly usage: Extract<AgentEvent, { readonly type: "usage" }>;
}

export function readRecord(): { onLine(text: string): void; readonly record: TurnRecord } {
  let calls = new Map<string, CodexCall>();
  let denied: CodexCall[] = [];
  let input = 0;
  let output = 0;
  let context: number | undefined;
  const take = (payload: z.infer<typeof Payload>): void => {
    switch (payload.type) {
      case "task_started":
        [calls, denied, input, output] = [new Map(), [], 0, 0];
        return;
      case "function_call":
      case "custom_tool_call": {
        const detail = payload.type === "function_call" ? payload.arguments : payload.input;
        calls.set(payload.call_id, { name: payload.name, detail: clipDetail(detail) });
        return;
      }
      case "function_call_output":
      case "custom_tool_call_output": {
        const call = calls.get(payload.call_id);
        if (call !== undefined && isRefusal(call.name, payload.output)) denied.push(call);
        return;
      }
      case "token_count": {
        const { last_token_usage: last, model_context_window: window } = payload.info;
        if (window) context = Math.min(1, (last.input_tokens + last.output_tokens) / window);
      }
    }
  };
  return {
    onLine(text) {
      const line = parseJson(text);
      const spent = UsageLine.safeParse(line);
      if (spent.success) {
        input += spent.data.payload.usage.input_tokens;
        output += spent.data.payload.usage.output_tokens;
        return;
      }
      const kept = PayloadLine.safeParse(line);
      if (kept.success) take(kept.data.payload);
    },
    get record() {
      return { denied, usage: { type: "usage" as const, inputTokens: input, outputTokens: output, context } };
    },
  };
}

/** @param folder configuration home @returns null if Codex wrote no record */
export async function recordOf(folder: string, thread: string): Promise<TurnRecord | null> {
  const sessions = join(folder, "sessions");
  const names = await readdir(sessions, { recursive: true }).catch(() => []); // no conversation yet
  const name = names.findLast((each) => each.endsWith(`${thread}.jsonl`));
  if (name === undefined) return null;
  const reader = readRecord();
  const lines = readLines(({ text, whole }) => {
    if (whole) reader.onLine(text);
  });
  for await (const chunk of createReadStream(join(sessions, name))) lines.push(chunk as Buffer);
  lines.end();
  return reader.record;
}

/** A missing tool, a patch outside the workspace, or a command blocked by the sandbox: recognised by Codex's messages. */
function isRefusal(tool: string, output: string): boolean {
  if (/^unsupported call: |^patch rejected: |rejected by user approval settings/u.test(output)) return true;
  if (tool !== "exec_command" || !/^Process exited with code [1-9]/mu.test(output)) return false;
  return /read-only file system|operation not permitted|permission denied|bwrap: /iu.test(output);
}
