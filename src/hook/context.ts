/**
 * Reads from the transcript how full a session's context is (ORC-79): above 80 % nothing new is handed out until it has been
 * compacted. It reads the end of the file, without other tools.
 */
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { variable } from "../config/env.ts";
import type { HookDecision, HookCall } from "./call.ts";
import type { ErrorCode } from "../lib/errors.ts";
import { contextFile, writeJson } from "./session-files.ts";

const maxShare = 0.8;
const code: ErrorCode = "context_full";

/** @returns the refusal; null: there is room, or the usage is unknown */
export function contextRefusal(home: string, call: HookCall): HookDecision | null {
  const state = readState(home, call);
  const share = state.full ?? shareOf(call.transcript, state.from);
  if (share === null || share <= maxShare) return null;
  if (state.full === null) writeJson(contextFile(home, call.session), { ...state, full: share });
  const reason = `Mettle: error[${code}]: the context of this session is ${Math.floor(share * 100)} % full, and nothing new begins above ${maxShare * 100} %. Ask the person to type /compact; the brief of the phase is sent again after it.`;
  return { type: "deny", reason };
}

/** After a compaction the earlier part of the transcript is no longer in the context. */
export function recordCompaction(home: string, call: HookCall): void {
  const { transcript } = call;
  const from = transcript === null || !existsSync(transcript) ? 0 : statSync(transcript).size;
  writeJson(contextFile(home, call.session), { full: null, from });
}

interface ContextState {
  /** The refused share; it remains until the next compaction. */
  readonly full: number | null;
  /** Bytes of the transcript that are no longer in the context. */
  readonly from: number;
}

function readState(home: string, { session }: HookCall): ContextState {
  const file = contextFile(home, session);
  return file === null || !existsSync(file)
    ? { full: null, from: 0 }
    : (JSON.parse(readFileSync(file, "utf8")) as ContextState);
}

/** The latest usage is near the end of the file; only this many bytes are searched. */
const maxBytes = 1 << 20;

function shareOf(transcript: string | null, from: number): number | null {
  if (transcript === null || !existsSync(transcript)) return null;
  const lines = tailOf(transcript, from).split("\n").reverse();
  let reported: number | null = null;
  for (const line of lines) {
    reported ??= Number(/"contextWindow":(\d+)/u.exec(line)?.[1] ?? NaN) || null;
    const used = usageIn(line);
    if (used !== null) return used.tokens / windowOf(used, reported);
  }
  return null;
}

function tailOf(file: string, from: number): string {
  const handle = openSync(file, "r");
  try {
    const { size } = fstatSync(handle);
    const start = Math.max(from, size - maxBytes);
    const bytes = Buffer.alloc(Math.max(0, size - start));
    readSync(handle, bytes, 0, bytes.length, start);
    return bytes.toString("utf8");
  } finally {
    closeSync(handle);
  }
}

interface ContextUsage {
  readonly tokens: number;
  readonly model: string;
}

/** Usage of a message of the session's own model; sub-agents have their own contexts. */
function usageIn(line: string): ContextUsage | null {
  if (!line.includes('"usage"') || !line.includes('"assistant"')) return null;
  try {
    const { type, isSidechain, message } = JSON.parse(line) as TranscriptEntry;
    if (type !== "assistant" || isSidechain === true || message?.usage === undefined) return null;
    const { usage, model = "" } = message;
    const parts = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"];
    const tokens = parts.reduce((sum, part) => sum + (Number(usage[part]) || 0), 0);
    return tokens === 0 ? null : { tokens, model };
  } catch {
    return null; // A truncated first line, or a last line that is being written.
  }
}

interface TranscriptEntry {
  readonly type?: string;
  readonly isSidechain?: boolean;
  readonly message?: { readonly model?: string; readonly usage?: Readonly<Record<string, unknown>> };
}

/** The window set by the person, else reported by Claude Code, else of the model: 200,000 tokens before 4.7 (measured). */
function windowOf({ tokens, model }: ContextUsage, reported: number | null): number {
  const set = /^(\d+)(k?)$/iu.exec(variable("CLAUDE_CODE_AUTO_COMPACT_WINDOW") ?? "");
  if (set !== null) return Number(set[1]) * (set[2] === "" ? 1 : 1000);
  if (reported !== null) return reported;
  const isSmall = /claude-(?:3|(?:sonnet|haiku)-4|opus-4-[0-6](?!\d))/u.test(model);
  return isSmall && tokens <= 200_000 ? 200_000 : 1_000_000;
}
