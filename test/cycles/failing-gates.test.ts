/** Gates of a cycle that refuse or cannot be executed: how the run reacts, played by hand on the real gates. */
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { ActiveState } from "../../src/memory/bank/active-state.ts";
import { makeAgents } from "../../src/dispatch/agents/agents.ts";
import { renderPrompt } from "../../src/dispatch/prompt/prompt.ts";
import { query } from "../../src/families/cycles/observations.ts";
import { projectMemoryBank } from "../../src/families/cycles/memory-bank.ts";
import { runCheck } from "../../src/engine/checks/run-check.ts";
import { openCommands, waitingAsks } from "../../src/kernel/inspect.ts";
import { callIn } from "../cli/here.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { samples } from "../wide.ts";
import type { ByHand, Files } from "./by-hand.ts";
import { add, addTest, first, greenSums, honest, sums } from "./sums.ts";

const hands: ByHand[] = [];
/** Outside every checkout; it exists after the first run. */
const mark = join(tmpdir(), `mettle-failing-${process.pid}`);
afterAll(() => rm(mark, { force: true }));

async function started(hand: Promise<ByHand>): Promise<ByHand> {
  const begun = await hand;
  hands.push(begun);
  return begun;
}

async function stateOf({ world, run }: ByHand): Promise<ActiveState> {
  const { runs } = (await callIn(world, ["status", run, "--json"])).json() as { runs: { state: unknown }[] };
  return ActiveState.parse(runs[0]?.state);
}

/** σ₅ in the repository. */
async function progress({ context, world }: ByHand): Promise<string> {
  await projectMemoryBank(context);
  const text = await readFile(join(world.repository.dir, "memory-bank/progress.md"), "utf8");
  // Work played by hand is committed from this checkout with all its files.
  await world.repository.write({ "memory-bank": null });
  return text;
}

function dispatches({ context }: ByHand): readonly string[] {
  const { order, commands } = context.session.view;
  return order.flatMap((key) => commands[key]?.line ?? []);
}

