import { expect, test } from "vitest";
import { judgeTopics, missingTopics } from "./topics.ts";

const all = ["inputs", "outputs", "edge_cases", "constraints", "success_criteria"];

function ask(topics: readonly string[]) {
  return {
    questions: topics.map((topic, at) => ({ id: `q${String(at + 1)}`, topic, text: `What about ${topic}?` })),
  };
}

function reasons(payload: unknown) {
  return judgeTopics(payload).checks.map(({ verdict, reason }) => `${verdict} ${reason}`);
}

test("questions about all five topics pass", () => {
  expect(judgeTopics(ask(all))).toEqual({
    verdict: "pass",
    outcome: "pass",
    checks: [{ name: "questions", verdict: "pass", reason: "", tests: [] }],
    findings: [],
  });
});

test("topics may have an agent's own spelling", () => {
  expect(
    missingTopics(ask(["Input", "OUTPUTS", "Edge-Cases", "constraint", "SuccessCriteria"]).questions),
  ).toEqual([]);
});

test.each(all)("a missing topic is reported: %s", (left) => {
  expect(reasons(ask(all.filter((topic) => topic !== left)))).toEqual([
    `fail no question about: ${left.replace("_", " ")}`,
  ]);
});

test("two questions with one id are refused, since an answer could mean either", () => {
  const payload = { questions: ask(all).questions.map((question) => ({ ...question, id: "q" })) };
  expect(reasons(payload)).toEqual(["fail two questions have the id q"]);
});

test("a payload that is no list of questions fails with the reason", () => {
  for (const payload of [null, {}, { questions: [] }, { questions: [{ id: "q1", topic: "inputs" }] }, "text"])
    expect(judgeTopics(payload).outcome).toBe("fail");
  expect(reasons({ questions: [{ id: "q1", topic: "inputs" }] })[0]).toContain(
    "questions.0.text: expected a text, got nothing",
  );
});
