/** Streams printed by the Gemini CLI 0.61.0, shortened. */
import { expect, test } from "vitest";
import type { AgentEvent } from "../agent.ts";
import type { ProgramResult } from "../program.ts";
import { modelOf } from "./argv.ts";
import { outcomeOf } from "./outcome.ts";
import { ownTools, policyOf } from "./tools.ts";
import { geminiTurn, type GeminiTurn } from "./turn.ts";

const exited = (code: number): ProgramResult => ({ type: "exited", code, why: `exit code ${code}` });

function feed(lines: readonly object[]): {
  readonly turn: GeminiTurn;
  readonly events: readonly AgentEvent[];
} {
  const events: AgentEvent[] = [];
  const turn = geminiTurn((event) => events.push(event));
  for (const line of lines) turn.onLine({ text: JSON.stringify(line), whole: true });
  turn.end();
  return { turn, events };
}

const textLine = (content: string) => ({ type: "message", role: "assistant", content, delta: true });
const success = { type: "result", status: "success", stats: { input_tokens: 100, output_tokens: 20 } };
const failure = (message: string, type = "unknown") => ({
  type: "result",
  status: "error",
  error: { type, message },
  stats: { input_tokens: 0, output_tokens: 0 },
});
const apiError = (code: number) => `[API Error: {"error":{"code":${code},"message":"m","status":"X"}}]`;
const empty = { type: "error", severity: "error", message: "The model returned an empty response" };

test.each([
  ["success", 0, [textLine("done"), success], "ok"],
  ["success, but exit 1", 1, [textLine("done"), success], "crashed"],
  ["401", 145, [failure(apiError(401))], "auth"],
  ["403", 147, [failure(apiError(403))], "auth"],
  ["a wrong key", 144, [failure("[API Error: API key not valid. Please pass a valid API key.]")], "auth"],
  ["429 in words, its number in the exit code", 173, [failure("[API Error: scripted]")], "rate_limited"],
  ["a spent quota", 173, [failure("[API Error: You have exhausted your daily quota.]")], "rate_limited"],
  ["500", 244, [failure(apiError(500))], "api_error"],
  ["a model nobody knows", 1, [failure("[API Error: scripted 404]")], "api_error"],
  [
    "the bound of its turns",
    53,
    [failure("Reached max session turns", "FatalTurnLimitedError")],
    "max_turns",
  ],
  ["no login", 41, [], "auth"],
  ["an empty answer, with exit 0", 0, [empty, { ...success, status: "error" }], "api_error"],
  ["a tool that cannot go on", 54, [failure("no space left", "no_space_left")], "crashed"],
  ["an unknown conversation", 42, [], "crashed"],
  ["an end without a result, with exit 0", 0, [textLine("all done")], "crashed"],
] as const)("%s: the stream decides before the exit code", (_, code, lines, type) => {
  const { turn } = feed(lines);
  expect(outcomeOf({ ended: exited(code), turn, structured: false }).type).toBe(type);
});

test("a text answer is not a structured answer", () => {
  const { turn } = feed([textLine('{"status":"GC"}'), success]);
  expect(outcomeOf({ ended: exited(0), turn, structured: true }).type).toBe("schema_failed");
});

test("a chunked message is one text and ends at a tool call; only the last one ends the answer", () => {
  const call = { type: "tool_use", tool_name: "read_file", tool_id: "1", parameters: { file_path: "a" } };
  const { turn, events } = feed([
    textLine("I "),
    textLine("look"),
    call,
    textLine("→G"),
    textLine("C: done"),
    success,
  ]);
  expect(turn.text).toBe("I look\n→GC: done\n");
  expect(events).toEqual([
    { type: "text", text: "I look" },
    { type: "tool", name: "read_file", detail: '{"file_path":"a"}' },
    { type: "text", text: "→GC: done" },
    { type: "usage", inputTokens: 100, outputTokens: 20 },
  ]);
});

test("denied calls are reported with their arguments, whatever the exit code; a failed tool is not denied", () => {
  const use = (id: string, name: string) => ({
    type: "tool_use",
    tool_name: name,
    tool_id: id,
    parameters: { command: name },
  });
  const answered = (id: string, type: string, message = "m") => ({
    type: "tool_result",
    tool_id: id,
    status: "error",
    error: { type, message },
  });
  const { events } = feed([
    use("1", "write_file"),
    use("2", "run_shell_command"),
    use("3", "glob"),
    answered("1", "policy_violation"),
    answered("2", "shell_execute_error"),
    answered("3", "tool_not_registered"),
    use("4", "git status"),
    answered("4", "unhandled_exception", "it requires user confirmation, which is not supported"),
    success,
  ]);
  expect(events.filter(({ type }) => type === "denied")).toEqual([
    { type: "denied", name: "write_file", detail: '{"command":"write_file"}' },
    { type: "denied", name: "glob", detail: '{"command":"glob"}' },
    { type: "denied", name: "git status", detail: '{"command":"git status"}' },
  ]);
});

test("a truncated, invalid or unknown line changes nothing", () => {
  const { turn, events } = feed([{ type: "of tomorrow" }, { type: "message", role: "user", content: "hi" }]);
  turn.onLine({ text: '{"type":"message","ro', whole: true });
  turn.onLine({ text: "a warning on stdout", whole: true });
  expect(events).toEqual([]);
  expect(turn.text).toBe("a warning on stdout\n");
});

test("a role has only its own tools, by the CLI's names", () => {
  const own = ownTools(["Read", "Bash", "Unheard"]);
  expect(own).toEqual(["read_file", "read_many_files", "list_directory", "run_shell_command"]);
  const rules = policyOf(own).split("[[rule]]\n").slice(1);
  expect(rules[0]).toMatch(/^toolName = "\*"\ndecision = "deny"/u);
  expect(rules.slice(1).map((rule) => rule.split("\n").slice(0, 2))).toEqual(
    own.map((name) => [`toolName = "${name}"`, 'decision = "allow"']),
  );
});

test("a template's model of another vendor is ignored", () => {
  expect(modelOf("opus", null)).toBe("gemini-2.5-pro");
  expect(modelOf("opus", "gemini-3-pro-preview")).toBe("gemini-3-pro-preview");
  expect(modelOf("gemini-2.5-flash", "gemini-3-pro-preview")).toBe("gemini-2.5-flash");
});
