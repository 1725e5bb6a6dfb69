/** Streams printed by Codex 0.171.0, shortened; test/agents/recordings has whole ones. */
import { expect, test } from "vitest";
import type { AgentEvent } from "../agent.ts";
import type { ProgramResult } from "../program.ts";
import { outcomeOf } from "./outcome.ts";
import { readRecord } from "./record.ts";
import { codexTurn, type CodexTurn } from "./turn.ts";

const exited = (code: number, words = ""): ProgramResult => ({
  type: "exited",
  code,
  why: `exit code ${code}${words === "" ? "" : `: ${words}`}`,
});

function feed(lines: readonly object[]): {
  readonly turn: CodexTurn;
  readonly events: readonly AgentEvent[];
} {
  const events: AgentEvent[] = [];
  const turn = codexTurn((event) => events.push(event));
  for (const line of lines) turn.onLine({ text: JSON.stringify(line), whole: true });
  return { turn, events };
}

const textLine = (text: string) => ({ type: "item.completed", item: { type: "agent_message", text } });
const completed = { type: "turn.completed", usage: { input_tokens: 300, output_tokens: 60 } };
const failed = (message: string) => ({ type: "turn.failed", error: { message } });

test.each([
  ["completed", exited(0), [textLine("done"), completed], "ok"],
  ["completed, but exit 1", exited(1), [textLine("done"), completed], "crashed"],
  ["401", exited(1), [failed("unexpected status 401 Unauthorized: x, url: http://h/v1")], "auth"],
  ["429", exited(1), [failed("exceeded retry limit, last status: 429 Too Many Requests")], "rate_limited"],
  ["a spent plan", exited(1), [failed("You've hit your usage limit. Try again in 3 days.")], "rate_limited"],
  ["500", exited(1), [failed("We’re currently experiencing high demand")], "api_error"],
  ["503 of a service named auth", exited(1), [failed("unexpected status 503: quota service")], "api_error"],
  ["no key", exited(1), [failed("Missing environment variable: `OPENAI_API_KEY`.")], "auth"],
  ["an end without a result, with exit 0", exited(0), [textLine("all done")], "crashed"],
  ["an unknown conversation", exited(1, "no rollout found for thread id 5b0e8a52"), [], "crashed"],
] as const)("%s: the stream decides before the exit code", (_, ended, lines, type) => {
  const { turn } = feed(lines);
  expect(outcomeOf({ ended, turn, schema: null }).type).toBe(type);
});

test("only its last message is the structured answer", () => {
  const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  const { turn } = feed([textLine("I look first"), textLine('{"n":1}'), completed]);
  expect(outcomeOf({ ended: exited(0), turn, schema })).toMatchObject({ type: "ok", structured: { n: 1 } });
});

test("a warning is neither text nor end, and a retry is reported with its status", () => {
  const retry = "Reconnecting... 1/2 (unexpected status 401 Unauthorized: x)";
  const { turn, events } = feed([
    { type: "item.completed", item: { type: "error", message: "`x` is deprecated" } },
    { type: "error", message: retry },
    { type: "of tomorrow" },
  ]);
  expect([turn.text, turn.end]).toEqual(["", null]);
  expect(events).toEqual([{ type: "retry", status: 401 }]);
});

test("denied calls and tokens are those of the last turn of the record; a command that only failed is not denied", () => {
  const reader = readRecord();
  const keep = (type: string, payload: object) => reader.onLine(JSON.stringify({ type, payload }));
  const call = (call_id: string, name: string, output: string) => {
    keep("response_item", { type: "function_call", call_id, name, arguments: `{"of":"${call_id}"}` });
    keep("response_item", { type: "function_call_output", call_id, output });
  };
  const spend = () => keep("token_usage_record", { usage: { input_tokens: 100, output_tokens: 20 } });
  keep("event_msg", { type: "task_started" });
  call("1", "nonsense", "unsupported call: nonsense");
  spend();
  keep("event_msg", { type: "task_started" });
  call("2", "exec_command", "Process exited with code 1\nOutput:\ncat: nofile: No such file or directory");
  call("3", "exec_command", "Process exited with code 1\nOutput:\nx: Read-only file system");
  call("4", "exec_command", "Process exited with code 0\nOutput:\nx: Read-only file system");
  spend();
  reader.onLine('{"type":"response_item","payl');
  expect(reader.record).toEqual({
    denied: [{ name: "exec_command", detail: '{"of":"3"}' }],
    usage: { type: "usage", inputTokens: 100, outputTokens: 20, context: undefined },
  });
});
