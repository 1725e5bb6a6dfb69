import { expect, test } from "vitest";
import { endOfError, endOfStop } from "./failure.ts";
import { permissionResponse, isPermitted } from "./permission.ts";

const cwd = "/work/tree";
const reader = { tools: ["Read", "Grep"], cwd, server: "mettle" };
const writer = { tools: ["Write"], cwd, server: "mettle" };
const at = (...paths: readonly string[]) => paths.map((path) => ({ path }));

test.each([
  ["reads", { kind: "read" }, [true, false]],
  ["searches", { kind: "search" }, [true, false]],
  ["writes in the workspace", { kind: "edit", locations: at("/work/tree/a", "b/c", "..d") }, [false, true]],
  ["removes in the workspace", { kind: "delete", locations: at("/work/tree/a") }, [false, true]],
  [
    "writes beside the workspace",
    { kind: "edit", locations: at("/work/tree/a", "/work/tree2/a") },
    [false, false],
  ],
  ["moves out of the workspace", { kind: "move", locations: at("a", "../a") }, [false, false]],
  [
    "changes a file beside it",
    { kind: "edit", content: [{ type: "diff", path: "/etc/passwd", newText: "" }] },
    [false, false],
  ],
  ["runs a command", { kind: "execute" }, [false, false]],
  ["fetches", { kind: "fetch" }, [false, false]],
  ["thinks", { kind: "think" }, [true, true]],
  ["goes into another mode", { kind: "switch_mode" }, [false, false]],
  ["reports", { kind: "other", title: "mcp__mettle__report" }, [true, true]],
  ["reports, without a kind", { title: "report (mettle MCP Server)" }, [true, true]],
  ["uses another server", { kind: "other", title: "send (mail MCP Server)" }, [false, false]],
  [
    "touches a file of that name",
    { kind: "other", title: "mettle.yaml", locations: at("mettle.yaml") },
    [false, false],
  ],
] as const)("permission of a reader and a writer: %s", (_name, call, expected) => {
  const toolCall = call as Parameters<typeof isPermitted>[0];
  expect([isPermitted(toolCall, reader), isPermitted(toolCall, writer)]).toEqual(expected);
});

test("the answer applies to this call only if possible, and cancels if there is no reject option", () => {
  const option = (kind: "allow_once" | "allow_always" | "reject_once" | "reject_always") => ({
    kind,
    name: kind,
    optionId: `the ${kind}`,
  });
  const all = [option("allow_always"), option("allow_once"), option("reject_always"), option("reject_once")];
  const chosen = (permitted: boolean, options: typeof all) => permissionResponse(permitted, options).outcome;
  expect(chosen(true, all)).toEqual({ outcome: "selected", optionId: "the allow_once" });
  expect(chosen(false, all)).toEqual({ outcome: "selected", optionId: "the reject_once" });
  expect(chosen(true, all.slice(0, 1))).toEqual({ outcome: "selected", optionId: "the allow_always" });
  expect(chosen(false, all.slice(0, 2))).toEqual({ outcome: "cancelled" });
});

test.each([
  [{ code: -32000, message: "Authentication required" }, "auth"],
  [{ code: 401, message: "no" }, "auth"],
  [{ code: -32603, message: "Internal error", data: { details: "API key not valid" } }, "auth"],
  [{ code: 429, message: "later" }, "rate_limited"],
  [{ code: -32603, message: "Internal error", data: { details: "HTTP 429" } }, "rate_limited"],
  [{ code: -32603, message: "You exhausted your quota" }, "rate_limited"],
  [{ code: -32603, message: "Internal error", data: { details: "HTTP 500" } }, "api_error"],
])("the error %j is reported as %s", (error, outcome) => {
  expect(endOfError(error)).toMatchObject({
    type: "end",
    outcome,
    why: expect.stringContaining(error.message),
  });
});

test("our own errors and completed turns have no end event", () => {
  expect(endOfError(new Error("the pipe broke"))).toBeNull();
  expect([endOfStop("end_turn", false), endOfStop("cancelled", true)]).toEqual([null, null]);
});
