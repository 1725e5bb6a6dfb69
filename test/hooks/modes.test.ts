/** In each mode of riper everything of another mode is refused: by tool, slash command, report and hook (RIP-01). */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { modes, type Mode } from "../../src/notation/modes.ts";
import { newest, settleUntil } from "../cycles/by-settling.ts";
import { seatAt, type Seat } from "../cycles/referee-world.ts";
import { verifies } from "../verifies.ts";
import { openSession, usesContext, type HookSession } from "./session.ts";

let session: HookSession;
let seat: Seat;
beforeAll(async () => {
  session = await openSession("riper");
  seat = seatAt(session.world);
  await session.world.cli(["init", "--protocol", "riper"]);
  await seat.call("enter", { mode: "Ω₁ᴾ", ctx: "Add slugify(text)" });
  await session.bind();
});

const commandOf: Readonly<Record<Mode, string | null>> = {
  "Ω₁ᴾ": null,
  "Ω₂ᴬ": "arch-critic",
  "Ω₃ᴾ": "p",
  "Ω₄ᶜ": "plan-critic",
  "Ω₅ᵀ": "tdd-execute",
  "Ω₆ⱽ": "rev",
};
const agentsOf: Readonly<Record<Mode, readonly string[]>> = {
  "Ω₁ᴾ": ["design"],
  "Ω₂ᴬ": ["arch-critic"],
  "Ω₃ᴾ": ["plan"],
  "Ω₄ᶜ": ["plan-critic"],
  "Ω₅ᵀ": ["qa", "de"],
  "Ω₆ⱽ": ["review"],
};
/** Codes of a mode that some other modes do not have. */
const codesOf: Readonly<Record<Mode, readonly string[]>> = {
  "Ω₁ᴾ": ["PC"],
  "Ω₂ᴬ": ["ACCEPT", "REVISE", "REJECT"],
  "Ω₃ᴾ": ["PC", "PR", "DG", "EN"],
  "Ω₄ᶜ": ["NR", "PA", "EN"],
  "Ω₅ᵀ": ["RC", "GC", "TI", "TA", "RTC", "RIC", "APPROVED", "NEEDS_CHANGE", "EN"],
  "Ω₆ⱽ": ["APPROVED", "NEEDS_CHANGE"],
};

const mismatch = (now: Mode, other: Mode) =>
  new RegExp(`error\\[mode_mismatch\\]: the run is in ${now}[^\\n]*${other}`, "u");
/** Makes the tool call of a slash command. */
const typed = async (name: string) => {
  const text = await readFile(join(session.world.repository.dir, ".claude/commands", `${name}.md`), "utf8");
  const [, args = "{}"] = /tool `enter` of Mettle with exactly `(\{.*?\})`/u.exec(text) ?? [];
  return seat.refused("enter", JSON.parse(args.replaceAll("$ARGUMENTS", "Λ₁")) as Record<string, unknown>);
};
const start = async (agent: string, prompt: string) => {
  const tool_input = { description: "d", subagent_type: agent, prompt };
  return (await session.hook("PreToolUse:Write", { tool_name: "Agent", tool_input })).denied;
};
const state = async () => ((await seat.call("status")) as { state: Record<string, unknown> }).state;

