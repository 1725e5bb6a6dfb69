/** Phase 1: the clarifying questions cover every topic before anything is written (ORC-09). */
import { conclude, failed } from "../../gates/check.ts";
import { judgeTopics, Questions } from "../../gates/documents/topics.ts";
import { plainOutcomes, type Gate } from "../../family/gate.ts";

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
    const { questions } = parsed.data;
    const known = new Set(context.session.view.questions.map(({ id }) => id));
    if (questions.every(({ id }) => known.has(id))) return { verdict: nothingNew };
    return { verdict, facts: [{ type: "questions.asked", key: command.key, questions }] };
  },
};

/** The same questions again would loop forever, with nothing for a person to answer. */
const nothingNew = conclude({
  checks: [
    failed("questions", "all questions are answered; write the specification, or ask new ones with new ids"),
  ],
  findings: [],
});
