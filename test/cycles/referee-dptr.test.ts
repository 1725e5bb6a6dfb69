/** A person's session as the Main Thread of dptr: its names, its audits, its person, and its tools. */
import { beforeAll, expect, test } from "vitest";
import type { NextStep } from "../../src/referee/advance.ts";
import { aliases, loops, modes, readMode } from "../../src/notation/modes.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { openRun } from "../../src/families/open-run.ts";
import { loopLine, modeOfRun } from "../../src/views/run/loop-line.ts";
import { emptyView, foldView } from "../../src/log/run-view.ts";
import { parseDispatch, printDispatch } from "../../src/notation/dispatch-line.ts";
import { eventsOf } from "../orchestrate/world.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { newest, settleUntil } from "./by-settling.ts";
import {
  playOn,
  seatByProgram,
  sessionWorld,
  takeSeat,
  type DispatchStep,
  type Seat,
} from "./referee-world.ts";
import { oneCycle, type CyclesCassette } from "./world.ts";

let seat: Seat;
let cassette: CyclesCassette;
beforeAll(async () => {
  seat = await takeSeat("dptr");
  cassette = await oneCycle();
  await seat.call("enter", { mode: "Ω₁ᴰ", ctx: "Add slugify(text)" });
});

const code = (text: string) => /^error\[(\w+)\]/u.exec(text)?.[1] ?? text;
const line = async (tool: string, args?: Record<string, unknown>) =>
  ((await seat.call(tool, args)) as DispatchStep).line;
const state = async () => ((await seat.call("status")) as { state: Record<string, unknown> }).state;
const reached = (mode: string) => playOn({ seat, cassette, before: async (at) => at.mode === mode });

/** The four conditions: the mode, the code while it does not hold, and the steps that fulfil it. */
const early = [
  ["Ω₃ᴾ", "design_not_approved"],
  ["Ω₄ᶜ", "no_plan"],
  ["Ω₅ᵀ", "plan_not_approved"],
  ["Ω₆ⱽ", "cycles_open"],
] as const;
const refusedEarly = async (index: number) => {
  const [mode = "", expected = ""] = early[index] ?? [];
  const before = [await state(), (await seat.events()).length];
  const text = await seat.refused("enter", { mode });
  expect([await state(), (await seat.events()).length]).toEqual(before);
  expect(text).toMatch(
    new RegExp(
      `^error\\[${expected}\\].*\\nerror\\[mode_mismatch\\].*\\nhint: call next: it hands out what comes before$`,
      "u",
    ),
  );
};
/** Every name of the mode gives the same dispatch. */
const dispatchesOfNames = async (...names: readonly string[]) => {
  const lines = new Set<string>();
  for (const mode of names) lines.add(await line("enter", { mode }));
  return [...lines];
};

test("dptr has no hand-off", async () => {
  const told = await seat.refused("handoff", { to: "Ω₂ᴬ", summary: "x" });
  expect(told).toMatch(/^error\[not_in_protocol\]: dptr has no hand-off/u);
});

