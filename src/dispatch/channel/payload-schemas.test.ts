/** Which schema a payload must keep to, and what an agent is given that answers by one. */
import { expect, test } from "vitest";
import * as z from "zod";
import { graphNodes, nodeExits } from "../../protocol/graph-types/nodes.ts";
import { shippedFamilies } from "../../families/families.ts";
import { exitSchemas, judgeDecision } from "../../families/graph/decision/judge-decision.ts";
import { decisionSchema, noSchemas, payloadSchemas, plainPayloadKinds } from "./payload-schemas.ts";
import { thrown } from "../../../test/support/thrown.ts";

const questions = { questions: [{ id: "q1", topic: "inputs", text: "Which?" }] };
const reports = ["QUESTIONS", "WRITTEN.late"];

/** Codes whose payload has a schema. */
function codesWith(state: Parameters<typeof payloadSchemas>[1], role?: Parameters<typeof payloadSchemas>[2]) {
  const schemas = payloadSchemas(plainPayloadKinds, state, role);
  return ["QUESTIONS", "WRITTEN", "BL", "ME", "TO", "EX", "toString"].filter(
    (code) => schemas(code) !== null,
  );
}

test("a code has the schema of its state, or else of its role; a single name applies to all codes of the state", () => {
  expect(codesWith({ reports })).toEqual([]);
  expect(codesWith({ reports }, {})).toEqual([]);
  expect(codesWith({ reports }, { payload: { QUESTIONS: "questions" } })).toEqual(["QUESTIONS"]);
  expect(codesWith({ reports }, { payload: "questions" })).toEqual(["QUESTIONS", "WRITTEN"]);
  expect(codesWith({ reports, payload: { WRITTEN: "questions" } }, { payload: "questions" })).toEqual([
    "WRITTEN",
  ]);
  expect(codesWith({ reports: [...reports, "BL"], payload: "questions" })).toEqual(["QUESTIONS", "WRITTEN"]);
});

test("the schema is the one of that name", () => {
  const schema = payloadSchemas(
    plainPayloadKinds,
    { reports, payload: { QUESTIONS: "questions" } },
    undefined,
  )("QUESTIONS");
  expect(schema?.safeParse(questions).success).toBe(true);
  expect(schema?.safeParse({ questions: [] }).success).toBe(false);
});

test("a name that this version does not know is refused with those it knows", () => {
  for (const payload of ["toString", "question"])
    expect(thrown(() => payloadSchemas(plainPayloadKinds, { reports, payload }, undefined))).toMatchObject({
      code: "protocol_invalid",
      message: `no payload schema is called ${payload}`,
      hint: expect.stringMatching(/^known: questions\b/u),
    });
});

test("a decision is one JSON Schema: its codes, its message and the payloads, all required and nothing beside them", () => {
  const command = { reports, payload: { QUESTIONS: "questions" } };
  const schema = decisionSchema(command, payloadSchemas(plainPayloadKinds, command, undefined));
  expect(schema).toMatchObject({
    type: "object",
    properties: {
      status: { type: "string", enum: ["QUESTIONS", "WRITTEN", "BL", "ME", "TO", "EX"] },
      message: { type: "string" },
      payload: { anyOf: [{ type: "object", required: ["questions"] }, { type: "null" }] },
    },
    required: ["status", "message", "payload"],
    additionalProperties: false,
  });
  const read = z.fromJSONSchema(schema);
  const valid = (value: unknown) => read.safeParse(value).success;
  expect(valid({ status: "QUESTIONS", message: "one", payload: questions })).toBe(true);
  expect(valid({ status: "WRITTEN", message: "done", payload: null })).toBe(true);
  expect(valid({ status: "DONE", message: "done", payload: null })).toBe(false);
  expect(valid({ status: "QUESTIONS", message: "one", payload: { questions: [{ id: 7 }] } })).toBe(false);
  expect(valid({ status: "WRITTEN", message: "done", payload: null, more: 1 })).toBe(false);
});

test("what may be missing in a node's payload is asked for as null, and null is taken for it", () => {
  const schema = decisionSchema({ reports: ["InitWork", "ClarificationNeeded"] }, exitSchemas("scaffold"));
  const work = {
    scaffoldCommit: "HEAD",
    interfaceFile: "src/a.ts",
    contractSuite: "test/a.test.ts",
    testPlan: [],
  };
  const valid = (payload: object) =>
    z.fromJSONSchema(schema).safeParse({ status: "InitWork", message: "", payload }).success;
  const whole = { ...work, childSpecs: null, interfaces: null };
  expect([valid(work), valid(whole), valid({ ...whole, childSpecs: [] })]).toEqual([false, true, true]);
  const allow = () => null;
  expect(judgeDecision("scaffold", { paths: allow, tree: allow })("InitWork", whole)).toEqual({
    type: "accepted",
    payload: whole,
    changes: [],
  });
  for (const node of graphNodes) {
    const reports = Object.keys(nodeExits[node]);
    const { properties = {} } = decisionSchema({ reports }, exitSchemas(node));
    const { anyOf: payloads = [] } = properties["payload"] as {
      anyOf?: { required?: string[]; properties?: object }[];
    };
    expect(payloads.length).toBe(reports.length + 1);
    for (const { required = [], properties: fields = {} } of payloads)
      expect(required).toEqual(Object.keys(fields));
  }
});

test("without payload schemas, the schema of a decision has no payload field", () => {
  expect(decisionSchema({ reports: ["GC"] }, noSchemas)).toEqual({
    type: "object",
    properties: {
      status: { type: "string", enum: ["GC", "BL", "ME", "TO", "EX"], description: expect.any(String) },
      message: { type: "string", description: expect.any(String) },
    },
    required: ["status", "message"],
    additionalProperties: false,
  });
});

test.each(Object.keys(shippedFamilies.payloadKinds))(
  "the schema %s can be given to an agent as JSON Schema",
  (payload) => {
    const command = { reports: ["DONE"], payload };
    const schema = decisionSchema(command, payloadSchemas(shippedFamilies.payloadKinds, command, undefined));
    expect(Object.keys(schema.properties ?? {})).toEqual(["status", "message", "payload"]);
    expect(z.fromJSONSchema(schema).safeParse({ status: "DONE", message: "", payload: null }).success).toBe(
      true,
    );
  },
);
