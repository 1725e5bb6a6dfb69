/** One whole run of riper, two cycles of which the first disagrees once, checked from every side. */
import { beforeAll, describe, expect, test } from "vitest";
import { trailersOf } from "../../src/git/trailers.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import { ActiveState, RiperState } from "../../src/memory/bank/active-state.ts";
import { stateText } from "../../src/memory/bank/state-text.ts";
import { query } from "../../src/families/cycles/observations.ts";
import { verifyRun } from "../../src/verify/verify-run.ts";
import { callIn } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { eventsOf, type World } from "../orchestrate/world.ts";
import { watchedRun, type WatchedRun } from "./golden-world.ts";
import { statesAfterEvents, type StateAfterEvent } from "./prefixes.ts";
import { createCyclesWorld, dispatchLines, observations } from "./world.ts";

let world: World;
let driven: WatchedRun;
/** The state of the run after each event. */
let stood: readonly StateAfterEvent[];
beforeAll(async () => {
  world = await createCyclesWorld();
  driven = await watchedRun(world, "riper");
  stood = await statesAfterEvents(world, driven);
});

/** Dispatches, observations of the Main Thread, verdicts and ends of one cycle, in journal order. */
function story(events: readonly Recorded[], session: string): readonly string[] {
  return events.flatMap((event): readonly string[] => {
    switch (event.type) {
      case "session.opened":
        return event.session === session ? ["opened"] : [];
      case "command.issued":
        return event.line?.includes(session) === true ? [event.line.replace(session, "{sid}")] : [];
      case "observed":
        return event.session === session && event.agent === "MT"
          ? [`R${event.round} ${event.excerpt.replace(/\(\w+\/\d+\)$/u, "({record})")}`]
          : [];
      case "cycle.completed":
        return session.endsWith(`_C${event.cycle}`) ? ["✅"] : [];
      case "session.closed":
        return event.session === session ? ["closed"] : [];
      default:
        return [];
    }
  });
}

function sessions(kind: "plan_loop" | "tdd_loop"): readonly string[] {
  return eventsOf(driven.events, "session.opened").flatMap((event) =>
    event.kind === kind ? [event.session] : [],
  );
}

describe("the cycles", () => {
  verifies(
    "TDP-22",
    "a cycle that agrees at once follows the seed's order, with each observation at the round before it is raised",
    () => {
      const [, second = ""] = sessions("tdd_loop");
      expect(story(driven.events, second)).toEqual([
        "opened",
        "R0 Give the first letter of each word in upper case. phase:RED",
        "QA[S{sid},R0,C2,P:ℜ]",
        "R0 phase:GREEN",
        "DE[S{sid},R0,C2,P:ℜᴳ]",
        "R1 REFACTOR phase started",
        "QA[S{sid},R1,C2,P:ℜᶠᵗ]",
        "R1 QA refactor complete",
        "DE[S{sid},R2,C2,P:ℜᶠⁱ]",
        "R2 DE refactor complete",
        "DE[S{sid},R3,C2,P:review_tests,CTX:review_qa_work]",
        "R3 DE review of tests: APPROVED",
        "QA[S{sid},R4,C2,P:review_impl,CTX:review_de_work]",
        "R4 QA review of impl: APPROVED",
        "R5 Test results: pass ({record})",
        "✅",
        "R6 REFACTOR converged",
        "closed",
      ]);
    },
  );

  verifies("TDP-23", "one NEEDS_CHANGE completes the pass and starts another one, which converges", () => {
    const [first = ""] = sessions("tdd_loop");
    const told = story(driven.events, first);
    expect(told.slice(told.indexOf("R4 QA review of impl: NEEDS_CHANGE"))).toEqual([
      "R4 QA review of impl: NEEDS_CHANGE",
      "R5 Test results: pass ({record})",
      "R6 Need another iteration",
      "QA[S{sid},R7,C1,P:ℜᶠᵗ]",
      "R7 QA refactor complete",
      "DE[S{sid},R8,C1,P:ℜᶠⁱ]",
      "R8 DE refactor complete",
      "DE[S{sid},R9,C1,P:review_tests,CTX:review_qa_work]",
      "R9 DE review of tests: APPROVED",
      "QA[S{sid},R10,C1,P:review_impl,CTX:review_de_work]",
      "R10 QA review of impl: APPROVED",
      "R11 Test results: pass ({record})",
      "✅",
      "R12 REFACTOR converged",
      "closed",
    ]);
  });

  verifies(
    "TDP-08",
    "cycles run one after another in the plan's order, and the review comes after the last",
    () => {
      const lines = dispatchLines(driven.events);
      const numbers = lines.flatMap((line) => /,C(\d+),/u.exec(line)?.[1] ?? []);
      expect(numbers.join("")).toMatch(/^1+2+$/u);
      expect(new Set(sessions("tdd_loop")).size).toBe(2);
      expect(lines.at(-1)).toBe("Ω₆ⱽ[]");
      const done = eventsOf(driven.events, "cycle.completed");
      expect(done.map(({ cycle }) => cycle)).toEqual([1, 2]);
      const review = eventsOf(driven.events, "command.issued").find(({ line }) => line === "Ω₆ⱽ[]");
      expect(review?.seq).toBeGreaterThan(done[1]?.seq ?? Number.POSITIVE_INFINITY);
    },
  );

  test("an agent's observations are its own, at the round of its dispatch", () => {
    expect(observations(driven.events)).toEqual(
      expect.arrayContaining([
        "R0 Ω₃ᴾ: One cycle for each module; slugify first.",
        "R0 Ω₄ᶜ: Each cycle can be tested alone.",
        "R0 QA: Two tests, both fail: slugify is not there.",
      ]),
    );
  });
});

