/** A corpus of forty agents' answers with the expected decisions; then one decision through each channel. */
import { afterEach, expect, test } from "vitest";
import * as z from "zod";
import { verifies } from "../../../test/verifies.ts";
import type { AgentOutcome } from "../../agents/agent.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import { dispatchOf } from "../../kernel/fixtures/dispatch.ts";
import { openChannel, type Channel } from "../../channel/channel.ts";
import { callChannel } from "../../channel/client.ts";
import { offerAnswer } from "./answer.ts";
import { channelCalls } from "./channel-calls.ts";
import type { Decision } from "../../family/decision.ts";
import { collectDecisions } from "./decisions.ts";
import { decisionSchema, payloadSchemas, plainPayloadKinds } from "./payload-schemas.ts";

const command: DispatchCommand = dispatchOf("intake", "intake", {
  reports: ["GC", "TI.test", "QUESTIONS"],
  payload: { QUESTIONS: "questions" },
});
const schemas = payloadSchemas(plainPayloadKinds, command, undefined);
const codes = "GC, TI, QUESTIONS, BL, ME, TO, EX";
const decisions = () => collectDecisions(command, ["a planted secret"], schemas);

const text = (words: string): AgentOutcome => ({ type: "ok", text: words });
const json = (payload: unknown) => `\`\`\`json\n${JSON.stringify(payload)}\n\`\`\``;
const asked = { questions: [{ id: "q1", topic: "inputs", text: "Which?" }] };
const megabyte = "All the work that was done, word for word.\n".repeat(25_000);

type Expected = Decision | { readonly refused: string } | null;
const done = { status: "GC", message: "implemented" };
const missing = "payload: expected a mapping, got nothing";

const corpus: readonly (readonly [name: string, answer: string, expected: Expected])[] = [
  ["one line", "→GC: implemented", done],
  ["behind words", "I did it.\n\n→GC: implemented", done],
  ["before empty lines", "→GC: implemented\n\n  \n\n", done],
  ["with lines of Windows", "I did it.\r\n→GC: implemented\r\n", done],
  ["with spaces around its parts", "  → GC :  implemented  ", done],
  ["without a message", "→GC", { status: "GC", message: "" }],
  ["with an empty message", "→GC:", { status: "GC", message: "" }],
  [
    "with colons and arrows in it",
    "→BL: which → hash: SHA?",
    { status: "BL", message: "which → hash: SHA?" },
  ],
  ["with a secret in it", "→GC: by a planted secret", { status: "GC", message: "by [secret]" }],
  ["behind a megabyte", `${megabyte}→GC: implemented`, done],
  ["behind a megabyte in a fence", `\`\`\`\n${megabyte}\`\`\`\n→GC: implemented`, done],
  ["behind a megabyte in one line", `${"x".repeat(1 << 20)}\n→GC: implemented`, done],
  ["behind another code", "→TI: the test is wrong\nNo, I was wrong.\n→GC: implemented", done],
  ["behind a quoted code", "The reviewer said:\n> →BL: stop\n\n→GC: implemented", done],
  ["behind a fenced code", "You asked for\n```\n→BL: message\n```\n→GC: implemented", done],
  ["behind a code in tildes", "~~~text\n→BL: stop\n~~~\n→GC: implemented", done],
  ["behind a fence in a fence", "````md\n```\n→BL: stop\n```\n````\n→GC: implemented", done],
  ["behind a fence in a list", "1. so:\n   ```\n   →BL: stop\n   ```\n→GC: implemented", done],
  ["behind a code in the line", "I end with `→BL: stop`, or rather:\n→GC: implemented", done],
  ["behind marks that open nothing", "Write ``` inline ``` so\n```not `a` fence\n→GC: implemented", done],
  [
    "before a payload",
    `→QUESTIONS: one\n${json(asked)}`,
    { status: "QUESTIONS", message: "one", payload: asked },
  ],
  [
    "behind a payload",
    `${json(asked)}\n\n→QUESTIONS: one`,
    { status: "QUESTIONS", message: "one", payload: asked },
  ],
  [
    "behind two payloads",
    `${json({ a: 1 })}\nNo:\n${json(asked)}\n→QUESTIONS: one`,
    { status: "QUESTIONS", message: "one", payload: asked },
  ],
  ["with a payload that nobody asked for", `${json([1])}\n→GC: implemented`, { ...done, payload: [1] }],

  ["a code of the state with a hint", "→TI.test: wrong", { refused: `TI.test is none of ${codes}` }],
  ["an unknown code", "→DONE: implemented", { refused: `DONE is none of ${codes}` }],
  ["a code in small letters", "→gc: implemented", { refused: `gc is none of ${codes}` }],
  ["the prompt's own template", "→CODE: it is done", { refused: `CODE is none of ${codes}` }],
  ["a payload that is missing", "→QUESTIONS: one", { refused: missing }],
  ["a payload that is no JSON", "```json\n{questions: [\n```\n→QUESTIONS: one", { refused: missing }],
  [
    "a payload against its schema",
    `${json({ questions: [{ id: "q 1", topic: "inputs", text: "Which?" }] })}\n→QUESTIONS: one`,
    { refused: "payload.questions.0.id: an id has letters, digits, - _ and ." },
  ],
  [
    "a message without end",
    `→GC: ${"x".repeat(20_000)}`,
    { refused: "message: expected at most 16000 characters" },
  ],

  ["nothing", "", null],
  ["words alone", "I have implemented it.", null],
  ["a code above other words", "→GC: implemented\nShall I go on?", null],
  ["a code in a fence alone", "```\n→GC: implemented\n```", null],
  ["a code in a fence that nobody closed", "```\nconst a = 1;\n→GC: implemented", null],
  ["a quoted code alone", "> →GC: implemented", null],
  ["a code as indented code", "So I would end:\n\n    →GC: implemented", null],
  ["a code in the words of its template", "→GC: <one sentence>", null],
];

