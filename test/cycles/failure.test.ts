/**
 * One run of riper with three cycles: the second fails in GREEN and is repeated by a person, the third fails because QA
 * cannot continue. Checks σ₅, the evidence, the review and a person's commands.
 * @module-tag ci
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Recorded } from "../../src/log/run-event.ts";
import { ActiveState } from "../../src/memory/bank/active-state.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { callIn } from "../cli/here.ts";
import { onCopy, payloadFile, verifyIn } from "../orchestrate/tamper.ts";
import { eventsOf, type CliResult, type TurnFile, type World } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import {
  createCyclesWorld,
  dispatchLines,
  goCycles,
  twoCycles,
  unchanged,
  type CyclesCassette,
} from "./world.ts";

interface Gate {
  readonly rows: readonly { readonly name: string; readonly mark: string; readonly record?: string }[];
}

const titles = {
  method: "titles()",
  task: "Give each word a capital.",
  tests: ["test/titles.test.js"],
  criteria: [{ id: "T1", text: "Each word begins with a capital." }],
  files: ["src/titles.js"],
};

async function cassetteOf(): Promise<CyclesCassette> {
  const cassette = await twoCycles();
  const { planner, qa, de } = cassette.roles;
  (planner[0]?.report?.payload as { cycles: unknown[] }).cycles.push(titles);
  const approved: TurnFile = { report: { status: "APPROVED", message: "good" } };
  const [red = {}, ...restOfSecond] = qa.slice(5);
  const [green = {}, ...implOfSecond] = de.slice(5);
  const wrong = 'export const initials = () => "";\n';
  cassette.roles.qa = [
    ...qa.slice(0, 1),
    unchanged.qa,
    approved,
    red,
    { ...red, expects: ["mind the capitals"] },
    ...restOfSecond,
    { report: { status: "BL", message: "no criterion says what a word is" } },
    { report: { status: "BL", message: "still not" }, repeat: true },
  ];
  cassette.roles.de = [
    ...de.slice(0, 1),
    unchanged.de,
    approved,
    {
      does: [{ write: { path: "src/initials.js", content: wrong } }],
      report: { status: "GC", message: "12 tests pass" },
    },
    green,
    ...implOfSecond,
  ];
  cassette.roles.reviewer = [
    { expects: ["Cycle 2 failed in ℜᴳ"], report: { status: "APPROVED", message: "looks good to me" } },
    { expects: ["Cycle 3 failed in ℜ: BL"], report: { status: "NEEDS_CHANGE", message: "T1 is missing" } },
    { report: { status: "APPROVED", message: "fine" }, repeat: true },
  ];
  return cassette;
}

/** A person's own text, which no run writes to. */
const brief = "# Mine\r\n\n- [R1] Short slugs.\n";
let world: World;
let run = "";
/** The state when cycle 2 failed, when cycle 3 failed, and at the end. */
const stops: { events: readonly Recorded[]; status: CliResult; progress: string; shown: CliResult }[] = [];
const ends: CliResult[] = [];

async function stop(): Promise<void> {
  stops.push({
    events: (await world.host.journal.read(run)).map(recorded),
    status: await callIn(world, ["status", run, "--json"]),
    progress: await bank("progress"),
    shown: await callIn(world, ["show", run]),
  });
}

function bank(name: string): Promise<string> {
  return readFile(join(world.repository.dir, `memory-bank/${name}.md`), "utf8");
}

function stateOf(status: CliResult) {
  const { runs } = status.json() as { runs: { state: unknown }[] };
  return ActiveState.parse(runs[0]?.state);
}

beforeAll(async () => {
  world = await createCyclesWorld({ "memory-bank/projectbrief.md": brief });
  ({ run } = await goCycles(world, "riper", await cassetteOf()));
  await stop();
}, 180_000);