/** The state after an event of this kind. */
function after(is: (event: Recorded) => boolean): readonly StateAfterEvent[] {
  return stood.filter(({ event }) => is(event));
}

/** Values without repetitions in a row. */
function withoutRepeats<Value>(values: readonly Value[]): readonly Value[] {
  return values.filter((value, index) => index === 0 || value !== values[index - 1]);
}

/** Of one cycle, after Ω₅ᵀ has begun. */
function inCycle(number: number): readonly StateAfterEvent[] {
  return stood.filter(({ state }) => state.current_cycle === number);
}

describe("the beginning of a cycle", () => {
  verifies(
    "TDP-19",
    "session, observation of the task, dispatch of QA: in this order, each once, in phase red at round 0",
    async () => {
      const [first = "", second = ""] = sessions("tdd_loop");
      expect([first, second]).toEqual([
        expect.stringMatching(/^TDD_\d{8}T\d{9}Z_C1$/u),
        expect.stringMatching(/^TDD_\d{8}T\d{9}Z_C2$/u),
      ]);
      expect(story(driven.events, first).slice(0, 3)).toEqual([
        "opened",
        "R0 Turn a title into a URL slug with words() of src/words.js. phase:RED",
        "QA[S{sid},R0,C1,P:ℜ]",
      ]);
      for (const session of [first, second]) {
        const told = story(driven.events, session);
        for (const fact of told.slice(0, 3)) expect(told.filter((other) => other === fact)).toHaveLength(1);
        const [begun] = after((event) => event.type === "session.opened" && event.session === session);
        expect(begun?.state).toMatchObject({ tdd_phase: "red", tdd_session_id: session });
        const called = await callIn(world, ["memory", "query", driven.run, `OBS[S${session},R0,A:MT,*]`]);
        expect(called.stdout.match(/phase:RED/gu)).toHaveLength(1);
      }
    },
  );

  verifies("TDP-20", "GREEN starts at the same round, and DE reads QA's observations in RED", async () => {
    const [session = ""] = sessions("tdd_loop");
    const told = story(driven.events, session);
    const at = told.indexOf("R0 phase:GREEN");
    expect(told[at + 1]).toBe("DE[S{sid},R0,C1,P:ℜᴳ]");
    const line = `DE[S${session},R0,C1,P:ℜᴳ]`;
    const [green] = after((event) => event.type === "command.issued" && event.line === line);
    expect(green?.state.tdd_phase).toBe("green");
    const key = green?.event.type === "command.issued" ? green.event.key : "";
    const command = driven.context.session.view.commands[key]?.command;
    if (command?.type !== "dispatch") throw new Error("DE was not dispatched");
    const read = await query(driven.context, command, { pattern: `OBS[S${session},R{current},*,*]` });
    expect(read.map(({ agent, content }) => `${agent}: ${content}`)).toEqual([
      "MT: Turn a title into a URL slug with words() of src/words.js. phase:RED",
      "QA: Two tests, both fail: slugify is not there.",
      "MT: phase:GREEN",
    ]);
  });
});

