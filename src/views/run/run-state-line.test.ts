import { expect, test } from "vitest";
import type { Recorded } from "../../log/run-event.ts";
import { loopLine } from "./loop-line.ts";
import { loopReviews } from "./loop-reviews.ts";
import { countsAt, currentPhase, stateLineOf } from "./run-state-line.ts";
import { emptyView, foldView, type RunView } from "../../log/run-view.ts";
import { runStatus, statusText } from "./status.ts";

type Said = readonly [type: string, data: Readonly<Record<string, unknown>>];

const ref = `sha256:${"0".repeat(64)}`;

/** A run by the events that matter here; each command carries the counters as the kernel shows them. */
function viewOf(...said: readonly Said[]): RunView {
  const started = { protocol: "orchestrate", task: "Add", reviewers: ["Gemini", "Claude"], settingsRef: ref };
  const events = [["run.started", started] as const, ...said].map(
    ([type, data], index) =>
      ({ type, ...data, seq: index + 1, at: "2026-01-01T00:00:00.000Z" }) as unknown as Recorded,
  );
  return foldView(emptyView("r1"), events);
}

const limits = { gate1: 3, gate2: 4, gate3: 5, green: 5 } as const;

function command(key: string, more: Readonly<Record<string, unknown>> = {}, tries: Tries = {}): Said {
  const counters = Object.fromEntries(
    Object.entries(limits).map(([name, limit]) => [
      name,
      { value: tries[name as keyof typeof limits] ?? 1, limit },
    ]),
  );
  const [state = ""] = key.split("#");
  return [
    "command.issued",
    { key, command: { type: "check", key, state, frame: "main", counters, ...more } },
  ];
}

type Tries = Partial<Record<keyof typeof limits, number>>;

/** Both reviewers at a gate, in one of its tries. */
function round(gate: 1 | 2 | 3, nth: number, tries: number, verdicts: readonly [string, string]): Said[] {
  return ["Gemini", "Claude"].flatMap((label, index): Said[] => {
    const key = `g${gate}/${label}#${nth}`;
    const phase = { 1: "3 PLAN_DUAL_REVIEW", 2: "6 TEST_DUAL_REVIEW", 3: "8 CODE_DUAL_REVIEW" }[gate];
    return [
      command(key, { phase }, { [`gate${gate}`]: tries }),
      ["review.given", { key, gate, label, verdict: verdicts[index], issues: [], fields: {}, reason: "" }],
    ];
  });
}

const good = ["APPROVED", "APPROVED"] as const;
const bad = ["NEEDS_WORK", "APPROVED"] as const;
const shownIn = (view: RunView) =>
  stateLineOf(view)
    ?.match(/\[(?:Gemini|Claude): [^\]]+\]/gu)
    ?.join(" ");

test("each gate's own limit is shown (fault L2)", () => {
  expect(shownIn(viewOf(...round(1, 1, 1, good)))).toBe("[Gemini: 1/3] [Claude: 1/3]");
  expect(shownIn(viewOf(...round(1, 1, 1, good), ...round(2, 1, 1, bad)))).toBe(
    "[Gemini: 1/4] [Claude: 1/4]",
  );
  expect(shownIn(viewOf(...round(3, 1, 1, good), command("x#1", { phase: "9 USER_GATE_CODE" })))).toBe(
    "[Gemini: 1/5] [Claude: 1/5]",
  );
});

test("a count never exceeds its limit, however often a gate is passed again", () => {
  const edited = [1, 2, 3, 4, 5].flatMap((nth) => round(1, nth, 1, good));
  expect(shownIn(viewOf(...edited))).toBe("[Gemini: 1/3] [Claude: 1/3]");
  const third = [...round(1, 1, 1, bad), ...round(1, 2, 2, bad), ...round(1, 3, 3, good)];
  expect(shownIn(viewOf(...third, ...round(1, 4, 3, good), ...round(1, 5, 3, good)))).toBe(
    "[Gemini: 3/3] [Claude: 3/3]",
  );
  // A counter that ran out has begun anew, whoever let it.
  expect(shownIn(viewOf(...third, ...round(1, 4, 1, good)))).toBe("[Gemini: 1/3] [Claude: 1/3]");
  expect(countsAt(viewOf(...third, ...round(1, 4, 1, good)), 1)).toEqual([
    { label: "Gemini", given: 1, limit: 3 },
    { label: "Claude", given: 1, limit: 3 },
  ]);
});

