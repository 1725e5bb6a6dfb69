/** The routes of the cycles of riper and dptr, in the kernel alone: every code and verdict, in every phase. */
import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { play, type Play } from "../../src/kernel/fixtures/play.ts";
import { protocolNamed } from "../../src/kernel/fixtures/protocols.ts";
import { possibleAnswer } from "../../src/kernel/fixtures/random.ts";
import { openCommands } from "../../src/kernel/inspect.ts";
import { verifies, verifiesInCi } from "../verifies.ts";

const protocol = protocolNamed("dptr");

/** Up to the first test of the first of three cycles. */
function atFirstCycle(): Play {
  const played = play(protocol);
  played.answer("design", "PC", { items: [{ id: "words", hash: "1" }], list: "modules" });
  played.answer("critic", "ACCEPT");
  const items = [1, 2, 3].map((number) => ({ id: `C${number}`, hash: String(number) }));
  played.answer("plan", "PC", { items, list: "cycles" });
  played.answer("critic", "PA");
  return played;
}

type Step = readonly [state: string, outcome: string];

/** A cycle that agrees at once. */
const agreed: readonly Step[] = [
  ["red", "RC"],
  ["red_gate", "pass"],
  ["green", "GC"],
  ["green_gate", "pass"],
  ["test", "RTC"],
  ["qa_validation", "pass"],
  ["impl", "RIC"],
  ["de_validation", "pass"],
  ["de_review", "APPROVED"],
  ["qa_review", "APPROVED"],
  ["integration_test", "pass"],
  ["interface_check", "pass"],
];

function go(played: Play, steps: readonly Step[]): Play {
  for (const [state, outcome] of steps) played.answer(state, outcome);
  return played;
}

/** The steps before a state. */
function until(state: string): readonly Step[] {
  return agreed.slice(
    0,
    agreed.findIndex(([name]) => name === state),
  );
}

function cycle(played: Play) {
  return Object.values(played.state().frames).findLast(({ parent }) => parent?.item.startsWith("C") === true);
}

function phase(played: Play): unknown {
  return cycle(played)?.facts["tdd_phase"];
}

/** The newest dispatch, as its agent, round and phase. */
function newestDispatch(played: Play): string {
  const command = played.commands.findLast(({ type }) => type === "dispatch");
  return command?.type === "dispatch" ? `${command.role} R${command.round} ${command.phase ?? ""}` : "none";
}

describe("from one phase of a cycle to the next", () => {
  const moves = {
    "ℜ→ℜᴳ": { code: ["red", "RC"], gate: ["red_gate", "pass"], from: "red", to: "green" },
    "ℜᴳ→ℜᶠ": { code: ["green", "GC"], gate: ["green_gate", "pass"], from: "green", to: "refactor" },
  } as const;
  for (const [name, { code, gate, from, to }] of Object.entries(moves))
    verifies("TDP-10", `${name} needs the code and the passed gate, in this order`, () => {
      const played = go(atFirstCycle(), until(code[0]));
      expect(phase(played)).toBe(from);
      // The gate has not been called yet, so its verdict is ignored.
      const key = `cycles/C1/${gate[0]}#1`;
      expect(played.send({ type: "result", key, outcome: gate[1] })).not.toBeNull();
      expect([phase(played), played.open()]).toEqual([from, [`cycles/C1/${code[0]}`]]);
      played.answer(code[0], code[1]);
      expect([phase(played), played.open()]).toEqual([from, [`cycles/C1/${gate[0]}`]]);
      played.answer(gate[0], gate[1]);
      expect(phase(played)).toBe(to);
    });

  verifies("TDP-10", "the next cycle begins only with a converged loop and a passed REFACTOR gate", () => {
    const unconverged = go(atFirstCycle(), until("de_review"));
    go(unconverged, [
      ["de_review", "NEEDS_CHANGE"],
      ["qa_review", "APPROVED"],
      ["integration_test", "pass"],
    ]);
    const early = { type: "result", key: "cycles/C1/interface_check#1", outcome: "pass" } as const;
    expect(unconverged.send(early)).not.toBeNull();
    expect(unconverged.open()).toEqual(["cycles/C1/test"]);

    const refused = go(atFirstCycle(), until("interface_check"));
    expect([refused.open(), cycle(refused)?.id]).toEqual([["cycles/C1/interface_check"], "cycles/C1"]);
    refused.answer("interface_check", "fail");
    expect(refused.open()).toEqual(["cycles/C1/test"]);

    const converged = go(atFirstCycle(), agreed);
    expect([converged.open(), phase(converged)]).toEqual([["cycles/C2/red"], "red"]);
  });
});

