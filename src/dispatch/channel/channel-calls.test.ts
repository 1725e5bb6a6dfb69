/** What an agent hears when it reports, over a real socket. */
import { afterEach, expect, test } from "vitest";
import * as z from "zod";
import type { DispatchCommand } from "../../kernel/command.ts";
import { dispatchOf } from "../../kernel/fixtures/dispatch.ts";
import { openChannel, type Channel } from "../../channel/channel.ts";
import { callChannel } from "../../channel/client.ts";
import { channelCalls } from "./channel-calls.ts";
import { bySchema, collectDecisions, judgeDecision } from "./decisions.ts";

const command: DispatchCommand = dispatchOf("green", "coder", { reports: ["GC", "TI.test"] });
const codes = ["GC", "TI", "BL", "ME", "TO", "EX"];

let channel: Channel | null = null;
afterEach(() => channel?.close());

async function open() {
  const decisions = collectDecisions(command, ["planted secret"]);
  channel = await openChannel(channelCalls(command, decisions));
  const address = channel;
  const report = (fields: Readonly<Record<string, unknown>>) =>
    callChannel(address, { ...fields, call: "report" });
  return { decisions, report, describe: () => callChannel(address, { call: "describe" }) };
}

test("`describe` returns the role and the codes", async () => {
  const { describe } = await open();
  expect(await describe()).toEqual({ version: 1, ok: true, result: { role: "coder", codes } });
});

test("an unknown code is refused with those that are allowed, and another one can follow; then the dispatch is decided", async () => {
  const { report, decisions } = await open();
  expect(await report({ status: "WRITTEN", message: "done" })).toEqual({
    version: 1,
    ok: false,
    error: {
      code: "code_not_allowed",
      message: "WRITTEN is none of GC, TI, BL, ME, TO, EX",
      hint: "report again with one of: GC, TI, BL, ME, TO, EX",
      field: "status",
      codes,
    },
  });
  expect(decisions.accepted()).toBeNull();
  expect(await report({ status: "GC", message: "with a planted secret", payload: { n: 1 } })).toEqual({
    version: 1,
    ok: true,
    result: { accepted: "GC" },
  });
  expect(await report({ status: "TI" })).toMatchObject({
    ok: false,
    error: {
      code: "already_reported",
      message: "a later decision TI; GC counts",
      hint: "the dispatch is decided; end your work",
    },
  });
  expect(decisions.accepted()).toEqual({
    status: "GC",
    message: "with a [secret]",
    payload: { n: 1 },
    channel: "mcp",
  });
  expect(decisions.refused().map(({ why }) => why)).toEqual([
    "WRITTEN is none of GC, TI, BL, ME, TO, EX",
    "a later decision TI; GC counts",
  ]);
});

test.each([
  ["no status", {}, "status"],
  ["a status that is no text", { status: 7 }, "status"],
  ["a message that is no text", { status: "GC", message: ["x"] }, "message"],
  ["a message without end", { status: "GC", message: "x".repeat(20_000) }, "message"],
])("a report with %s is refused with the field and the codes", async (_name, fields, field) => {
  const { report, decisions } = await open();
  const answer = await report(fields);
  expect(answer).toMatchObject({ ok: false, error: { code: "report_refused", field, codes } });
  expect(decisions.accepted()).toBeNull();
});

test("a payload against its schema is refused with the failing field", () => {
  const schema = z.object({ questions: z.array(z.object({ id: z.string() })) });
  const report = { status: "GC", message: "" };
  const judge = (payload: unknown) =>
    judgeDecision({ ...report, payload }, { codes, judgePayload: bySchema(() => schema) });
  expect(judge({ questions: [{ id: 7 }] })).toEqual({
    type: "refused",
    code: "bad_payload",
    why: "payload.questions.0.id: expected a text, got the number 7",
    field: "payload.questions.0.id",
  });
  expect(judge(undefined)).toMatchObject({ type: "refused", field: "payload" });
  expect(judge({ questions: [] })).toMatchObject({ type: "accepted" });
});