describe("an implementation that fails its tests", () => {
  verifies(
    "TDP-27",
    "ends the cycle with its class and the failing tests, and DE is not dispatched again",
    () => {
      const [at] = stops;
      const [failed] = eventsOf(at?.events ?? [], "cycle.failed");
      expect(failed).toMatchObject({ cycle: 2, phase: "ℜᴳ", kind: "test", fault: "de" });
      expect(failed?.failing).toEqual([
        "test/initials.test.js::I1 gives the first letter of each word in upper case",
      ]);
      expect(dispatchLines(at?.events ?? []).slice(-2)).toEqual(["DE[S{sid},R0,C2,P:ℜᴳ]", "Ω₆ⱽ[]"]);
      expect(stateOf(at?.status as CliResult).failure_analysis).toMatchObject({
        class: "TEST_FAILURE de",
        findings: failed?.failing,
      });
    },
  );

  verifies("TDP-50", "is in σ₅ between the finished cycle and the one that never started", () => {
    const [at] = stops;
    const record = eventsOf(at?.events ?? [], "cycle.failed")[0]?.record ?? "none";
    const lines = (at?.progress ?? "").split("\n").filter((line) => line.startsWith("- "));
    expect(lines).toEqual([
      "- ✅ TDD₁: slugify() → ℜ→ℜᴳ→ℜᶠ",
      `- ❌ TDD₂: initials() → ℜ→ℜᴳ→ℜᶠ (TEST_FAILURE de, ${record})`,
      "- □ TDD₃: titles() → ℜ→ℜᴳ→ℜᶠ",
    ]);
    expect(at?.events.some(({ type }) => type === "record.written")).toBe(true);
  });

  verifies("TDP-29", "leaves Ω₅ᵀ for Ω₆ⱽ with an analysis that has everything needed to continue", () => {
    const [at] = stops;
    const [failed] = eventsOf(at?.events ?? [], "cycle.failed");
    expect(stateOf(at?.status as CliResult)).toMatchObject({
      Ω_current: "Ω₆ⱽ",
      tdd_mode: false,
      qa_agent_active: false,
      de_agent_active: false,
      last_test_result: "fail",
      failure_analysis: {
        cycle: 2,
        phase: "ℜᴳ",
        evidence: [failed?.record],
        snapshot: `${failed?.snapshot.commit} at event ${failed?.snapshot.seq}`,
        commands: [
          expect.stringMatching(/^mettle resume \S+ --reset [0-9a-f]{40}$/u),
          `mettle resume ${run} --context "…"`,
          `mettle resume ${run} --approach "…"`,
          `mettle abort ${run}`,
        ],
      },
    });
  });

  verifies("TDP-30", "is failed whatever the reviewer reports", () => {
    const [at] = stops;
    expect(eventsOf(at?.events ?? [], "result").at(-1)).toMatchObject({ outcome: "APPROVED" });
    expect(at?.shown.stdout).toContain("The run failed");
    expect(at?.events.some(({ type }) => type === "run.ended")).toBe(false);
  });

  verifies(
    "TDP-38",
    "marks DE's claim of passing tests UNVERIFIED, beside the record of the runtime's run",
    async () => {
      const [at] = stops;
      const events = at?.events ?? [];
      const claim = eventsOf(events, "claim.unverified").at(-1);
      expect(claim).toMatchObject({ phrase: "Tests pass", excerpt: "12 tests pass" });
      const record = eventsOf(events, "record.written").find(
        ({ tree, purpose }) => tree === claim?.tree && purpose === "green",
      );
      expect(record).toMatchObject({ exitCode: 1, verdict: "fail" });
      expect(at?.shown.stdout).toContain('UNVERIFIED claim retracted: "Tests pass"');
      const rows = (await callIn(world, ["show", run, "--gates", "--json"])).json() as {
        gates: readonly Gate[];
      };
      const text = (await callIn(world, ["show", run, "--gates"])).stdout;
      const crosses = rows.gates.flatMap(({ rows: all }) => all.filter(({ mark }) => mark === "fail"));
      expect(crosses).toContainEqual(expect.objectContaining({ name: "Tests passing", record: record?.id }));
      for (const { name, record: id = "none" } of crosses) {
        expect(text).toContain(`❌ ${name}  ${id}\n`);
        expect((await callIn(world, ["show", id])).stdout).toContain("│ verdict: fail");
      }
      const [some] = eventsOf(events, "record.written").slice(3);
      const verified = await onCopy(
        world,
        (root) => writeFile(payloadFile(root, some?.envelope ?? ""), "{}"),
        (home) => verifyIn(world, home, run),
      );
      expect(verified).toMatchObject({ verdict: "fail", record: some?.id });
    },
  );
});