describe("the refactor loop", () => {
  const unconverged = {
    "a failing suite": ["APPROVED", "APPROVED", "fail"],
    "DE's review": ["NEEDS_CHANGE", "APPROVED", "pass"],
    "QA's review": ["APPROVED", "NEEDS_CHANGE", "pass"],
  } as const;
  for (const [name, [de, qa, suite]] of Object.entries(unconverged))
    verifies(
      "TDP-23",
      `${name} sends it round again after all stages, and no approval of the pass before counts`,
      () => {
        const played = go(atFirstCycle(), until("de_review"));
        go(played, [
          ["de_review", de],
          ["qa_review", qa],
          ["integration_test", suite],
        ]);
        expect(played.notes.slice(-2).map(({ text, round }) => [text, round])).toEqual([
          [`Test results: ${suite}`, 5],
          ["Need another iteration", 6],
        ]);
        expect([newestDispatch(played), cycle(played)?.facts["refactor_stage"]]).toEqual([
          "qa R7 ℜᶠᵗ",
          "test",
        ]);
        // Reversed in the second pass: each was approved once, no pass completely.
        const again: readonly Step[] = [
          ["test", "RTC"],
          ["qa_validation", "pass"],
          ["impl", "RIC"],
          ["de_validation", "pass"],
          ["de_review", de === "APPROVED" ? "NEEDS_CHANGE" : "APPROVED"],
          ["qa_review", "APPROVED"],
          ["integration_test", de === "APPROVED" ? "pass" : "fail"],
        ];
        expect([go(played, again).open(), newestDispatch(played)]).toEqual([
          ["cycles/C1/test"],
          "qa R13 ℜᶠᵗ",
        ]);
        // Two approvals and a passed suite are not enough if the gate finds that they belong to another pass or tree.
        const whole = [...again.slice(0, 4), ...agreed.slice(8)];
        go(played, [...whole.slice(0, -1), ["interface_check", "fail"]]);
        expect([played.open(), newestDispatch(played)]).toEqual([["cycles/C1/test"], "qa R19 ℜᶠᵗ"]);
        expect(go(played, whole).open()).toEqual(["cycles/C2/red"]);
      },
    );

  verifies(
    "TDP-24",
    "a commit that the runtime refuses leads to another iteration without a dispatch in between",
    () => {
      for (const [state, next] of [
        ["qa_validation", "qa R2 ℜᶠᵗ"],
        ["de_validation", "qa R3 ℜᶠᵗ"],
      ] as const) {
        const played = go(atFirstCycle(), until(state));
        const before = newestDispatch(played);
        expect(cycle(played)?.facts["refactor_stage"]).toBe(state);
        expect(played.latest().filter(({ type }) => type === "dispatch")).toEqual([]);
        const notes = played.notes.length;
        played.answer(state, "fail");
        expect(played.notes.slice(notes).map(({ text }) => text)).toEqual(["Need another iteration"]);
        expect([before === newestDispatch(played), newestDispatch(played)]).toEqual([false, next]);
      }
    },
  );
});

describe("an agent that cannot finish in a cycle", () => {
  const phases = ["red", "green", "test", "impl", "de_review", "qa_review"] as const;
  for (const code of ["ME", "TO", "EX", "BL"])
    verifies(
      "TDP-26",
      `${code} ends the run's cycles at once, in each of the six phases of the second of three`,
      () => {
        for (const state of phases) {
          const played = go(go(atFirstCycle(), agreed), until(state));
          const issued = played.commands.length;
          played.answer(state, code);
          expect([state, played.open()]).toEqual([state, ["suite_failed"]]);
          expect(cycle(played)).toMatchObject({ parent: { item: "C2" }, outcome: "failed.agent" });
          expect(played.state().frames["main"]?.facts["tdd_mode"]).toBe(false);
          played.answer("suite_failed", "pass");
          const later = played.commands.slice(issued).filter(({ type }) => type === "dispatch");
          expect(later).toMatchObject([{ role: "reviewer", mode: "Ω₆ⱽ", params: [] }]);
          for (const word of ["APPROVED", "NEEDS_CHANGE"]) {
            const judged = play(protocol);
            for (const event of played.events.slice(1)) judged.send(event);
            judged.answer("review_failed", word);
            expect(openCommands(judged.state())).toMatchObject([{ type: "ask", as: "failed" }]);
          }
        }
      },
    );
});

