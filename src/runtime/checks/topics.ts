/** Phase 1: the clarifying questions cover every topic before anything is written (ORC-09). */
import { judgeTopics, Questions } from "../../gates/topics.ts";
import { plainOutcomes, type Gate } from "./check.ts";

export const topicsGate: Gate = {
  outcomes: plainOutcomes,
  async check({ context, command }) {
    const cause = command.causes.findLast(({ payload }) => payload !== undefined);
    const report: unknown =
      cause?.payload === undefined ? null : JSON.parse(await context.payloads.text(cause.payload));
    const payload =
      report !== null && typeof report === "object" && "payload" in report ? report.payload : null;
    const verdict = judgeTopics(payload);
    const parsed = Questions.safeParse(payload);
    if (verdict.verdict !== "pass" || !parsed.success) return { verdict };
    return {
      verdict,
      facts: [{ type: "questions.asked", key: command.key, questions: parsed.data.questions }],
    };
  },
};