/** Tries everything of the other modes in one mode. */
async function tried(now: Mode, line: string): Promise<void> {
  const before = await state();
  for (const { mode } of modes.filter((each) => each.mode !== now)) {
    const refused = mismatch(now, mode);
    expect(await seat.refused("enter", { mode, ctx: "x" }), `${now} -> ${mode}`).toMatch(refused);
    const command = commandOf[mode];
    if (command !== null) expect(await typed(command), `${now}: /${command}`).toMatch(refused);
    expect(await seat.refused("handoff", { to: mode, summary: "x" }), `${now} hands off`).toMatch(refused);
    const [code] = codesOf[mode].filter((each) => !codesOf[now].includes(each));
    if (code !== undefined)
      expect(await seat.refused("report", { status: code, message: "x" }), `${now}: ${code}`).toMatch(
        new RegExp(`error\\[code_not_allowed\\].*\\nerror\\[mode_mismatch\\]: the run is in ${now}`, "u"),
      );
    for (const agent of agentsOf[mode]) expect(await start(agent, line), agent).toMatch(refused);
  }
  // The right sub-agent with a dispatch of another mode.
  const other = now === "Ω₃ᴾ" ? "Ω₅ᵀ" : "Ω₃ᴾ";
  const foreign = line.replace(/^[^[]+/u, other === "Ω₅ᵀ" ? "DE" : other);
  expect(await start(agentsOf[now][0] ?? "", foreign), foreign).toMatch(mismatch(now, other));
  expect(await state()).toEqual(before);
  expect(before).toMatchObject({ Ω_current: now });
}

/** Writing another mode into σ₄ does not change the state. */
async function edited(now: Mode): Promise<void> {
  const file = join(session.world.repository.dir, "memory-bank/activeContext.md");
  const text = await readFile(file, "utf8");
  const other = now === "Ω₆ⱽ" ? "Ω₁ᴾ" : "Ω₆ⱽ";
  await writeFile(file, text.replaceAll(now, other));
  expect(await state()).toMatchObject({ Ω_current: now });
  expect(await readFile(file, "utf8")).toBe(text);
}

for (const { mode } of modes)
  verifies("RIP-01", `in ${mode} everything of another mode is refused, and σ₄ is correct`, async () => {
    if (mode === "Ω₆ⱽ")
      await settleUntil(
        await newest(session.world),
        async (open) => open.mode === mode && open.type === "dispatch",
      );
    else await session.playTo(mode === "Ω₅ᵀ" ? "ℜ" : mode);
    const { line } = (await seat.call("next")) as { line: string };
    await tried(mode, line);
    await edited(mode);
    // The next step of the flow is allowed.
    const ctx = mode === "Ω₂ᴬ" ? { ctx: "Λ₁" } : {};
    expect(await seat.call("enter", { mode, ...ctx })).toMatchObject({ line, mode });
    const [own = ""] = agentsOf[mode];
    expect(await start(own, line)).toBeNull();
  });

verifies(
  "ORC-79",
  "a session whose context is over 80 % full gets no dispatch before a compaction, and then its prompt again",
  async () => {
    const { line, prompt } = (await seat.call("next")) as { line: string; prompt: string };
    const refused = async () => {
      const denials = [await start("review", line)];
      for (const tool of ["next", "enter"])
        denials.push(
          (await session.hook("PreToolUse:mcp__mettle__status", { tool_name: `mcp__mettle__${tool}` }))
            .denied,
        );
      return denials;
    };
    await usesContext(session.world, 158_000);
    expect(await refused()).toEqual([null, null, null]);
    await usesContext(session.world, 162_000);
    const full = expect.stringMatching(/error\[context_full\]: .* 81 % full.*\/compact/u);
    expect(await refused()).toEqual([full, full, full]);
    // The person's own sub-agents, a report and the status are not dispatches.
    expect(await start("my-own", "look around")).toBeNull();
    for (const tool of ["report", "status"])
      expect(
        (await session.hook("PreToolUse:mcp__mettle__status", { tool_name: `mcp__mettle__${tool}` })).stdout,
      ).toBe("");
    await session.hook("PreCompact");
    expect(await refused()).toEqual([null, null, null]);
    const { context } = await session.hook("SessionStart:compact");
    expect(context).toContain(`next: ${line}`);
    expect(context).toContain(prompt.slice(0, 2_000));
    expect((await session.hook("SessionStart", { source: "resume" })).context).not.toContain(
      prompt.slice(0, 2_000),
    );
  },
);

test("refused reports of one dispatch are journaled up to the limit for agents", async () => {
  const { session: run } = await newest(session.world);
  const countRefused = async () =>
    (await seat.events()).filter((event) => event.type === "report.refused" && event.key === "review#1")
      .length;
  const before = await countRefused();
  const refused = { type: "report.refused", key: "review#1", why: "RC: too early" } as const;
  await run.record(Array.from({ length: 99 - before }, () => refused));
  for (let i = 0; i < 3; i += 1)
    expect(await seat.refused("report", { status: "RC" })).toMatch(/^error\[code_not_allowed\]/u);
  expect(await countRefused()).toBe(100);
});