verifies(
  "TDP-65",
  "next is repeatable, and returns one dispatch with its prompt or what the run waits for",
  async () => {
    const { length } = await seat.events();
    const told: unknown[] = [];
    for (let i = 0; i < 5; i++) told.push(await seat.call("next"));
    expect(new Set(told.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(told[0]).toMatchObject({
      type: "dispatch",
      line: "Ω₁ᴾ[]",
      role: "designer",
      codes: expect.arrayContaining(["PC"]),
      prompt: expect.stringContaining("Add slugify(text)"),
    });
    const events = await seat.events();
    expect(events.length).toBe(length);
    expect(events.filter(({ type }) => type === "dispatch.started").length).toBe(1);
  },
);

verifies(
  ["TDP-75", "DPT-01"],
  "in Ω₁ no later mode can be entered, and either name means the mode",
  async () => {
    await refusedEarly(0);
    await refusedEarly(1);
    await refusedEarly(3);
    expect(await dispatchesOfNames("Ω₁ᴾ", "Ω₁ᴰ", "Ω₁", "O1P", "O1D", "O1")).toEqual(["Ω₁ᴾ[]"]);
    await reached("Ω₂ᴬ");
  },
);

verifies(
  "DPT-04",
  "the critic audits each module in order, and the design needs the approval of all",
  async () => {
    const refused = async (ctx?: string) =>
      seat.refused("enter", { mode: "Ω₁ᶜ", ...(ctx === undefined ? {} : { ctx }) });
    expect(await refused()).toMatch(/^error\[missing_param\].*CTX.*\nhint: .*slugify, initials$/u);
    expect(await refused(" ")).toMatch(/^error\[missing_param\].*CTX.*\nhint: .*slugify, initials$/u);
    expect(await refused("nope")).toMatch(/^error\[unknown_module\].*nope\nhint: .*slugify, initials$/u);
    expect(code(await refused("initials"))).toBe("mode_mismatch");
    const lines: string[] = [];
    const approved: unknown[] = [];
    for (const ctx of ["slugify", "initials"]) {
      lines.push(await line("enter", { mode: "Ω₂ᴬ", ctx }));
      await seat.call("report", { status: "ACCEPT" });
      approved.push((await state())["design_approved"]);
    }
    expect([lines, approved]).toEqual([
      ["Ω₂ᴬ[CTX:slugify]", "Ω₂ᴬ[CTX:initials]"],
      [false, true],
    ]);
  },
);

verifiesInCi(
  ["TDP-75", "DPT-01"],
  "Ω₂ can be entered after the design was approved, as its planner and its critic",
  async () => {
    expect(await dispatchesOfNames("Ω₃ᴾ", "Ω₂ˢ", "Ω₂", "O3P", "O2S", "O2")).toEqual([
      expect.stringMatching(/^Ω₃ᴾ\[S\w+,R0\]$/u),
    ]);
    await refusedEarly(1);
    await reached("Ω₄ᶜ");
    expect(await dispatchesOfNames("Ω₄ᶜ", "Ω₂ᶜ", "O4C", "O2C")).toEqual([
      expect.stringMatching(/^Ω₄ᶜ\[S\w+,R0\]$/u),
    ]);
    await refusedEarly(2);
    expect(code(await seat.refused("enter", { mode: "Ω₂" }))).toBe("mode_mismatch");
    await seat.call("report", { status: "PA" });
  },
);

verifiesInCi(
  ["TDP-75", "DPT-01"],
  "Ω₃ can be entered with an accepted plan, Ω₄ after its cycles",
  async () => {
    expect(await dispatchesOfNames("Ω₅ᵀ", "Ω₃", "Ω₃ᵍ", "O5T", "O3", "O3G")).toEqual([
      expect.stringMatching(/^QA\[S\w+,R0,C1,P:ℜ\]$/u),
    ]);
    await refusedEarly(3);
    expect(await seat.refused("enter", { mode: "Ω₃ᴱ" })).toMatch(
      /^error\[role_busy\]: QA has the open dispatch QA\[/u,
    );
    expect(await state()).toMatchObject({ qa_agent_active: true, de_agent_active: false });
    const context = await newest(seat.world);
    await settleUntil(context, async ({ state: at }) => at === "green");
    expect(await seat.refused("enter", { mode: "Ω₃ᵍ" })).toMatch(
      /^error\[role_busy\]: DE has the open dispatch DE\[/u,
    );
    await settleUntil(context, async ({ state: at }) => at === "review");
    expect(await dispatchesOfNames("Ω₆ⱽ", "Ω₄ᴿ", "Ω₄", "O6V", "O4R", "O4")).toEqual(["Ω₆ⱽ[]"]);
  },
);

verifiesInCi(
  "DPT-01",
  "mode, alias and loop are printed in the modes' order, and lines have the agents' names",
  async () => {
    const context = await newest(seat.world);
    const seen = new Map<string, unknown>();
    const lines: string[] = [];
    let view = emptyView(context.run);
    for (const event of await seat.events()) {
      view = foldView(view, [event]);
      const told = modeOfRun(view);
      if (told !== null) seen.set(told.mode, { ...told, line: loopLine(view) });
      if (event.type === "command.issued" && event.line !== undefined) lines.push(event.line);
    }
    const marked = (loop: string) =>
      Object.entries(loops)
        .map(([name, about]) => (name === loop ? `[${name}: ${about}]` : `${name}: ${about}`))
        .join(" → ");
    expect([...seen.values()]).toEqual(
      ["Ω₁", "Ω₁", "Ω₂", "Ω₂", "Ω₃", "Ω₄"].map((loop, index) => {
        const { mode = "Ω₁ᴾ" } = modes[index] ?? {};
        const alias = aliases[mode];
        return {
          mode,
          alias,
          loop,
          line: alias === mode ? marked(loop) : expect.stringContaining(`${marked(loop)}  ${mode}`),
        };
      }),
    );
    const bodyNames = new Set<string>([...modes.map(({ mode }) => mode), "QA", "DE"]);
    for (const each of lines) expect(printDispatch(parseDispatch(each, "dptr"))).toBe(each);
    expect(lines.map((each) => each.replace(/\[.*/u, "")).filter((name) => !bodyNames.has(name))).toEqual([]);
    const [slim, plain] = ["Ω₂ˢ[SX,R0]", "Ω₃ᴾ[SX,R0]"].map((text) => parseDispatch(text, "dptr"));
    expect(slim).toEqual(plain);
    expect(printDispatch(slim ?? { agent: "Ω₁ᴾ" })).toBe("Ω₃ᴾ[SX,R0]");
    for (const name of ["Ω₂ˢ", "Ω₂"]) {
      const refusal = () => readMode(name, "riper");
      expect(refusal).toThrow(
        expect.objectContaining({
          code: "unknown_mode",
          hint: expect.stringMatching(/Ω₁ᴾ.*Ω₂ᴬ.*Ω₃ᴾ.*Ω₄ᶜ.*Ω₅ᵀ.*Ω₆ⱽ/u),
        }),
      );
    }
    const status = await seat.world.cli(["status", context.run, "--json"]);
    expect(status.json()).toMatchObject({ runs: [{ mode: "Ω₆ⱽ", alias: "Ω₄ᴿ", loop: "Ω₄" }] });
    const { stdout } = await seat.world.cli(["status", context.run]);
    expect(stdout).toContain(`${marked("Ω₄")}  Ω₆ⱽ=Ω₄ᴿ`);
  },
);

verifies("TDP-75", "the driver enters modes only in the order of the flow", async () => {
  const run = await seat.world.start(cassette as never, { protocol: "dptr" });
  const { session } = await openRun(seat.world.host, { run });
  for (const key of ["plan#1", "critic#1", "cycles/C1/red#1", "review#1"])
    expect(await session.settle(key, { outcome: "PC" })).toEqual({ ignored: `there is no command ${key}` });
  expect(session.state.open.map(({ key }) => key)).toEqual(["design#1"]);
});

verifies(
  "CORE-11",
  "a repeated or unexpected result is journaled as ignored and changes nothing",
  async () => {
    const run = await seat.world.start(cassette as never, { protocol: "dptr" });
    const { session } = await openRun(seat.world.host, { run });
    await session.settle("design#1", { outcome: "BL", text: "which words?" });
    const before = JSON.stringify(session.state);
    for (const [key, outcome] of [
      ["design#1", "BL"],
      ["nothing#7", "PC"],
    ] as const)
      expect((await session.settle(key, { outcome })).ignored).toContain(key);
    expect(JSON.stringify(session.state)).toBe(before);
    const events = (await seat.world.host.journal.read(run)).map(recorded);
    expect(eventsOf(events, "result.ignored").map(({ key, outcome }) => [key, outcome])).toEqual([
      ["design#1", "BL"],
      ["nothing#7", "PC"],
    ]);
  },
);

verifiesInCi(
  "TDP-65",
  "while a question to a person is open, next returns it with the command that answers it",
  async () => {
    await (await newest(seat.world)).session.abort("enough", undefined);
    await seat.call("enter", { mode: "Ω₁ᴾ", ctx: "Add slugify(text)" });
    cassette = await oneCycle();
    await reached("Ω₂ᴬ");
    const payload = { issues: [{ problem: "no limit", suggestion: "set one" }] };
    await seat.call("report", { status: "REVISE", message: "unbounded", payload });
    const told = (await seat.call("next")) as NextStep;
    const { run } = await newest(seat.world);
    expect(told).toEqual({
      type: "waiting",
      run,
      question: expect.stringMatching(/The critic wants the design revised[^]*no limit/u),
      commands: expect.arrayContaining([`mettle answer ${run} revise`]),
    });
    const { length } = await seat.events();
    expect(await seat.call("next")).toEqual(told);
    expect((await seat.events()).length).toBe(length);
  },
);

verifiesInCi(
  "TDP-65",
  "mettle mcp lists the referee's tools with their arguments for both protocols",
  async () => {
    for (const protocol of ["riper", "dptr"] as const) {
      const world = protocol === "dptr" ? seat.world : await sessionWorld(protocol);
      const { mcp } = await seatByProgram(world);
      const { tools } = await mcp.listTools();
      const shapes = tools.map(({ name, inputSchema }) => [
        name,
        Object.keys(inputSchema.properties ?? {}),
        inputSchema.required ?? [],
        inputSchema["additionalProperties"],
      ]);
      expect(shapes).toEqual(
        expect.arrayContaining([
          ["enter", ["mode", "ctx"], ["mode"], false],
          ["next", [], [], false],
          ["report", ["status", "message", "payload"], ["status"], false],
          ["observe", ["content"], ["content"], false],
          ["query", ["pattern", "after", "limit"], ["pattern"], false],
          ["status", [], [], false],
          ["handoff", ["to", "summary"], ["to", "summary"], false],
        ]),
      );
      await mcp.close();
    }
  },
);
