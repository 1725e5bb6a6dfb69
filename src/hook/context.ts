/**
 * How full a session's own context is, by its transcript (ORC-79): above 80 % nothing new is handed out to it until it has
 * been compacted. Read with the file system alone, from the end of the file.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { variable } from "../config/env.ts";
import type { Answer, HookCall } from "./call.ts";
import type { ErrorCode } from "../lib/errors.ts";
import { contextFile } from "./session-files.ts";

const maxShare = 0.8;
const code: ErrorCode = "context_full";

/** @returns the refusal; null where there is room, or nothing is known */
export function contextRefusal(home: string, call: HookCall): Answer | null {
  const kept = readState(home, call);
  const share = kept.full ?? shareOf(call.transcript, kept.from);
  if (share === null || share <= maxShare) return null;
  if (kept.full === null) writeState(home, call, { ...kept, full: share });
  const reason = `Mettle: error[${code}]: the context of this session is ${Math.floor(share * 100)} % full, and nothing new begins above ${maxShare * 100} %. Ask the person to type /compact; the brief of the phase is sent again after it.`;
  return { type: "deny", reason };
}

/** The session is being compacted: what was said before is not in its context any more. */
export function recordCompaction(home: string, call: HookCall): void {
  const { transcript } = call;
  const from = transcript === null || !existsSync(transcript) ? 0 : statSync(transcript).size;
  writeState(home, call, { full: null, from });
}

interface ContextState {
  /** The share that was refused; it holds until a compaction is seen. */
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

function writeState(home: string, { session }: HookCall, kept: ContextState): void {
  const file = contextFile(home, session);
  if (file === null) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(kept), { mode: 0o600 });
}

/** The newest usage stands near the end; a longer last part of the file is not looked through. */
const maxBytes = 1 << 20;

function shareOf(transcript: string | null, from: number): number | null {
  if (transcript === null || !existsSync(transcript)) return null;
  const lines = tailOf(transcript, from).split("\n").reverse();
  let told: number | null = null;
  for (const line of lines) {
    told ??= Number(/"contextWindow":(\d+)/u.exec(line)?.[1] ?? NaN) || null;
    const used = usageIn(line);
    if (used !== null) return used.tokens / windowOf(used, told);
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

/** Of an answer of the session's own model; what sub-agents use is in contexts of their own. */
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
    return null; // The first line of the part is cut, or the last one is being written.
  }
}

interface TranscriptEntry {
  readonly type?: string;
  readonly isSidechain?: boolean;
  readonly message?: { readonly model?: string; readonly usage?: Readonly<Record<string, unknown>> };
}

/** What the person set, what Claude Code told, else by the model: those before 4.7 have 200,000 tokens, as measured. */
function windowOf({ tokens, model }: ContextUsage, told: number | null): number {
  const set = /^(\d+)(k?)$/iu.exec(variable("CLAUDE_CODE_AUTO_COMPACT_WINDOW") ?? "");
  if (set !== null) return Number(set[1]) * (set[2] === "" ? 1 : 1000);
  if (told !== null) return told;
  const isSmall = /claude-(?:3|(?:sonnet|haiku)-4|opus-4-[0-6](?!\d))/u.test(model);
  return isSmall && tokens <= 200_000 ? 200_000 : 1_000_000;
}