test("a fresh run shows no tries, and later those that were used (fault L2)", () => {
  const text = (view: RunView) => statusText(runStatus(view, { owner: null }));
  expect(text(viewOf(command("intake#1", { phase: "1 INTAKE" })))).not.toMatch(/tries|1\/3/u);
  const later = viewOf(
    command("intake#1", { phase: "1 INTAKE" }),
    command("green#2", { phase: "7 TDD_GREEN" }, { green: 2 }),
  );
  expect(text(later)).toContain("  tries     green 2/5\n");
  // A person lowered the limit below what was used.
  const lowered = viewOf(
    command("intake#1", { phase: "1 INTAKE" }),
    command("green#6", { phase: "7 TDD_GREEN" }, { green: 6 }),
  );
  expect(text(lowered)).toContain("green 5/5");
});

test("an ended run is not in progress, and its last phase is called that (fault L2)", () => {
  const ended = viewOf(command("summary#1", { phase: "10 SUMMARY" }, { green: 2 }), [
    "run.ended",
    { outcome: "complete", reason: "proven" },
  ]);
  const status = runStatus(ended, { owner: null });
  expect(status.state_line).toBeNull();
  expect(statusText(status)).toBe("run r1: Add\n  status    complete: proven\n  ended in  10 SUMMARY");
});

test("the phase of a mode that is left is not the run's (fault L2)", () => {
  const cycle = command("cycles/C1/qa#1", { mode: "Ω₅ᵀ", phase: "review_impl", frame: "C1" });
  expect(currentPhase(viewOf(cycle, command("suite#1", { mode: "Ω₅ᵀ", frame: "C1" })))).toBe("review_impl");
  expect(currentPhase(viewOf(cycle, command("review#1", { mode: "Ω₆ⱽ" })))).toBeNull();
});

test("what critics and reviewers of the loops said is counted by what they judged (fault L2)", () => {
  const said = (key: string, more: Readonly<Record<string, unknown>>, outcome: string): Said[] => [
    command(key, { type: "dispatch", ...more }),
    ["result", { key, outcome }],
  ];
  const view = viewOf(
    ...said("arch#1", { mode: "Ω₂ᴬ" }, "ACCEPT"),
    ...said("audit#1", { mode: "Ω₂ᴬ" }, "REVISE"),
    ...said("audit#2", { mode: "Ω₂ᴬ" }, "ACCEPT"),
    ...said("plan#1", { mode: "Ω₃ᴾ" }, "PC"),
    ...said("critic#1", { mode: "Ω₄ᶜ" }, "PA"),
    ...said("red#1", { mode: "Ω₅ᵀ", phase: "ℜ" }, "RC"),
    ...said("de#1", { mode: "Ω₅ᵀ", phase: "review_tests" }, "APPROVED"),
    ...said("qa#1", { mode: "Ω₅ᵀ", phase: "review_impl" }, "EX"),
    command("review#1", { type: "dispatch", mode: "Ω₆ⱽ" }),
  );
  expect(loopReviews(view)).toEqual(["design: 2 ACCEPT, 1 REVISE", "plan: 1 PA", "tests: 1 APPROVED"]);
});

test("RIPER shows its own flow, DPTR its loops (fault L7)", () => {
  const at = (protocol: string) =>
    viewOf(["run.started", { protocol, task: "", reviewers: [] }], command("x#1", { mode: "Ω₄ᶜ" }));
  expect(loopLine(at("riper"))).toBe("Ω₁ᴾ→Ω₂ᴬ→(Ω₃ᴾ⟷[Ω₄ᶜ])→Ω₅ᵀ→Ω₆ⱽ");
  expect(loopLine(at("dptr"))).toBe("Ω₁: Design Loop → [Ω₂: Plan Loop] → Ω₃: TDD Loop → Ω₄: Review  Ω₄ᶜ=Ω₂ᶜ");
});
