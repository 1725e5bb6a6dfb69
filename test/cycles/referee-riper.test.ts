/** A person's session as the Main Thread of riper: allowed and refused calls, and unchanged state. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parseDispatch } from "../../src/notation/dispatch-line.ts";
import { phases } from "../../src/notation/phases.ts";
import { modes, readMode } from "../../src/notation/modes.ts";
import type { RiperState } from "../../src/memory/bank/active-state.ts";
import { activeState } from "../../src/families/cycles/active-state.ts";
import { openRun } from "../../src/families/open-run.ts";
import { verifies } from "../verifies.ts";
import { playOn, takeSeat, type DispatchStep, type Seat } from "./referee-world.ts";
import { newest, settleUntil } from "./by-settling.ts";
import { oneCycle, type CyclesCassette } from "./world.ts";

let seat: Seat;
let cassette: CyclesCassette;
beforeAll(async () => {
  seat = await takeSeat("riper");
  cassette = await oneCycle();
});

const bank = (name: string) => join(seat.world.repository.dir, "memory-bank", name);
const code = (text: string) => /^error\[(\w+)\]/u.exec(text)?.[1] ?? text;
const line = async (tool: string, args?: Record<string, unknown>) =>
  ((await seat.call(tool, args)) as DispatchStep).line;
const state = async () => ((await seat.call("status")) as { state: Record<string, unknown> }).state;
const reached = async (mode: string) => {
  await playOn({ seat, cassette, before: async (at) => at.mode === mode });
};
/** Enters every mode but the current one; each is refused and nothing is journaled. */
const elsewhere = async () => {
  const before = (await seat.events()).length;
  const now = (await state())["Ω_current"];
  const told: Record<string, string> = {};
  for (const { mode, ascii } of modes) {
    if (mode === now) continue;
    const text = await seat.refused("enter", { mode, ctx: "x" });
    expect(await seat.refused("enter", { mode: ascii, ctx: "x" })).toBe(text);
    expect(text).toContain(`the run is in ${String(now)}`);
    expect(text).toContain(mode);
    told[mode] = code(text);
  }
  expect((await seat.events()).length).toBe(before);
  return told;
};

test("without a run every tool says how to start one, and nothing is journaled", async () => {
  const told = await Promise.all([
    ...modes.slice(1).map(({ mode }) => seat.refused("enter", { mode, ctx: "x" })),
    seat.refused("enter", { mode: "Ω₁ᴾ" }),
    seat.refused("next"),
    seat.refused("report", { status: "PC" }),
    seat.refused("observe", { content: "x" }),
    seat.refused("query", { pattern: "OBS[*,*,*,*]" }),
    seat.refused("handoff", { to: "Ω₂ᴬ", summary: "x" }),
  ]);
  expect(told.map(code)).toEqual([
    "no_dispatch",
    "design_not_approved",
    "no_plan",
    "no_tdd_cycles",
    "cycles_open",
    "empty_task",
    ...Array.from({ length: 5 }, () => "no_dispatch"),
  ]);
  expect(told.every((text) => text.includes("hint: ") && text.includes('enter {mode: "Ω₁ᴾ"'))).toBe(true);
  expect(await seat.call("status")).toEqual({ run: null, state: null, line: null });
  expect(await seat.world.host.journal.runs()).toEqual([]);
});

test("symbols are also read in ASCII, and one of another alphabet is refused with the right spelling", async () => {
  expect(await line("enter", { mode: "O1P", ctx: "Add slugify(text)" })).toBe("Ω₁ᴾ[]");
  expect(await line("enter", { mode: "Ω₁ᴾ" })).toBe("Ω₁ᴾ[]");
  for (const mode of ["\u2126₁ᴾ", "Ω₁ᵖ", "Ω1P"])
    expect(await seat.refused("enter", { mode })).toMatch(/^error\[unknown_mode\].*\nhint: write Ω₁ᴾ/u);
  for (const mode of ["Ω₂ˢ", "Ω₂", "O2"])
    expect(await seat.refused("enter", { mode })).toMatch(
      /^error\[unknown_mode\].*\nhint: .*Ω₁ᴾ.*Ω₂ᴬ.*Ω₃ᴾ.*Ω₄ᶜ.*Ω₅ᵀ.*Ω₆ⱽ/u,
    );
});

