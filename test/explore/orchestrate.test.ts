/** Orchestrate through its routes: the failures at each state come first, and each question is answered as printed. */
import { expect, test } from "vitest";
import { golden, untestedFiles, type TurnFile } from "../orchestrate/world.ts";
import { wide } from "../wide.ts";
import { crash, explore, reports, type Move, type Moves } from "./explorer.ts";

const review = (name: string, lines: readonly string[], status: string): Move => ({
  does: [{ write: { path: `.claude/temp/${name}`, content: `${lines.join("\n")}\n` } }],
  report: { status, message: status },
});
const says = (text: string): Move => ({ does: [{ say: text }] });

async function moves(): Promise<Moves> {
  const { intake, planner, tester, coder, gemini, claude } = (await golden()).roles;
  const own = ({ does = [], report }: TurnFile = {}): Move => ({
    does,
    ...(report === undefined ? {} : { report }),
  });
  const [asks, spec] = intake;
  const few = {
    report: {
      status: "QUESTIONS",
      message: "one",
      payload: { questions: [{ id: "Q1", topic: "inputs", text: "Which?" }] },
    },
  };
  const wrong: Move = {
    does: [
      { write: { path: "src/slugify.js", content: "export function slugify(text) {\n  return text;\n}\n" } },
    ],
    report: { status: "GC", message: "done" },
  };
  const cheat: Move = {
    does: [{ write: { path: "test/slugify.test.js", content: "\n" } }],
    report: { status: "GC", message: "done" },
  };
  const needs = (name: string, more: readonly string[]) =>
    review(name, ["VERDICT: NEEDS_WORK", ...more], "NEEDS_WORK");
  const [planGemini, testsGemini, codeGemini] = gemini.map((turn) => own(turn));
  const [planClaude, testsClaude, codeClaude] = claude.map((turn) => own(turn));
  const issue = "ISSUES:\n- the empty text is forgotten";
  return {
    intake: [
      crash,
      reports("BL"),
      reports("ME"),
      reports("EX"),
      few,
      own(asks),
      reports("WRITTEN"),
      own(spec),
    ],
    planning: [reports("BL"), reports("TO"), reports("WRITTEN"), own(planner[0])],
    "plan_review/gemini/gemini": [
      says("I have no opinion"),
      says(`VERDICT: NEEDS_WORK\n${issue}\nSUGGESTIONS: none`),
      says(`VERDICT: NEEDS_WORK\n${issue}\nSUGGESTIONS: none`),
      says(`VERDICT: NEEDS_WORK\n${issue}\nSUGGESTIONS: none`),
      reports("BL"),
      planGemini ?? {},
    ],
    "plan_review/claude/claude": [
      reports("BL"),
      reports("APPROVED"),
      needs("plan-review.md", [issue, "SUGGESTIONS: none"]),
      planClaude ?? {},
    ],
    red: [
      crash,
      reports("BL"),
      reports("RC"),
      reports("RC"),
      reports("RC"),
      reports("RC"),
      reports("RC"),
      own(tester[0]),
    ],
    "test_review/gemini/gemini": [
      says(`VERDICT: NEEDS_WORK\nCOVERAGE_CHECK: YES\nRED_PHASE_CHECK: YES\n${issue}`),
      testsGemini ?? {},
    ],
    "test_review/claude/claude": [testsClaude ?? {}],
    green: [
      reports("TI"),
      wrong,
      wrong,
      cheat,
      cheat,
      cheat,
      reports("BL"),
      reports("TI"),
      crash,
      own(coder[0]),
    ],
    dispute: [reports("RC"), reports("RC"), own(tester[0])],
    "code_review/gemini/gemini": [
      says(`VERDICT: NEEDS_WORK\nEXECUTION_CHECK: YES\nCODE_QUALITY: poor\nSECURITY_ISSUES: none\n${issue}`),
      codeGemini ?? {},
    ],
    "code_review/claude/claude": [codeClaude ?? {}],
  };
}

// Each order gives another answer first, at each question.
test.each(wide ? [0, 1, 2] : [1])(
  "orchestrate ends from each question, in order %i",
  { tags: "ci", timeout: 600_000 },
  async (turn) => {
    const explored = await explore({
      files: await untestedFiles(),
      moves: await moves(),
      start: ["Add slugify(text)", "--protocol", "orchestrate"],
      order: turn,
    });

    expect(explored.faults).toEqual([]);
    expect(explored.status.status).toBe("complete");
  },
);