describe("σ₄ and σ₅, after each event", () => {
  verifies(
    "TDP-49",
    "has every field of the seeds with its type, and is written to activeContext.md",
    async () => {
      for (const { state } of stood) expect(RiperState.safeParse(state).error).toBeUndefined();
      // The projection of an append is written before the next one; σ₂ is written first.
      const due = driven.seen.filter(({ after: seq }) => {
        const next = driven.events[seq];
        return next !== undefined && !(next.type === "document.written" && next.name === "σ₂");
      });
      expect(due.length).toBeGreaterThan(60);
      const wrong = due.flatMap(({ after: seq, text }) => {
        const state = stood[seq - 1]?.state;
        return state !== undefined && text.includes(`\n${stateText(state)}\n`) ? [] : [seq];
      });
      expect(wrong.map((seq) => driven.events[seq - 1])).toEqual([]);
      const { stdout } = await callIn(world, ["status", driven.run, "--json"]);
      const [told] = (JSON.parse(stdout) as { runs: { state: unknown }[] }).runs;
      expect(ActiveState.parse(told?.state)).toEqual(stood.at(-1)?.state);
      const worktree = `${world.home}/worktree`;
      await world.repository.git("worktree", "add", "--quiet", "--detach", worktree);
      const status = ["status", driven.run, "--json"];
      for (const cwd of [worktree, `${world.repository.dir}/src`])
        expect((await callIn(world, status, { cwd })).stdout).toBe(stdout);
    },
  );

  verifies("TDP-09", "QA and DE are active exactly while they have the dispatch, and never at once", () => {
    const [qa, de] = [/^QA\[.*P:(ℜ|ℜᶠᵗ|review_impl)[,\]]/u, /^DE\[.*P:(ℜᴳ|ℜᶠⁱ|review_tests)[,\]]/u];
    for (const { line, state } of stood)
      expect([line, state.qa_agent_active, state.de_agent_active]).toEqual([
        line,
        qa.test(line ?? ""),
        de.test(line ?? ""),
      ]);
    expect(stood.filter(({ state }) => state.qa_agent_active).length).toBeGreaterThan(20);
    expect(stood.filter(({ state }) => state.de_agent_active).length).toBeGreaterThan(20);
    const { shifts } = driven;
    expect(shifts.length).toBe(32);
    for (const [index, shift] of shifts.entries())
      if (index % 2 === 0) expect(shifts[index + 1]).toBe(shift.replace("begin", "end"));
  });

  verifies(
    "TDP-08",
    "current_cycle is 0 until the first agent of a cycle works, and then the cycle's number",
    () => {
      expect(withoutRepeats(stood.map(({ state }) => state.current_cycle))).toEqual([null, 0, 1, 2, null]);
      for (const { line, state } of stood) {
        const number = /,C(\d+),/u.exec(line ?? "")?.[1];
        if (number !== undefined && state.current_cycle !== 0)
          expect(state.current_cycle).toBe(Number(number));
      }
    },
  );

  verifies("TDP-24", "refactor_stage goes through all eight values", () => {
    const stages = [
      "test",
      "qa_validation",
      "impl",
      "de_validation",
      "de_cross_review",
      "qa_cross_review",
      "integration_test",
      "interface_check",
    ];
    const [first, second] = [1, 2].map((number) =>
      withoutRepeats(inCycle(number).map(({ state }) => state.refactor_stage)),
    );
    expect(second).toEqual([null, ...stages]);
    // The pass that disagrees is judged by its reviews in interface_check, without a check by the runtime.
    expect(first).toEqual([null, ...stages.slice(0, 7), ...stages]);
  });

  verifies("TDP-29", "a successful run leaves Ω₅ᵀ with no active agent and no failure to analyse", () => {
    const over = stood.findIndex(({ event }) => event.type === "cycle.completed" && event.cycle === 2) + 1;
    const rest = stood.slice(over).filter(({ state }) => state.current_cycle === null);
    expect(rest.length).toBeGreaterThan(3);
    for (const { state } of rest)
      expect(state).toMatchObject({
        Ω_current: "Ω₆ⱽ",
        tdd_mode: false,
        qa_agent_active: false,
        de_agent_active: false,
        failure_analysis: null,
      });
  });

  verifies("RIP-04", "every dispatch has its own activation, and the sessions of plan and cycle", () => {
    const opened = after((event) => event.type === "command.issued" && event.line !== undefined);
    const activations = opened.map(({ state }) => RiperState.parse(state).Ω_session);
    expect([activations.includes(null), new Set(activations).size]).toEqual([false, activations.length]);
    for (const { line, state } of stood)
      expect([line, RiperState.parse(state).Ω_session === null]).toEqual([line, line === null]);
    expect(stood.some(({ line }) => line === null)).toBe(true);
    const [plan] = sessions("plan_loop");
    const [s_p, s_t] = (["S_p", "S_t"] as const).map((name) =>
      withoutRepeats(stood.map(({ state }) => RiperState.parse(state).sessions[name])),
    );
    expect([s_p, s_t]).toEqual([
      [null, plan],
      [null, ...sessions("tdd_loop")],
    ]);
  });

  verifies("TDP-50", "a cycle is open, then working, and done only with its last event", () => {
    const signs = withoutRepeats(
      stood.map(({ progress }) => progress.cycles.map(({ status }) => status).join(" ")),
    );
    expect(signs).toEqual(["", "working open", "done working", "done done"]);
    for (const number of [1, 2]) {
      const done = stood.find(({ progress }) => progress.cycles[number - 1]?.status === "done");
      expect(done?.event).toMatchObject({ key: `cycles/C${number}/interface_check#1`, outcome: "pass" });
      expect(after((event) => event.type === "cycle.completed" && event.cycle === number)).toHaveLength(1);
    }
  });
});