test("in Ω₁ᴾ no other mode can be entered", async () => {
  expect(await elsewhere()).toEqual({
    "Ω₂ᴬ": "mode_mismatch",
    "Ω₃ᴾ": "design_not_approved",
    "Ω₄ᶜ": "no_plan",
    "Ω₅ᵀ": "no_tdd_cycles",
    "Ω₆ⱽ": "cycles_open",
  });
});

test("a report with a code of another role or phase, a wrong payload, or unknown fields changes nothing", async () => {
  const before = await state();
  const told = [
    await seat.refused("report", { status: "ACCEPT" }),
    await seat.refused("report", { status: "RC", message: "tests fail" }),
    await seat.refused("report", { status: "pc" }),
    await seat.refused("report", { status: "PC" }),
    await seat.refused("report", { status: "PC", payload: { architecture_design: "x" } }),
    await seat.refused("report", { status: "PC", mode: "Ω₆ⱽ" }),
    await seat.refused("report", { status: "PC", payload: "{cycles:" }),
  ];
  expect(told.map(code)).toEqual([
    "code_not_allowed",
    "code_not_allowed",
    "code_not_allowed",
    "bad_payload",
    "bad_payload",
    "bad_request",
    "bad_payload",
  ]);
  expect(told[0]).toContain("hint: report one of: PC, ");
  expect(told[4]).toContain("module_specifications");
  expect(await state()).toEqual(before);
  expect(await seat.refused("observe", { content: "x" })).toMatch(
    /^error\[no_dispatch\]: this dispatch has no dialogue/u,
  );
});

test("an unwritable memory bank is reported before anything counts", async () => {
  const { length } = await seat.events();
  const file = bank("activeContext.md");
  const text = await readFile(file);
  const { payload } = cassette.roles.designer[0]?.report ?? {};
  await rm(file);
  await mkdir(file);
  for (const [tool, args] of [
    ["next", {}],
    ["report", { status: "PC", payload }],
  ] as const)
    expect(await seat.refused(tool, args)).toMatch(
      /^error\[state_unwritable\]: memory-bank\/activeContext\.md/u,
    );
  await rm(file, { recursive: true });
  await writeFile(file, Buffer.from([0xff, 0xfe, 0, 0x0a]));
  expect(await line("next")).toBe("Ω₁ᴾ[]");
  await rm(file);
  await seat.call("status");
  expect(await readFile(file)).toEqual(text);
  expect((await seat.events()).length).toBe(length);
});

test("Λ₁ and Λ₂ can be entered during their audits, in either spelling", async () => {
  await reached("Ω₂ᴬ");
  expect(await seat.refused("enter", { mode: "O2A" })).toMatch(
    /^error\[missing_param\].*CTX.*\nhint: now it is Λ₁/u,
  );
  expect(await seat.refused("enter", { mode: "O2A", ctx: "L2:nope" })).toMatch(
    /^error\[unknown_module\].*nope\nhint: .*slugify, initials/u,
  );
  expect(code(await seat.refused("enter", { mode: "O2A", ctx: "L2 initials" }))).toBe("mode_mismatch");
  expect(code(await seat.refused("enter", { mode: "O2A", ctx: "A2:slugify" }))).toBe("bad_param");
  expect(await line("enter", { mode: "O2A", ctx: "L1" })).toBe("Ω₂ᴬ[CTX:Λ₁]");
  await seat.call("report", { status: "ACCEPT", message: "good" });
  for (const ctx of ["Λ₂:slugify", "L2:slugify", "Λ₂ slugify", "L2 slugify"])
    expect(await line("enter", { mode: "Ω₂ᴬ", ctx })).toBe("Ω₂ᴬ[CTX:Λ₂:slugify]");
  expect(await elsewhere()).toEqual({
    "Ω₁ᴾ": "mode_mismatch",
    "Ω₃ᴾ": "design_not_approved",
    "Ω₄ᶜ": "no_plan",
    "Ω₅ᵀ": "no_tdd_cycles",
    "Ω₆ⱽ": "cycles_open",
  });
});