function judged(answer: string): Expected {
  const given = decisions();
  const offer = offerAnswer(given, text(answer));
  const accepted = given.accepted();
  if (offer?.type === "refused") return { refused: offer.why };
  if (accepted === null) return null;
  const { channel, ...report } = accepted;
  expect(channel).toBe("line");
  return report;
}

verifies("CORE-54", "the corpus has forty different answers", () => {
  expect(new Set(corpus.map(([, answer]) => answer)).size).toBe(40);
});

for (const [name, answer, expected] of corpus)
  verifies("CORE-54", `of forty answers: ${name}`, () => {
    expect(judged(answer)).toEqual(expected);
  });

test.each([
  ["fences that nobody closes", "``` a\n~~~ b\n".repeat(100_000)],
  ["arrows", "→".repeat(500_000)],
  ["a code without end", `→${"A".repeat(1 << 20)}!`],
  ["spaces", `→GC${" ".repeat(1 << 20)}x`],
  ["marks", "`".repeat(1 << 20)],
])("a megabyte of %s is read within two seconds", (_name, answer) => {
  const began = performance.now();
  expect(judged(answer)).toBeNull();
  expect(performance.now() - began).toBeLessThan(2000);
});

test("a payload nested too deeply is refused without a crash, and a deep one is accepted", () => {
  const nested = (depth: number) =>
    `\`\`\`json\n${"[".repeat(depth)}${"]".repeat(depth)}\n\`\`\`\n→GC: implemented`;
  expect(judged(nested(250_000))).toEqual({ refused: "payload: nested too deeply" });
  expect(judged(nested(150))).toMatchObject(done);
});

let channel: Channel | null = null;
afterEach(() => channel?.close());

verifies(
  "CORE-54",
  "tool, structured answer and last line give the same decision, but for its channel",
  async () => {
    const line = decisions();
    offerAnswer(line, text(`${json(asked)}\n→QUESTIONS: by a planted secret`));
    const report = { status: "QUESTIONS", message: "by a planted secret", payload: asked };
    const structured = decisions();
    const schema = z.fromJSONSchema(decisionSchema(command, schemas));
    offerAnswer(structured, { type: "ok", text: "{}", structured: schema.parse(report) });
    const tool = decisions();
    channel = await openChannel(channelCalls(command, tool));
    await callChannel(channel, { ...report, call: "report" });
    const decided = { status: "QUESTIONS", message: "by [secret]", payload: asked };
    expect([line, structured, tool].map((each) => each.accepted())).toEqual([
      { ...decided, channel: "line" },
      { ...decided, channel: "structured" },
      { ...decided, channel: "mcp" },
    ]);
  },
);

verifies(
  "CORE-54",
  "by each channel an unknown code and a bad payload are refused with what is allowed and the field, and a corrected one counts",
  async () => {
    const bad = { questions: [{ id: "q1", topic: 7, text: "Which?" }] };
    const field = "payload.questions.0.topic";
    const why = `${field}: expected a text, got the number 7`;
    const offers = {
      line: (given: ReturnType<typeof decisions>, { status, message, payload }: Decision) =>
        offerAnswer(given, text(`${json(payload)}\n→${status}: ${message}`)),
      structured: (given: ReturnType<typeof decisions>, report: Decision) =>
        offerAnswer(given, { type: "ok", text: "", structured: report }),
    };
    for (const offer of Object.values(offers)) {
      const given = decisions();
      expect(offer(given, { status: "DONE", message: "", payload: asked })).toEqual({
        type: "refused",
        code: "code_not_allowed",
        why: `DONE is none of ${codes}`,
        field: "status",
      });
      expect(offer(given, { status: "QUESTIONS", message: "", payload: bad })).toEqual({
        type: "refused",
        code: "bad_payload",
        why,
        field,
      });
      expect(given.accepted()).toBeNull();
      expect(offer(given, { status: "QUESTIONS", message: "", payload: asked })).toMatchObject({
        type: "accepted",
      });
      expect(given.refused().map((fact) => fact.why)).toEqual([`DONE is none of ${codes}`, why]);
    }
    const tool = decisions();
    channel = await openChannel(channelCalls(command, tool));
    const address = channel;
    const call = (status: string, payload: unknown) =>
      callChannel(address, { call: "report", status, payload });
    expect(await call("DONE", asked)).toMatchObject({
      ok: false,
      error: { field: "status", codes: codes.split(", ") },
    });
    expect(await call("QUESTIONS", bad)).toMatchObject({
      ok: false,
      error: { message: why, field, hint: `report again with one of: ${codes}`, codes: codes.split(", ") },
    });
    expect(await call("QUESTIONS", asked)).toMatchObject({ ok: true, result: { accepted: "QUESTIONS" } });
  },
);

test("a malformed structured answer is refused with its field, and not journaled as a decision", () => {
  const given = decisions();
  expect(offerAnswer(given, { type: "ok", text: "", structured: { message: "no status" } })).toMatchObject({
    type: "refused",
    field: "status",
  });
  expect(offerAnswer(given, { type: "ok", text: "", structured: "GC" })).toMatchObject({
    type: "refused",
    field: "",
  });
  expect(given.refused()).toEqual([]);
});
