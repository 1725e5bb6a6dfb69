import * as z from "zod";
import { issuesText } from "../../lib/plain-issues.ts";
import { conclude, failed, passed } from "../check.ts";
import type { Verdict } from "../verdict.ts";

/** Typed by people: `mettle answer RUN q1="…"`. */
const QuestionId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/, "an id has letters, digits, - _ and .");

/** The clarifying questions of Phase 1, which must cover the topics of ORC-09. */
export const Questions = z.object({
  questions: z.array(z.object({ id: QuestionId, topic: z.string(), text: z.string().min(1) })).min(1),
});
export type Questions = z.infer<typeof Questions>;

/** Topic -> its letters, which match any spelling: `Edge-Cases`, `edge_case`, `EdgeCases`. */
const topics: Readonly<Record<string, string>> = {
  inputs: "input",
  outputs: "output",
  "edge cases": "edgecase",
  constraints: "constraint",
  "success criteria": "successcriteri",
};

/** The topics without a question. */
export function missingTopics(questions: Questions["questions"]): readonly string[] {
  const named = questions.map(({ topic }) => topic.toLowerCase().replaceAll(/[^a-z]/g, ""));
  return Object.keys(topics).filter((topic) => !named.some((word) => word.includes(topics[topic] ?? topic)));
}

/** The gate `topics`. */
export function judgeTopics(payload: unknown): Verdict {
  const checks = questionFaults(payload).map((fault) => failed("questions", fault));
  return conclude({ checks: checks.length === 0 ? [passed("questions")] : checks, findings: [] });
}

function questionFaults(payload: unknown): readonly string[] {
  const parsed = Questions.safeParse(payload);
  if (!parsed.success)
    return [`the payload is not {questions: [{id, topic, text}]}: ${issuesText(parsed.error)}`];
  const { questions } = parsed.data;
  const ids = questions.map(({ id }) => id);
  const twice = new Set(ids.filter((id, at) => ids.indexOf(id) !== at));
  return [
    ...[...twice].map((id) => `two questions have the id ${id}`),
    ...missingTopics(questions).map((topic) => `no question about: ${topic}`),
  ];
}