describe("a gate that refuses", () => {
  const refused = [
    ["red_gate", "fail"],
    ["green_gate", "fail.quality"],
  ] as const;
  for (const [state, outcome] of refused)
    verifies(
      "TDP-28",
      `${state}: a person is asked before any reviewer, who may call one or repeat the cycle`,
      () => {
        const played = () => {
          const at = go(go(atFirstCycle(), agreed), until(state));
          at.answer(state, outcome);
          return at;
        };
        const waits = { type: "ask", state: "quality", mode: "Ω₆ⱽ", as: "waiting" };
        expect(openCommands(played().state())).toMatchObject([waits]);
        const called = played();
        called.answer("quality", "review");
        expect(called.open()).toEqual(["suite_failed"]);
        for (const answer of ["context", "approach", "reset"]) {
          const again = played();
          again.answer("quality", answer);
          expect(cycle(again)).toMatchObject({ parent: { item: "C2" }, outcome: null, round: 0 });
          expect(again.open()).toEqual([expect.stringMatching(/^cycles\/C2.*\/red$/u)]);
        }
      },
    );
});

describe("Ω₆ⱽ", () => {
  const ends = {
    "a passed suite and APPROVED": ["pass", "review", "APPROVED", "complete"],
    "a passed suite and NEEDS_CHANGE": ["pass", "review", "NEEDS_CHANGE", "waiting"],
    "a failed suite and APPROVED": ["fail", "review_failed", "APPROVED", "failed"],
    "a failed suite and NEEDS_CHANGE": ["fail", "review_failed", "NEEDS_CHANGE", "failed"],
  } as const;
  for (const [name, [suite, state, code, end]] of Object.entries(ends))
    verifies("TDP-30", `${name}: ${end}`, () => {
      const played = go(atFirstCycle(), [...agreed, ...agreed, ...agreed]);
      // The runtime's own run of the suite comes first.
      expect(openCommands(played.state())).toMatchObject([{ type: "check", gate: "suite", mode: "Ω₆ⱽ" }]);
      played.answer("suite", suite);
      expect(openCommands(played.state())).toMatchObject([{ role: "reviewer", params: [], mode: "Ω₆ⱽ" }]);
      played.answer(state, code);
      if (end === "complete") return expect(played.state().ended?.outcome).toBe("complete");
      expect(openCommands(played.state())).toMatchObject([{ type: "ask", as: end }]);
      expect(played.state().ended).toBeNull();
    });
});

describe("a dispute over a test", () => {
  const exchange: readonly Step[] = [
    ["green", "TI"],
    ["dispute", "TA"],
    ["dispute_gate", "pass"],
  ];
  verifies(
    "TDP-21",
    "raises the round with the claim and with the answer, and a person decides the third",
    () => {
      const played = go(atFirstCycle(), until("green"));
      played.answer("green", "TI");
      expect(newestDispatch(played)).toBe("qa R1 ℜ");
      expect(played.commands.at(-1)).toMatchObject({
        ctx: "test_issue",
        counters: { test_disputes: { value: 1 } },
      });
      go(played, exchange.slice(1));
      expect(newestDispatch(played)).toBe("de R2 ℜᴳ");
      go(played, exchange);
      expect(played.open()).toEqual(["cycles/C1/green"]);
      played.answer("green", "TI");
      expect(openCommands(played.state())).toMatchObject([
        { type: "ask", state: "disputed", as: "waiting", answers: ["test-wrong", "test-right"] },
      ]);
    },
  );

  test("each cycle has its own exchanges", () => {
    const played = go(atFirstCycle(), [...until("green"), ...exchange, ...exchange, ...agreed.slice(2)]);
    expect(go(played, [...until("green"), ...exchange]).open()).toEqual(["cycles/C2/green"]);
  });
});

verifiesInCi("TDP-09", "whatever happens, QA and DE never have a dispatch at the same time", () => {
  const agents = new Set(["qa", "de"]);
  const picks = fc.array(fc.nat(), { minLength: 40, maxLength: 120 });
  const seen = { qa: 0, de: 0 };
  fc.assert(
    fc.property(picks, (choices) => {
      const played = atFirstCycle();
      for (const [index, pick] of choices.entries()) {
        const event = possibleAnswer({ protocol, state: played.state(), stamp: `p${index}`, pick });
        if (event === null) return;
        played.send(event);
        const open = openCommands(played.state()).flatMap((command) =>
          command.type === "dispatch" && agents.has(command.role) ? [command.role] : [],
        );
        for (const role of open) seen[role as keyof typeof seen] += 1;
        expect(open.length).toBeLessThan(2);
      }
    }),
    { numRuns: 60, seed: 7 },
  );
  expect(Math.min(seen.qa, seen.de)).toBeGreaterThan(100);
});
