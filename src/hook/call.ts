/** Parses the hook call of any supported program, and prints our answer in the format of that program. */
import { assertNever } from "../lib/assert-never.ts";
import { fieldsOf } from "../lib/json.ts";

export type Format = "claude" | "codex" | "gemini";

/** Event names of Claude Code; Codex uses the same. */
export type HookEvent =
  "SessionStart" | "UserPromptSubmit" | "PreToolUse" | "PostToolUse" | "PreCompact" | "Stop" | "other";

export interface HookCall {
  readonly event: HookEvent;
  readonly session: string | null;
  readonly cwd: string | null;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Result of the tool; empty before the call. */
  readonly response: Readonly<Record<string, unknown>>;
  /** A sub-agent of the session is running. */
  readonly hasRunningSubAgent: boolean;
  readonly prompt: string;
  /** The session is in plan mode. */
  readonly isPlanMode: boolean;
  /** Path of the transcript, a file of JSON lines. */
  readonly transcript: string | null;
  /** Why the session starts: `compact` after a compaction. */
  readonly source: string | null;
  /** A hook has already kept the session from ending. */
  readonly wasHeld: boolean;
  /** Last message of the model, if the program passes it. */
  readonly lastMessage: string | null;
}

export type HookDecision =
  | { readonly type: "pass" }
  | { readonly type: "deny"; readonly reason: string }
  | { readonly type: "hold"; readonly reason: string }
  /** For the model. */
  | { readonly type: "tell"; readonly text: string }
  /** For the person. */
  | { readonly type: "hint"; readonly text: string };

export const pass: HookDecision = { type: "pass" };

const geminiEvents: Readonly<Record<string, HookEvent>> = {
  SessionStart: "SessionStart",
  BeforeAgent: "UserPromptSubmit",
  BeforeTool: "PreToolUse",
  AfterTool: "PostToolUse",
  AfterAgent: "Stop",
};

const ownEvents: readonly HookEvent[] = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PreCompact",
  "Stop",
];

/** @throws if the text is not a JSON object */
export function readCall(text: string, format: Format): HookCall {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error("the input is not a JSON object");
  const given: Readonly<Record<string, unknown>> = { ...value };
  const name = textOf(given["hook_event_name"]) ?? "";
  const event = format === "gemini" ? geminiEvents[name] : ownEvents.find((own) => own === name);
  const tasks = given["background_tasks"];
  return {
    event: event ?? "other",
    session: textOf(given["session_id"]),
    cwd: textOf(given["cwd"]),
    tool: textOf(given["tool_name"]) ?? "",
    input: fieldsOf(given["tool_input"]),
    response: fieldsOf(given["tool_response"]),
    hasRunningSubAgent: Array.isArray(tasks) && tasks.some(isRunningSubAgent),
    prompt: textOf(given["prompt"]) ?? "",
    isPlanMode: given["permission_mode"] === "plan",
    transcript: textOf(given["transcript_path"]),
    source: textOf(given["source"]),
    lastMessage: textOf(given["last_assistant_message"]) ?? textOf(given["prompt_response"]),
    wasHeld: given["stop_hook_active"] === true,
  };
}

/** Empty for `pass`: the session's own rules apply. */
export function printAnswer(answer: HookDecision, { event }: HookCall, format: Format): string {
  switch (answer.type) {
    case "pass":
      return "";
    case "deny":
      return format === "gemini"
        ? line({ decision: "deny", reason: answer.reason })
        : line({
            hookSpecificOutput: {
              hookEventName: event,
              permissionDecision: "deny",
              permissionDecisionReason: answer.reason,
            },
          });
    case "hold":
      return line({ decision: format === "gemini" ? "deny" : "block", reason: answer.reason });
    case "hint":
      return line({ systemMessage: answer.text });
    case "tell":
      return line({ hookSpecificOutput: { hookEventName: event, additionalContext: answer.text } });
    default:
      return assertNever(answer);
  }
}

/** `Task` is the older name. */
export function startsAgent({ tool }: HookCall): boolean {
  return tool === "Agent" || tool === "Task";
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function isRunningSubAgent(task: unknown): boolean {
  const { type, status } = fieldsOf(task);
  return type === "subagent" && status === "running";
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