verifies("TDP-73", "a symbol and its ASCII spelling mean the same wherever one is read", async () => {
  const { cli } = seat.world;
  const memories = ["σ₁", "σ₂", "σ₃", "σ₄", "σ₅", "σ₆"].map((name, at) => [name, `s${at + 1}`] as const);
  for (const [symbol, ascii] of [["σ₂.tech_stack", "s2.tech_stack"] as const, ...memories]) {
    const shown = await Promise.all([cli(["memory", "show", symbol]), cli(["memory", "show", ascii])]);
    const [{ code: exit, stdout, stderr }, other] = shown;
    // For a memory without a file both give the same error.
    expect(other).toMatchObject({ code: exit, stdout, stderr });
    if (["σ₂.tech_stack", "σ₄"].includes(symbol))
      expect([exit, stdout]).toEqual([0, expect.stringMatching(/\S/u)]);
    else expect(stderr).not.toContain("unknown_memory");
  }
  const { stdout: legend } = await cli(["protocol", "legend", "riper"]);
  const lists = (symbol: string, ascii: string) =>
    expect(legend).toMatch(new RegExp(`^.*${symbol}(?=\\P{L}).*\\b${ascii}\\b`, "mu"));
  for (const { phase, role, spellings } of phases.filter((entry) => entry.spellings.length > 0)) {
    const [ascii = ""] = spellings;
    const [read, same] = [phase, ascii].map((name) => parseDispatch(`${role}[Sx,R0,C1,P:${name}]`, "riper"));
    expect(same).toEqual(read);
    lists(phase, ascii);
  }
  for (const { mode, ascii } of modes) {
    expect(readMode(ascii, "riper")).toEqual(readMode(mode, "riper"));
    lists(mode, ascii);
  }
  for (const [index, memory] of ["σ₁", "σ₂", "σ₃", "σ₄", "σ₅", "σ₆"].entries())
    lists(memory, `s${index + 1}`);
  for (const [index, audit] of ["Λ₁", "Λ₂"].entries()) lists(audit, `L${index + 1}`);
  expect(await seat.refused("enter", { mode: "Ω₂ᵃ", ctx: "Λ₁" })).toMatch(/\nhint: write Ω₂ᴬ/u);
  expect(await seat.refused("enter", { mode: "Ω₂ᴬ", ctx: "\u039b1" })).toMatch(/\nhint: write Λ₁/u);
  const memory = await cli(["memory", "show", "σ2.tech_stack"]);
  expect([memory.code, memory.stderr]).toEqual([2, expect.stringContaining("σ₂")]);
});

verifies(
  "RIP-07",
  "an invalid hand-off names the allowed target and what is missing, and leaves σ₄ unchanged",
  async () => {
    const same = async (work: () => Promise<string>) => {
      const before = await readFile(bank("activeContext.md"));
      const text = await work();
      expect(await readFile(bank("activeContext.md"))).toEqual(before);
      return text;
    };
    const bad = (to: string, summary: string) => same(() => seat.refused("handoff", { to, summary }));
    expect(await bad("Ω₃ᴾ", "all accepted")).toMatch(
      /^error\[bad_handoff\].*the dispatch Ω₂ᴬ\[CTX:Λ₂:slugify\] is open/u,
    );
    await seat.call("report", { status: "ACCEPT" });
    expect(await bad("Ω₃ᴾ", "all accepted")).toMatch(
      /^error\[bad_handoff\].*the exit condition of Ω₂ᴬ does not hold yet.*Ω₃ᴾ/su,
    );
    await seat.call("next");
    await seat.call("report", { status: "ACCEPT", message: "all of it" });
    expect(await bad("Ω₃ᴾ", " ")).toMatch(/^error\[bad_handoff\].*summary is empty\nhint: hand off to Ω₃ᴾ/u);
    expect(await bad("Ω₅ᵀ", "skip")).toMatch(/^error\[bad_handoff\].*the next mode is Ω₃ᴾ/u);
    expect(code(await bad("Ω₇", "skip"))).toBe("unknown_mode");
  },
);