describe("the evidence", () => {
  verifies("TDP-38", "every row names an existing record, and the chain is valid", async () => {
    const { gates } = JSON.parse(
      (await callIn(world, ["show", driven.run, "--gates", "--json"])).stdout,
    ) as ShownGate;
    const rows = gates.flatMap((gate) => gate.rows.filter(({ mark }) => mark === "pass" || mark === "fail"));
    const ids = new Set(rows.flatMap(({ record }) => record ?? []));
    expect(rows.filter(({ basis, record }) => basis === "record" && record === undefined)).toEqual([]);
    expect(ids.size).toBeGreaterThan(10);
    const records = new Map(driven.context.session.view.records.map((record) => [record.id, record]));
    for (const id of ids) expect([id, records.get(id)?.exitCode]).toEqual([id, 0]);
    const results = eventsOf(driven.events, "observed").filter(({ excerpt }) =>
      excerpt.startsWith("Test results: "),
    );
    expect(results.map(({ excerpt }) => records.get(/\((.*)\)$/u.exec(excerpt)?.[1] ?? "")?.purpose)).toEqual(
      ["final", "final", "final"],
    );
    const [first = ""] = ids;
    expect((await callIn(world, ["show", first])).stdout).toMatch(/│ verdict: pass +│\n│ EXIT_CODE: 0 /u);
    expect(await verifyRun(driven.context)).toMatchObject({ verdict: "pass" });
  });
});

interface ShownGate {
  readonly gates: readonly {
    readonly rows: readonly { readonly mark: string; readonly basis: string; readonly record?: string }[];
  }[];
}

describe("the commits", () => {
  verifies(
    "TDP-57",
    "each accepted phase is one commit with trailers, on the run's own branch, and the user's branch stays",
    async () => {
      const { repository } = world;
      const log = await repository.git(
        "log",
        "--format=%s|%(trailers:key=Mettle-Cycle,valueonly,separator=%x2C)|%(trailers:key=Mettle-Phase,valueonly,separator=%x2C)",
        `mettle/${driven.run}/result`,
      );
      expect(log.trim().split("\n").slice(0, -1).toReversed()).toEqual([
        "Add failing tests (cycle 1): Add slugify(text)|1|ℜ",
        "Stub what the tests load (cycle 1): Add slugify(text)||",
        "Make the tests pass (cycle 1): Add slugify(text)|1|ℜᴳ",
        "Refactor the tests (cycle 1): Add slugify(text)|1|ℜᶠᵗ",
        "Refactor the implementation (cycle 1): Add slugify(text)|1|ℜᶠⁱ",
        "Refactor the tests (cycle 1): Add slugify(text)|1|ℜᶠᵗ",
        "Refactor the implementation (cycle 1): Add slugify(text)|1|ℜᶠⁱ",
        "Add failing tests (cycle 2): Add slugify(text)|2|ℜ",
        "Stub what the tests load (cycle 2): Add slugify(text)||",
        "Make the tests pass (cycle 2): Add slugify(text)|2|ℜᴳ",
        "Refactor the tests (cycle 2): Add slugify(text)|2|ℜᶠᵗ",
        "Refactor the implementation (cycle 2): Add slugify(text)|2|ℜᶠⁱ",
      ]);
      expect((await repository.git("rev-parse", "HEAD")).trim()).toBe(driven.context.started.base);
      const { records, commits } = driven.context.session.view;
      for (const { commit } of commits.filter(({ kind }) => kind !== "other")) {
        const named = (await trailersOf(driven.context.repository, commit)).get("Mettle-Record");
        expect([commit, records.find(({ id }) => id === named)?.commit]).toEqual([commit, commit]);
      }
    },
  );
});