describe("a person's actions after it", () => {
  beforeAll(async () => {
    // Nothing continues by itself, and σ₄ is never read back.
    const file = join(world.repository.dir, "memory-bank/activeContext.md");
    const text = await readFile(file, "utf8");
    const edited = text
      .replace("- tdd_mode: false", "- tdd_mode: true")
      .replace(/$/u, "\nMy note: ask Ada.\n");
    await writeFile(file, edited);
    ends.push(await callIn(world, ["resume", run]));
    await stop();
    ends.push(await callIn(world, ["resume", run, "--context", "mind the capitals"]));
    await stop();
  }, 180_000);

  verifies("TDP-60", "without a person's answer nothing is dispatched, and the run waits with exit 1", () => {
    expect(ends[0]?.code).toBe(1);
    expect(dispatchLines(stops[1]?.events ?? [])).toEqual(dispatchLines(stops[0]?.events ?? []));
  });

  verifies(
    "TDP-51",
    "an edit between the markers has no effect, is kept and reported, and a note below them stays",
    async () => {
      expect(stateOf(stops[1]?.status as CliResult).tdd_mode).toBe(false);
      const now = await bank("activeContext");
      expect(now).not.toContain("- tdd_mode: true");
      expect(now).toMatch(/<!-- mettle:end -->\n[^]*My note: ask Ada\.\n$/u);
      const [warned] = eventsOf(stops[1]?.events ?? [], "warned").filter(
        ({ code }) => code === "memory_edited",
      );
      const kept = /`(mettle show (sha256:[0-9a-f]{64}))`/u.exec(warned?.message ?? "")?.[2] ?? "";
      expect((await callIn(world, ["show", kept])).stdout).toContain("- tdd_mode: true");
      // σ₅ is written between such markers too.
      expect(await bank("progress")).toMatch(
        /<!-- mettle:begin -->\n[^]*- ✅ TDD₁[^]*\n<!-- mettle:end -->\n/u,
      );
    },
  );

  verifies(
    "CORE-67",
    "σ₄ is written from the journal again, a person's own text is not touched, and a broken reference is reported",
    async () => {
      expect(stateOf(stops[1]?.status as CliResult)).toEqual(stateOf(stops[0]?.status as CliResult));
      expect(await bank("activeContext")).toContain("My note: ask Ada.");
      expect(await bank("projectbrief")).toBe(brief);
      expect(await callIn(world, ["memory", "check"])).toMatchObject({ code: 0 });
      const tech = await bank("techContext");
      await world.repository.write({ "memory-bank/techContext.md": "[↗️σ₁:R1]\n[↗️σ₁:R2]\n" });
      const checked = await callIn(world, ["memory", "check"]);
      expect([checked.code, checked.stdout]).toEqual([
        1,
        expect.stringContaining("memory-bank/techContext.md:2"),
      ]);
      await world.repository.write({ "memory-bank/techContext.md": tech });
    },
  );

  verifies(
    "TDP-60",
    "with more context the cycle is repeated from ℜ in a new session, and the finished one stays",
    () => {
      const { events = [], progress = "" } = stops[2] ?? {};
      const before = dispatchLines(stops[1]?.events ?? []).length;
      const lines = dispatchLines(events).slice(before);
      expect(lines[0]).toBe("QA[S{sid},R0,C2,P:ℜ]");
      expect(lines.some((line) => line.includes(",C1,"))).toBe(false);
      const sessions = eventsOf(events, "session.opened").map(({ session }) =>
        session.replace(/\d{8}T\d{9}Z/u, ""),
      );
      expect(sessions).toEqual(["PLAN_", "TDD__C1", "TDD__C2", "TDD__C2", "TDD__C3"]);
      expect(new Set(eventsOf(events, "session.opened").map(({ session }) => session)).size).toBe(5);
      expect(progress).toMatch(/- ✅ TDD₂: initials\(\)/u);
      expect(progress).toMatch(/✅ TDD₂.*\n {2}before: ❌ TEST_FAILURE de, \w+\/\d+: Tests passing: /u);
    },
  );
});

