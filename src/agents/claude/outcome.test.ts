/** Results printed by Claude Code 2.1.332, shortened. */
import { expect, test } from "vitest";
import type { AgentEvent, Conversation } from "../agent.ts";
import type { ProgramResult } from "../program.ts";
import { outcomeOf } from "./outcome.ts";
import { claudeTurn } from "./turn.ts";

const ended: ProgramResult = { type: "exited", code: 0, why: "exit code 0" };
const failed: ProgramResult = { type: "exited", code: 1, why: "exit code 1" };
const fresh: Conversation = { type: "new", id: "c" };

function result(given: object): string {
  const base = { subtype: "success", is_error: false, terminal_reason: "completed", permission_denials: [] };
  return JSON.stringify({ ...base, ...given, type: "result" });
}

interface FeedResult {
  readonly turn: ReturnType<typeof claudeTurn>;
  readonly events: readonly AgentEvent[];
}

function feed(lines: readonly string[], conversation = fresh): FeedResult {
  const events: AgentEvent[] = [];
  const turn = claudeTurn((event) => events.push(event), conversation);
  for (const text of lines) turn.onLine({ text, whole: true });
  return { turn, events };
}

test.each([
  [
    "max turns",
    failed,
    { subtype: "error_max_turns", is_error: true, terminal_reason: "max_turns" },
    "max_turns",
  ],
  ["the budget", failed, { subtype: "error_max_budget_usd", is_error: true }, "budget"],
  ["401", failed, { is_error: true, api_error_status: 401, terminal_reason: "api_error" }, "auth"],
  ["429", failed, { is_error: true, api_error_status: 429, terminal_reason: "api_error" }, "rate_limited"],
  ["500", failed, { is_error: true, api_error_status: 500, terminal_reason: "api_error" }, "api_error"],
  ["no login", failed, { is_error: true, result: "Not logged in · Please run /login" }, "auth"],
  ["SIGINT, with exit 0 and success", ended, { terminal_reason: "aborted_streaming" }, "crashed"],
  [
    "an unknown conversation",
    failed,
    { subtype: "error_during_execution", is_error: true, errors: ["No conversation found"] },
    "crashed",
  ],
  ["success, but exit 1", failed, {}, "crashed"],
  ["success", ended, {}, "ok"],
] as const)("%s: the result decides before the exit code", (_, end, given, type) => {
  const { turn } = feed([result(given)]);
  expect(
    outcomeOf({ ended: end, result: turn.result, limit: turn.limit, text: "", structured: false }).type,
  ).toBe(type);
});

test("without a result the turn has crashed, whatever the exit code", () => {
  expect(outcomeOf({ ended, result: null, limit: null, text: "all done", structured: false })).toEqual({
    type: "crashed",
    text: "all done",
    why: "ended without a result: exit code 0",
  });
});

test("a limit of the account is rate limited, with its reset time; an allowed one changes nothing", () => {
  const state = (status: string) =>
    JSON.stringify({ type: "rate_limit_event", rate_limit_info: { status, resetsAt: 1_796_054_400 } });
  const outcome = (lines: readonly string[]) => {
    const { turn } = feed(lines);
    return outcomeOf({ ended: failed, result: turn.result, limit: turn.limit, text: "", structured: false });
  };
  const spent = result({ is_error: true, result: "You've hit your limit" });
  const rejected = { type: "rate_limited", resets: { at: 1_796_054_400_000 } };
  expect(outcome([state("rejected"), spent])).toMatchObject(rejected);
  expect(outcome([state("rejected"), result({ is_error: true, api_error_status: 429 })])).toMatchObject(
    rejected,
  );
  expect(outcome([state("allowed"), spent])).toMatchObject({ type: "crashed" });
  const older = result({ is_error: true, result: "Claude AI usage limit reached|1796054400" });
  expect(outcome([older])).toMatchObject({
    type: "rate_limited",
    why: expect.stringContaining("|1796054400"),
  });
  const words = result({ is_error: true, result: "You've hit your limit · resets 8pm (UTC)" });
  expect(outcome([words]).type).toBe("rate_limited");
  // The agent's own words are no event.
  const { turn } = feed([result({ result: "Claude AI usage limit reached|1796054400" })]);
  expect(outcomeOf({ ended, result: turn.result, limit: turn.limit, text: "", structured: false }).type).toBe(
    "ok",
  );
});

test("a required structured answer must exist, even after exit 0 and success", () => {
  const spoken = (given: object) => {
    const { turn } = feed([result(given)]);
    return outcomeOf({ ended, result: turn.result, limit: turn.limit, text: "", structured: true });
  };
  expect(spoken({ result: "plain words" }).type).toBe("schema_failed");
  expect(spoken({ structured_output: { status: "GC" } })).toMatchObject({
    type: "ok",
    structured: { status: "GC" },
  });
});

test("denied calls are reported, whatever the exit code", () => {
  const denial = { tool_name: "Write", tool_use_id: "t", tool_input: { file_path: "a" } };
  const { events } = feed([result({ permission_denials: [denial] })]);
  expect(events).toContainEqual({ type: "denied", name: "Write", detail: '{"file_path":"a"}' });
});

test("the cost of a resumed conversation is that of this process, and unknown if only the total is reported", () => {
  const own = { m: { costUSD: 0.0008, contextWindow: 1000 } };
  const whole = { total_cost_usd: 0.0032, modelUsage: own, usage: { input_tokens: 100, output_tokens: 20 } };
  const costOf = (given: object, conversation: Conversation) =>
    feed([result(given)], conversation).events.find((event) => event.type === "usage")?.costUsd;
  const resumed: Conversation = { type: "resume", id: "c" };
  expect(costOf({ ...whole, model_usage_since_last_result: own }, resumed)).toBe(0.0008);
  expect(costOf(whole, resumed)).toBeUndefined();
  expect(costOf(whole, fresh)).toBe(0.0032);
});

test("the share of the window is that of the last request, without subagents", () => {
  const assistantLine = (usage: object, parent: string | null) =>
    JSON.stringify({ type: "assistant", parent_tool_use_id: parent, message: { content: [], usage } });
  const { events } = feed([
    assistantLine({ input_tokens: 300, cache_read_input_tokens: 400, output_tokens: 100 }, null),
    assistantLine({ input_tokens: 10, output_tokens: 1 }, "toolu_1"),
    result({ modelUsage: { m: { contextWindow: 1000 } } }),
  ]);
  expect(events).toContainEqual(expect.objectContaining({ type: "usage", context: 0.8 }));
});

test("a truncated, invalid or unknown line changes nothing", () => {
  const { turn, events } = feed([
    '{"type":"assistant","mess',
    "a warning on stdout",
    '{"type":"of tomorrow"}',
  ]);
  expect(events).toEqual([]);
  expect(turn.text).toBe("a warning on stdout\n");
});