verifies(
  "RIP-06",
  "a hand-off writes its four fields to σ₄, and the next mode's first prompt has the summary",
  async () => {
    const before = await state();
    expect(before).toMatchObject({ Ω_current: "Ω₃ᴾ", handoff_from: "Ω₂ᴬ", handoff_to: "Ω₃ᴾ" });
    expect(before["handoff_summary"]).toBe("critic ended with ACCEPT: all of it");
    const given = (await seat.call("handoff", { to: "O3P", summary: "Start with the separator." })) as object;
    expect(given).toMatchObject({
      Ω_current: "Ω₃ᴾ",
      handoff_from: "Ω₂ᴬ",
      handoff_to: "Ω₃ᴾ",
      handoff_summary: "Start with the separator.",
      handoff_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u),
    });
    expect(await readFile(bank("activeContext.md"), "utf8")).toContain("Start with the separator.");
    const at = (await seat.call("enter", { mode: "Ω₃ᴾ" })) as DispatchStep;
    expect(at.prompt).toContain("Start with the separator.");
  },
);

verifies(
  "RIP-06",
  "without a hand-off, each change of mode writes the four fields from the journal",
  async () => {
    const { world } = seat;
    const run = await world.start(cassette as never, { protocol: "riper" });
    const context = await openRun(world.host, { run });
    const changes: string[] = [];
    await settleUntil(context, async ({ state: at }) => {
      const now = (await activeState(context)) as RiperState;
      const { handoff_from: from, handoff_to: to, handoff_summary: summary, handoff_timestamp: time } = now;
      if (now.Ω_current !== "Ω₁ᴾ") {
        expect({ to, time }).toEqual({ to: now.Ω_current, time: expect.stringMatching(/Z$/u) });
        const change = `${from}→${to}: ${summary}`;
        if (changes.at(-1) !== change) changes.push(change);
      }
      return at === "review";
    });
    expect(changes).toEqual([
      "Ω₁ᴾ→Ω₂ᴬ: design ended with PC",
      "Ω₂ᴬ→Ω₃ᴾ: critic ended with ACCEPT",
      "Ω₃ᴾ→Ω₄ᶜ: plan ended with PC",
      "Ω₄ᶜ→Ω₅ᵀ: critic ended with PA",
      "Ω₅ᵀ→Ω₆ⱽ: interface_check ended with pass",
    ]);
    await context.session.abort("enough", undefined);
  },
);

test("an edit of Ω_current in σ₄ changes no state, and is kept, reported and overwritten", async () => {
  const before = await state();
  const file = bank("activeContext.md");
  const text = await readFile(file, "utf8");
  expect(text).toContain("Ω₃ᴾ");
  await writeFile(file, `${text.replaceAll("Ω₃ᴾ", "Ω₆ⱽ")}\nA note of mine.\n`);
  await seat.call("next");
  expect(await state()).toEqual(before);
  expect(await readFile(file, "utf8")).toBe(`${text}\nA note of mine.\n`);
  expect(await seat.events()).toContainEqual(
    expect.objectContaining({
      type: "warned",
      code: "memory_edited",
      message: expect.stringContaining("σ₄"),
    }),
  );
});

