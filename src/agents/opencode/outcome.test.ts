/** Streams printed by OpenCode 1.18.33, shortened; test/agents/recordings has whole ones. */
import { expect, test } from "vitest";
import type { AgentEvent } from "../agent.ts";
import type { ProgramResult } from "../program.ts";
import { outcomeOf } from "./outcome.ts";
import { modelOf, settingsOf } from "./settings.ts";
import { opencodeTurn, type OpencodeTurn } from "./turn.ts";
import { vendorOf } from "./vendor.ts";

const exited = (code: number): ProgramResult => ({ type: "exited", code, why: `exit code ${code}` });

function feed(lines: readonly object[]): {
  readonly turn: OpencodeTurn;
  readonly events: readonly AgentEvent[];
  readonly longWaits: number;
} {
  const events: AgentEvent[] = [];
  let longWaits = 0;
  const turn = opencodeTurn({
    sink: (event) => events.push(event),
    onLongWait: () => longWaits++,
    now: () => 0,
  });
  for (const line of lines)
    turn.onLine({ text: JSON.stringify({ ...line, sessionID: "ses_1" }), whole: true });
  return { turn, events, longWaits };
}

const begun = { type: "step_start" };
const textLine = (text: string) => ({ type: "text", part: { text } });
const step = (reason: string) => ({
  type: "step_finish",
  part: { reason, cost: 0, tokens: { input: 100, output: 20, reasoning: 5, cache: { read: 7, write: 0 } } },
});
const failed = (name: string, statusCode?: number) => ({
  type: "error",
  error: { name, data: { message: "m", statusCode } },
});

test.each([
  ["a last step that stopped", 0, [begun, textLine("done"), step("stop")], "ok"],
  ["the same, but exit 1", 1, [begun, textLine("done"), step("stop")], "crashed"],
  ["401", 1, [failed("APIError", 401)], "auth"],
  ["429", 1, [failed("APIError", 429)], "rate_limited"],
  ["500", 1, [failed("APIError", 500)], "api_error"],
  ["an error with exit 0", 0, [begun, step("tool-calls"), failed("APIError", 429)], "rate_limited"],
  ["no login", 1, [failed("ProviderAuthError")], "auth"],
  ["an answer without an end", 1, [failed("MessageOutputLengthError")], "api_error"],
  ["a model nobody knows", 1, [failed("UnknownError")], "crashed"],
  ["calls without an answer, with exit 0", 0, [begun, step("tool-calls")], "crashed"],
  [
    "a step that never ended, with exit 0",
    0,
    [begun, step("tool-calls"), begun, textLine("all done")],
    "crashed",
  ],
  ["a truncated answer, with exit 0", 0, [begun, textLine("do"), step("length")], "api_error"],
  ["nothing, with exit 0", 0, [], "crashed"],
] as const)("%s: the stream decides before the exit code", (_, code, lines, type) => {
  const { turn } = feed(lines);
  expect(outcomeOf({ ended: exited(code), turn, schema: null, stopped: false }).type).toBe(type);
});

test("a refused request tells in its headers when the next one may come", () => {
  const refused = (responseHeaders: Record<string, string>) => {
    const data = { statusCode: 429, responseHeaders };
    const { turn } = feed([{ type: "error", error: { name: "APIError", data } }]);
    return outcomeOf({ ended: exited(1), turn, schema: null, stopped: false });
  };
  expect(refused({ "retry-after": "120" })).toMatchObject({
    type: "rate_limited",
    resets: { inMs: 120_000 },
  });
  expect(refused({ "retry-after-ms": "50" })).toMatchObject({ resets: { inMs: 50 } });
  expect(refused({})).not.toHaveProperty("resets");
});

test("a wait of hours means an exhausted quota; a wait of seconds or a stop by Mettle does not", () => {
  const retry = (next: number) => ({ type: "mettle_retry", message: "Too Many Requests", next });
  const aborted: ProgramResult = { type: "aborted", why: "stopped by Mettle" };
  const long = feed([retry(2000), retry(7_200_000), retry(7_300_000)]);
  const end = (stopped: boolean) => outcomeOf({ ended: aborted, turn: long.turn, schema: null, stopped });
  expect(end(false)).toMatchObject({
    type: "rate_limited",
    why: "Too Many Requests: it would try again in 120 minutes",
    resets: { at: 7_200_000 },
  });
  expect(end(true).type).toBe("aborted");
  expect([long.longWaits, long.events.length]).toEqual([1, 3]);
  expect(feed([retry(2000)]).turn.waits).toBeNull();
});

test("each step reports its tokens; a call is reported with its arguments, and as denied if a rule forbids it", () => {
  const use = (tool: string, error: string) => ({
    type: "tool_use",
    part: { tool, state: { status: "error", input: { of: tool }, error } },
  });
  const { turn, events } = feed([
    use("bash", "Model tried to call unavailable tool 'invalid'. Available tools: read."),
    use("read", "The user has specified a rule which prevents you from using this specific tool call."),
    use("glob", "ripgrep execution failed"),
    step("stop"),
  ]);
  const denied = events.filter(({ type }) => type === "denied");
  expect(denied).toEqual([
    { type: "denied", name: "bash", detail: '{"of":"bash"}' },
    { type: "denied", name: "read", detail: '{"of":"read"}' },
  ]);
  expect(events.filter(({ type }) => type === "tool")).toHaveLength(3);
  expect(events.at(-1)).toEqual({ type: "usage", inputTokens: 107, outputTokens: 25, costUsd: undefined });
  expect(turn.session).toBe("ses_1");
});

test("a role has its own tools, the search tools only with ripgrep; everything else is denied", () => {
  const options = {
    spec: { tools: ["Read", "Grep", "Write"], mcp: null },
    models: { provider: {}, model: null },
  };
  const permissions = (canSearch: boolean) =>
    (settingsOf({ ...options, canSearch }) as { permission: object }).permission;
  expect(permissions(true)).toEqual({
    "*": "deny",
    read: "allow",
    grep: "allow",
    edit: "allow",
    external_directory: "allow",
  });
  expect(permissions(false)).not.toHaveProperty("grep");
});

test("a template's model without a provider is ignored; the vendor is that of the model", () => {
  expect(modelOf("opus", "openai/gpt-5.5")).toBe("openai/gpt-5.5");
  expect(modelOf("anthropic/claude-opus-5-5", null)).toBe("anthropic/claude-opus-5-5");
  const models = [
    "openrouter/anthropic/claude-opus-5-5",
    "openai/gpt-5.5",
    "google/gemini-3-pro",
    "ollama/qwen",
    null,
  ];
  expect(models.map(vendorOf)).toEqual(["anthropic", "openai", "google", "ollama", "opencode"]);
});