describe("an agent that cannot continue", () => {
  verifies(
    "TDP-26",
    "ends the run's cycles: logged, captured as a snapshot, handed to Ω₆ⱽ as FAILED",
    async () => {
      const { events = [], status, progress = "" } = stops[2] ?? {};
      expect(dispatchLines(events).slice(-2)).toEqual(["QA[S{sid},R0,C3,P:ℜ]", "Ω₆ⱽ[]"]);
      expect(progress).toMatch(
        /- ❌ TDD₃: titles\(\).*\(AGENT_FAILURE, event \d+\)\n {2}BL: no criterion says what a word is/u,
      );
      expect(stateOf(status as CliResult)).toMatchObject({
        handoff_from: "Ω₅ᵀ",
        handoff_to: "Ω₆ⱽ",
        handoff_summary: expect.stringContaining("BL"),
      });
      const failed = eventsOf(events, "cycle.failed").at(-1);
      const shown = await callIn(world, ["show", run, "--snapshot"]);
      expect(shown.stdout).toContain(`cycle 3 failed after event ${failed?.snapshot.seq}`);
      const { snapshot } = (await callIn(world, ["show", run, "--snapshot", "--json"])).json() as {
        snapshot: { commit: string; state: unknown; progress: string };
      };
      expect(ActiveState.parse(snapshot.state)).toMatchObject({
        tdd_phase: "red",
        current_cycle: 3,
        qa_agent_active: true,
      });
      expect([snapshot.commit, snapshot.progress]).toEqual([
        failed?.snapshot.commit,
        expect.stringContaining("🔄 TDD₃"),
      ]);
      expect(shown.stdout).toContain('- tdd_phase: "red"');
    },
  );

  verifies("TDP-30", "is failed with exit 1 if the reviewer requests changes too", () => {
    expect(ends[1]?.code).toBe(1);
    expect(eventsOf(stops[2]?.events ?? [], "result").at(-1)).toMatchObject({ outcome: "NEEDS_CHANGE" });
  });

  verifies("TDP-29", "each command of the analysis works", async () => {
    const analysis = stateOf(stops[2]?.status as CliResult).failure_analysis;
    const [reset = "", context = "", approach = "", abort = ""] = analysis?.commands ?? [];
    const words = (command: string) =>
      command
        .split(" ")
        .slice(1)
        .map((word) => (word === '"…"' ? "say it" : word));
    const rescued = eventsOf(stops[2]?.events ?? [], "work.rescued").length;
    expect((await callIn(world, words(reset))).code).toBe(1);
    const after = (await world.host.journal.read(run)).map(recorded);
    expect(eventsOf(after, "work.rescued").length).toBeGreaterThan(rescued);
    expect(eventsOf(after, "cycle.failed").map(({ cycle }) => cycle)).toEqual([2, 3, 3]);
    for (const command of [context, approach]) expect((await callIn(world, words(command))).code).toBe(1);
    const aborted = await callIn(world, words(abort));
    expect(aborted.code).toBe(1);
    expect(await bank("activeContext")).toContain("- tdd_mode: false");
  });
});

test("a run without a failed cycle has no snapshot", async () => {
  const other = await world.start((await twoCycles()) as never, { protocol: "dptr" });
  expect(await callIn(world, ["show", other, "--snapshot"])).toMatchObject({
    code: 2,
    stderr: `error[usage]: no cycle of run ${other} failed\nhint: \`mettle show ${other}\`\n`,
  });
});