verifies("TDP-07", "Ω₅ can be entered only with an accepted plan of cycles", async () => {
  const refusal = async () => {
    const before = await state();
    const { length } = await seat.events();
    const told = [await seat.refused("enter", { mode: "Ω₅" }), await seat.refused("enter", { mode: "Ω₅ᵀ" })];
    expect([await state(), (await seat.events()).length]).toEqual([before, length]);
    return told.map(code);
  };
  const none = ["no_tdd_cycles", "no_tdd_cycles"];
  expect(await refusal()).toEqual(none);
  expect(code(await seat.refused("report", { status: "PC", payload: { cycles: [] } }))).toBe("bad_payload");
  expect(await refusal()).toEqual(none);
  const file = bank("progress.md");
  await writeFile(file, `${await readFile(file, "utf8")}\n## TDD Cycles\n\n- □ TDD₁: slugify() → ℜ→ℜᴳ→ℜᶠ\n`);
  expect(await refusal()).toEqual(none);
  await reached("Ω₄ᶜ");
  expect(await refusal()).toEqual(["plan_not_approved", "plan_not_approved"]);
  expect(await elsewhere()).toEqual({
    "Ω₁ᴾ": "mode_mismatch",
    "Ω₂ᴬ": "mode_mismatch",
    "Ω₃ᴾ": "mode_mismatch",
    "Ω₅ᵀ": "plan_not_approved",
    "Ω₆ⱽ": "cycles_open",
  });
  await seat.call("report", { status: "PA" });
  expect(await state()).toMatchObject({ Ω_current: "Ω₅ᵀ", tdd_mode: true, current_cycle: 0 });
  expect(await line("enter", { mode: "Ω₅" })).toMatch(/^QA\[STDD_\w+_C1,R0,C1,P:ℜ\]$/u);
  expect(await state()).toMatchObject({ tdd_mode: true, current_cycle: 1, qa_agent_active: true });
});

test("in Ω₅ᵀ and Ω₆ⱽ no other mode can be entered", async () => {
  const before = {
    "Ω₁ᴾ": "mode_mismatch",
    "Ω₂ᴬ": "mode_mismatch",
    "Ω₃ᴾ": "mode_mismatch",
    "Ω₄ᶜ": "mode_mismatch",
  };
  expect(await elsewhere()).toEqual({ ...before, "Ω₆ⱽ": "cycles_open" });
  await settleUntil(await newest(seat.world), async ({ state: at }) => at === "review");
  expect(await elsewhere()).toEqual({ ...before, "Ω₅ᵀ": "mode_mismatch" });
  expect(await line("enter", { mode: "Ω₆ⱽ" })).toBe("Ω₆ⱽ[]");
});

verifies(
  "TDP-76",
  "a report without a dispatch, a repeated or a late one is refused, journaled, and changes nothing",
  async () => {
    const review = { status: "APPROVED" };
    await seat.call("report", review);
    const late = async (expected: string) => {
      const before = [await state(), (await seat.events()).length];
      expect(code(await seat.refused("report", review))).toBe(expected);
      expect([await state(), (await seat.events()).length - 1]).toEqual(before);
      expect((await seat.events()).at(-1)).toMatchObject({ type: "report.refused" });
    };
    await late("run_ended");
    expect(await seat.call("next")).toMatchObject({ type: "ended", outcome: "complete" });
    // The person gets the next step; where nothing was made, there is nothing to land (fault E22).
    const ended = (await seat.call("next")) as { readonly run: string };
    expect(ended).toMatchObject({
      branch: null,
      commands: [`mettle status ${ended.run}`, `mettle log ${ended.run}`],
    });
    await seat.call("enter", { mode: "Ω₁ᴾ", ctx: "Another task" });
    cassette = await oneCycle();
    await reached("Ω₄ᶜ");
    const before = [await state(), (await seat.events()).length];
    const sid = "PLAN_20200101T000000000Z";
    expect(code(await seat.refused("query", { pattern: `OBS[S${sid},*,*,*]` }))).toBe("unknown_session");
    expect([await state(), (await seat.events()).length - 1]).toEqual(before);
    expect((await seat.events()).at(-1)).toMatchObject({ type: "agent.denied", tool: "query" });
    await seat.call("report", { status: "NR", message: "too coarse" });
    await late("already_reported");
  },
);
