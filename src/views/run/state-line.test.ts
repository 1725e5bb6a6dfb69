import fc from "fast-check";
import { expect, test } from "vitest";
import { verifies } from "../../../test/verifies.ts";
import { respond, reviewCounts, stateLine, type StateLine } from "./state-line.ts";

const labels = ["Gemini", "Claude"];
const once = labels.map((label) => ({ label, given: 1, limit: 3 }));
const green: StateLine = {
  phase: "7 TDD_GREEN",
  reviewers: once,
  proof: null,
  completed: false,
  tripped: false,
};

verifies(
  "ORC-90",
  "a fixture in Phase 7 gives the two example lines; a wait for a person is in_progress",
  () => {
    const reviews = [
      { gate: 1, label: "Gemini", verdict: "NEEDS_WORK", round: 1 },
      { gate: 1, label: "Claude", verdict: "APPROVED", round: 1 },
      { gate: 1, label: "Gemini", verdict: "APPROVED", round: 2 },
      { gate: 1, label: "Claude", verdict: "APPROVED", round: 2 },
      { gate: 2, label: "Gemini", verdict: "inconclusive", round: 1 },
      { gate: 2, label: "Gemini", verdict: "APPROVED", round: 1 },
      { gate: 2, label: "Claude", verdict: "APPROVED", round: 1 },
    ];
    const reviewers = reviewCounts(reviews, { gate: null, labels, limit: 3 });
    expect(stateLine({ ...green, reviewers })).toBe(
      "[Orc.Phase7_TDD_GREEN] [Gemini: 1/3] [Claude: 1/3] [Exec: UNPROVEN] [Exit: PENDING] [Status: in_progress]",
    );
    expect(stateLine({ ...green, reviewers, proof: { exitCode: 0, shown: true }, completed: true })).toBe(
      "[Orc.Phase7_TDD_GREEN] [Gemini: 1/3] [Claude: 1/3] [Exec: PROVEN] [Exit: 0] [Status: complete]",
    );

    const atGate1 = reviewCounts(reviews.slice(0, 3), { gate: 1, labels, limit: 3 });
    expect(stateLine({ ...green, phase: "3 PLAN_DUAL_REVIEW", reviewers: atGate1 })).toBe(
      "[Orc.Phase3_PLAN_DUAL_REVIEW] [Gemini: 2/3] [Claude: 1/3] [Exec: UNPROVEN] [Exit: PENDING] [Status: in_progress]",
    );
    const waiting = { ...green, phase: "4 USER_GATE_PLAN", proof: { exitCode: 0, shown: true } };
    expect(stateLine(waiting)).toContain("[Status: in_progress]");
  },
);

test("a gate that has no review yet shows 0, whatever the gate before showed", () => {
  const reviews = [{ gate: 1, label: "Gemini", verdict: "APPROVED", round: 1 }];
  expect(reviewCounts(reviews, { gate: 2, labels, limit: 3 })).toEqual([
    { label: "Gemini", given: 0, limit: 3 },
    { label: "Claude", given: 0, limit: 3 },
  ]);
  expect(reviewCounts([], { gate: null, labels: ["Codex"], limit: 2 })).toEqual([
    { label: "Codex", given: 0, limit: 2 },
  ]);
});

test("a breaker says blocked, also over a proven result", () => {
  expect(stateLine({ ...green, tripped: true, completed: true, proof: { exitCode: 0, shown: true } })).toBe(
    "[Orc.Phase7_TDD_GREEN] [Gemini: 1/3] [Claude: 1/3] [Exec: PROVEN] [Exit: 0] [Status: blocked]",
  );
});

test("the exit of a record whose block is not in the message is shown, but proves nothing", () => {
  expect(stateLine({ ...green, completed: true, proof: { exitCode: 0, shown: false } })).toBe(
    "[Orc.Phase7_TDD_GREEN] [Gemini: 1/3] [Claude: 1/3] [Exec: UNPROVEN] [Exit: 0] [Status: in_progress]",
  );
});

/** What may happen in a run, as far as the line is concerned. */
const happening = fc.oneof(
  fc.record({ type: fc.constant("ran" as const), exitCode: fc.constantFrom(0, 0, 1, 137, null) }),
  fc.constant({ type: "tripped" as const }),
  fc.constant({ type: "resumed" as const }),
  fc.constant({ type: "completed" as const }),
  fc.constant({ type: "entered" as const }),
  fc.record({ type: fc.constant("reviewed" as const), label: fc.constantFrom(...labels) }),
);

verifies("ORC-89", "over 10,000 random sequences no forbidden combination is rendered", () => {
  let rendered = 0;
  let complete = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(happening, fc.boolean()), { minLength: 1, maxLength: 12 }), (events) => {
      let tripped = false;
      let completed = false;
      let exit: number | null = null;
      const given: Record<string, number> = {};
      for (const [event, withBlock] of events) {
        if (event.type === "ran") exit = event.exitCode;
        if (event.type === "tripped") tripped = true;
        if (event.type === "resumed") tripped = false;
        if (event.type === "completed") completed = true;
        if (event.type === "entered") [completed, exit] = [false, null];
        if (event.type === "reviewed") given[event.label] = (given[event.label] ?? 0) + 1;

        const block = withBlock && exit !== null ? { text: "EXECUTION_BLOCK", exitCode: exit } : null;
        const reviewers = labels.map((label) => ({ label, given: given[label] ?? 0, limit: 3 }));
        const text = respond(
          { phase: "7 TDD_GREEN", reviewers, completed, tripped, lastExit: exit },
          { body: "what happened", block },
        );
        rendered += 1;
        const line =
          /^\[Orc\.Phase7_TDD_GREEN\] \[Gemini: \d+\/3\] \[Claude: \d+\/3\] \[Exec: (PROVEN|UNPROVEN)\] \[Exit: (\d+|PENDING)\] \[Status: (in_progress|blocked|complete)\]\n/.exec(
            text,
          );
        if (!line) throw new Error(`no state line: ${text}`);
        const [, exec, code, status] = line;
        const wrong = [
          (exec === "PROVEN") !== text.includes("EXECUTION_BLOCK"),
          (status === "blocked") !== tripped,
          status === "complete" && !(exec === "PROVEN" && code === "0" && completed),
          exit === null && code !== "PENDING",
        ];
        if (wrong.includes(true)) throw new Error(`forbidden: ${text}`);
        if (status === "complete") complete += 1;
      }
    }),
    { numRuns: 10_000 },
  );
  expect(rendered).toBeGreaterThan(10_000);
  expect(complete).toBeGreaterThan(100);
});