describe("a gate row that fails is a QUALITY_FAILURE", () => {
  // Beside a failing test it would be a finding.
  const passing = addTest(
    "assert.equal(old, 1, typeof add);",
    "Q1 adds",
    'import { old } from "../src/old.js";\n',
  );
  const faults: Readonly<Record<string, readonly ["red" | "green", Files, string]>> = {
    "a test that passes already": ["red", passing, "Tests failing"],
    "an edited test": ["green", { ...add, ...addTest("assert.ok(add);") }, "No test modifications"],
  };
  for (const [fault, [kind, files, row]] of samples(Object.entries(faults)))
    verifiesInCi(
      "TDP-28",
      `${fault} is named in σ₅ and σ₄, kept byte for byte, and waits in Ω₆ⱽ for a person before any reviewer`,
      async () => {
        const hand = await started(sums("riper"));
        if (kind === "green") {
          await hand.work("red", "RC", honest);
          await hand.gate();
        }
        const commit = await hand.work(kind, kind === "red" ? "RC" : "GC", files);
        const before = dispatches(hand).length;
        await hand.gate();
        const { view } = hand.context.session;
        expect(waitingAsks(hand.context.session.state)).toMatchObject([
          {
            state: "quality",
            mode: "Ω₆ⱽ",
            as: "waiting",
            answers: ["review", "context", "approach", "reset"],
          },
        ]);
        expect(dispatches(hand).length).toBe(before);
        expect(await progress(hand)).toMatch(
          new RegExp(`❌ TDD₁: Sums\\.add\\(\\).*QUALITY_FAILURE, \\w+/\\d+\\)\\n {2}${row}: `, "u"),
        );
        const state = await stateOf(hand);
        expect(state).toMatchObject({
          Ω_current: "Ω₆ⱽ",
          tdd_mode: false,
          failure_analysis: {
            class: "QUALITY_FAILURE",
            cause: row,
            commands: [
              `mettle answer ${hand.run} review`,
              expect.stringContaining("--reset"),
              expect.stringContaining("--context"),
              expect.stringContaining("--approach"),
              ...(row === "Tests failing" ? [expect.stringContaining("--accept-test")] : []),
              `mettle abort ${hand.run}`,
            ],
          },
        });
        const kept = view.rescued.at(-1);
        expect(kept?.ref).toMatch(/^refs\/mettle\/rescue\//u);
        const { git } = hand.world.repository;
        expect(await git("rev-parse", `${kept?.ref}^{tree}`)).toBe(
          await git("rev-parse", `${commit}^{tree}`),
        );
        // Without an answer it stays; with one the review follows, and the run is failed.
        const resumed = await callIn(hand.world, ["resume", hand.run]);
        expect(resumed.code).toBe(3);
        expect((await callIn(hand.world, ["answer", hand.run, "context"])).code).toBe(2);
      },
    );
});

describe("a GREEN gate that fails by its tests is a TEST_FAILURE", () => {
  const path = JSON.stringify(mark);
  const flaky = (more = "") =>
    addTest(
      `assert.equal(add(1, 2), 3);\n  const seen = existsSync(${path});\n  writeFileSync(${path}, "");\n  assert.ok(seen);`,
      "Q1 adds",
      `import { existsSync, writeFileSync } from "node:fs";\n${more}`,
    );
  const wrong = 'test("Q1 adds more", () => {\n  assert.equal(add(2, 2), 4);\n});\n';
  const faults: Readonly<Record<string, readonly [Files, Files, string]>> = {
    "a flaky test": [flaky(), add, "qa"],
    "a flaky test and a wrong implementation": [
      flaky(wrong),
      { "src/add.js": "export const add = (a) => (a === 1 ? 3 : 0);\n" },
      "undetermined",
    ],
  };
  for (const [fault, [tests, source, at]] of samples(Object.entries(faults)))
    verifiesInCi(
      "TDP-27",
      `${fault} is ${at}'s in σ₅ and --json, with no further dispatch of DE`,
      async () => {
        const hand = await started(sums());
        await hand.work("red", "RC", tests);
        await hand.gate();
        await rm(mark, { force: true });
        await hand.work("green", "GC", source);
        const before = dispatches(hand).length;
        await hand.gate();
        expect(await progress(hand)).toMatch(new RegExp(`❌ TDD₁.*\\(TEST_FAILURE ${at}, \\w+/\\d+\\)`, "u"));
        const { failure_analysis } = await stateOf(hand);
        expect(failure_analysis).toMatchObject({ class: `TEST_FAILURE ${at}`, cause: "Tests passing" });
        expect(failure_analysis?.findings).toContain(first);
        expect([dispatches(hand).length, hand.state()]).toEqual([before, "suite_failed"]);
      },
    );
});

verifiesInCi(
  "TDP-29",
  "an abort within a cycle also leaves Ω₅ᵀ, with no agent at work and no failure to analyse",
  async () => {
    const hand = await started(sums("riper"));
    expect(await stateOf(hand)).toMatchObject({ Ω_current: "Ω₅ᵀ", tdd_mode: true, qa_agent_active: true });
    expect((await callIn(hand.world, ["abort", hand.run])).code).toBe(1);
    expect(await stateOf(hand)).toMatchObject({
      Ω_current: "Ω₆ⱽ",
      tdd_mode: false,
      tdd_phase: null,
      qa_agent_active: false,
      de_agent_active: false,
      failure_analysis: null,
    });
  },
);

describe("a gate that could not be executed, and the cycle after it", () => {
  let hand: ByHand;
  /** Simulates a missing runner: no program of this name starts. */
  async function withoutRunner(hand: ByHand): Promise<void> {
    const host = { ...hand.context.host, node: "/nonexistent/node" };
    const [command] = openCommands(hand.context.session.state).filter(({ type }) => type === "check");
    if (command?.type !== "check") throw new Error("no gate is open");
    const context = { ...hand.context, host };
    const settlement = await runCheck(context, command, new AbortController().signal);
    await hand.context.session.settle(command.key, settlement ?? { outcome: "none" });
  }

  async function pausedAt(hand: ByHand, gate: string): Promise<void> {
    const before = { lines: dispatches(hand), state: await stateOf(hand) };
    const { round, counters } = openCommands(hand.context.session.state)[0] as never;
    await withoutRunner(hand);
    expect(waitingAsks(hand.context.session.state)).toMatchObject([
      { state: "paused", as: "inconclusive", answers: ["resume"], round, counters },
    ]);
    const state = await stateOf(hand);
    expect(state).toMatchObject({
      last_test_result: null,
      tdd_mode: true,
      tdd_phase: before.state.tdd_phase,
    });
    expect(await progress(hand)).toMatch(/- ⚠️ TDD₁/u);
    expect(hand.context.session.view.cyclesFailed).toEqual([]);
    await hand.say("resume");
    expect([hand.state(), dispatches(hand)]).toEqual([gate, before.lines]);
  }

  verifies(
    "TDP-37",
    "pauses at RED, GREEN and integration_test without charging an attempt, and only that gate is repeated",
    async () => {
      hand = await started(sums("riper"));
      await hand.work("red", "RC", honest);
      await pausedAt(hand, "red_gate");
      await hand.gate();
      await hand.work("green", "GC", add);
      await pausedAt(hand, "green_gate");
      await hand.gate();
      await hand.work("test_refactor", "RTC", {});
      await hand.gate();
      await hand.work("impl_refactor", "RIC", {});
      await hand.gate();
      await hand.say("APPROVED");
      await hand.say("APPROVED");
      await pausedAt(hand, "integration_test");
      await hand.gate();
      await hand.gate();
      expect(hand.context.session.view.cyclesDone).toMatchObject([{ cycle: 1 }]);
      expect(await progress(hand)).toMatch(/- ✅ TDD₁/u);
    },
  );

  verifies(
    "TDP-39",
    "integration_test runs the tests of every cycle on the refactored commit, and shows its execution",
    async () => {
      const go = async () => {
        await hand.work("test_refactor", "RTC", {});
        await hand.gate();
        await hand.work("impl_refactor", "RIC", {});
        await hand.gate();
        await hand.say("APPROVED");
        await hand.say("APPROVED");
      };
      const two = {
        "test/twice.test.js": `${addTest("")["test/add.test.js"].split("\n").slice(0, 2).join("\n")}\nimport { twice } from "../src/twice.js";\ntest("Q2 doubles", () => { assert.equal(twice(2), 4); });\n`,
      };
      await hand.work("red", "RC", two);
      await hand.gate();
      await hand.work("green", "GC", { "src/twice.js": "export const twice = (n) => n * 2;\n" });
      await hand.gate();
      await go();
      // A fault that appeared after DE's commit was checked: the branch holds a source that breaks the first cycle.
      const { session } = hand.context;
      const { git, write } = hand.world.repository;
      await git("checkout", "--quiet", "--detach", session.view.head.branch ?? "");
      await write({ "src/add.js": "export const add = (a, b) => a * b;\n" });
      await git("commit", "--quiet", "--all", "-m", "broken");
      const commit = await git("rev-parse", "HEAD");
      await git("checkout", "--quiet", "main");
      await session.record([{ type: "head.moved", kind: "impl_refactor", commit }]);
      expect(hand.state()).toBe("integration_test");
      await hand.gate();
      const record = session.view.records.at(-1);
      expect(record).toMatchObject({ purpose: "final", verdict: "fail", commit });
      const told = session.view.observed.findLast(({ excerpt }) => excerpt.startsWith("Test results"));
      expect(told?.excerpt).toBe(`Test results: fail (${record?.id}; ${first})`);
      const { stdout } = await callIn(hand.world, ["show", record?.id ?? ""]);
      expect(stdout).toMatch(/\$ mettle gate final[^]*\$ \S*node --test/u);
      expect(stdout).toMatch(/✖ Q1 adds/u);
      expect(stdout).toMatch(/EXIT_CODE: 1[^]*EXIT_CODE: 1/u);
      expect(stdout.split("EXIT_CODE")[0]?.split("\n").length).toBeGreaterThan(13);
      const shown = (await callIn(hand.world, ["show", record?.id ?? "", "--json"])).json() as {
        record: { finishedAt?: string; exitCode: number };
      };
      expect(shown.record.exitCode).toBe(1);
    },
  );
});

describe("in the refactor loop", () => {
  let hand: ByHand;
  beforeAll(async () => void (hand = await started(greenSums())));

  verifies(
    "TDP-40",
    "a prompt has the observations only for an agent that cannot query, once, and of no other session",
    async () => {
      const { session } = hand.context;
      const [command] = openCommands(session.state);
      if (command?.type !== "dispatch") throw new Error("nobody is dispatched");
      const sid = command.session ?? "";
      const plan = session.view.sessions[0]?.session ?? "";
      await session.observe({ session: sid, round: command.round - 1, agent: "DE", content: "MARK-BEFORE" });
      await session.observe({ session: sid, round: command.round, agent: "QA", content: "MARK-NOW" });
      await session.observe({ session: plan, round: command.round, agent: "Ω₃ᴾ", content: "MARK-PLAN" });
      const { settings, host, home } = hand.context;
      const commands: typeof settings.agents.commands = { mine: { run: ["true"] } };
      const agents = { ...settings.agents, roles: { de: "claude", qa: "mine" }, commands };
      const agentFor = makeAgents({ settings: { ...settings, agents }, cwd: "/", host, home: home.root });
      // As runDispatch requests it.
      const [asking, mute] = await Promise.all(
        ["de", "qa"].map(async (role) => {
          const asks = (await agentFor(role)).withoutMcp !== true;
          return (await renderPrompt(hand.context, command, { asks })).text;
        }),
      );
      expect(asking).toContain(`QA[S${sid},R1,C1,P:ℜᶠᵗ]`);
      expect(asking).toContain("R{n-1}");
      expect(asking).not.toMatch(/MARK|phase:RED/u);
      for (const mark of ["MARK-BEFORE", "MARK-NOW"]) expect(mute?.split(mark)).toHaveLength(2);
      expect(mute).not.toContain("MARK-PLAN");
      const before = await query(hand.context, command, { pattern: `OBS[S${sid},R{n-1},*,*]` });
      expect(before.map(({ agent, content }) => `${agent}: ${content}`)).toContain("DE: MARK-BEFORE");
    },
  );

  verifiesInCi(
    "TDP-24",
    "tests that fail on the old source lead to another iteration, and DE is not dispatched",
    async () => {
      await hand.work("test_refactor", "RTC", addTest("assert.equal(add(1, 2), 4);"));
      expect((await stateOf(hand)).refactor_stage).toBe("qa_validation");
      const before = dispatches(hand).length;
      await hand.gate();
      expect(hand.context.session.view.observed.at(-1)).toMatchObject({
        agent: "MT",
        round: 1,
        excerpt: "Need another iteration",
      });
      expect(
        dispatches(hand)
          .slice(before)
          .map((line) => line.replace(/STDD_[^,]*/u, "S")),
      ).toEqual(["QA[S,R2,C1,P:ℜᶠᵗ]"]);
    },
  );
});
