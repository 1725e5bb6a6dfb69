/** Ω₁ᴾ in the session's own plan mode, through the built `mettle hook` (TDP-06). */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { inCi, verifies, verifiesInCi } from "../verifies.ts";
import { openSession, type HookSession } from "./session.ts";

const sections = {
  "Architecture Design": "One pure function on top of words().",
  "Module Specifications": "### slugify\n\n`slugify(text)` gives a slug.",
  "Tech Stack": "JavaScript, node:test.",
};
const planOf = (names: readonly (keyof typeof sections)[]) =>
  `# Plan\n\n${names.map((name) => `## ${name}\n\n${sections[name]}\n`).join("\n")}`;
const good = planOf(["Architecture Design", "Module Specifications", "Tech Stack"]);

test("a plan without a run is reported to the person and to the session (fault E22)", async () => {
  const session = await openSession("riper");
  const leaves = (event: string) =>
    session.hook(event, { tool_name: "ExitPlanMode", tool_input: { plan: good }, permission_mode: "plan" });
  await session.world.repository.write({ "mettle.yaml": "version: 1\nsession: { protocol: riper }\n" });
  const before = JSON.parse((await leaves("PreToolUse:Write")).stdout) as Record<string, unknown>;
  expect(before["systemMessage"]).toMatch(/^Mettle: no run of riper belongs to this plan\. .*enter/u);
  const after = JSON.parse((await leaves("PostToolUse:ExitPlanMode")).stdout) as {
    readonly hookSpecificOutput: Record<string, unknown>;
  };
  expect(after.hookSpecificOutput["additionalContext"]).toMatch(
    /no run of riper belongs to the approved plan/u,
  );
  await session.world.repository.write({ "mettle.yaml": "version: 1\n" });
  expect(await leaves("PreToolUse:Write")).toMatchObject({ code: 0, stdout: "" });
  await session.world.repository.write({ "mettle.yaml": "version: 1\nsession: { protocol: riper }\n" });
  // A session with a run gets no such note.
  await session.referee.enter({ mode: "Ω₁ᴾ", ctx: "Add slugify(text)" });
  await session.bind();
  expect(await leaves("PreToolUse:Write")).toMatchObject({ code: 0, stdout: "" });
});

describe("a session plans in its plan mode", () => {
  let session: HookSession;
  const σ2 = () => readFile(join(session.world.repository.dir, "memory-bank/systemPatterns.md"), "utf8");
  // By the built program, which has a time limit.
  const asks = (plan: string) =>
    session.hookByProgram("PreToolUse:Write", {
      tool_name: "ExitPlanMode",
      tool_input: { plan, planFilePath: "/nowhere/plan.md" },
      permission_mode: "plan",
    });
  const state = async () => (await session.referee.status()).state;
  beforeAll(async () => {
    session = await openSession("riper");
    await session.referee.enter({ mode: "Ω₁ᴾ", ctx: "Add slugify(text)" });
    await session.bind();
  });

  verifiesInCi(
    "TDP-06",
    "a plan without a heading is refused with its name, and its text is stored",
    async () => {
      const before = await σ2();
      const faulty = planOf(["Architecture Design", "Module Specifications"]);
      let { code, denied } = await asks(faulty);
      // On a busy machine a hook may refuse before it has stored the text.
      for (let left = 8; left > 0 && !denied?.includes("mettle show"); left -= 1)
        ({ code, denied } = await asks(faulty));
      expect(code).toBe(0);
      expect(denied).toMatch(/Missing: "Tech Stack"\./u);
      const ref = /mettle show (\S+)`/u.exec(denied ?? "")?.[1] ?? "";
      const shown = await session.world.cli(["show", ref]);
      expect(shown.stdout).toContain(sections["Architecture Design"]);
      const [warned] = (await session.events()).filter(({ type }) => type === "warned");
      expect(warned).toMatchObject({ code: "plan_refused", message: expect.stringContaining(ref) });
      expect(await state()).toMatchObject({ Ω_current: "Ω₁ᴾ" });
      expect(await σ2()).toBe(before);
    },
  );

  verifies(
    "TDP-06",
    "nothing is written before the person has approved, nor after they decline",
    async () => {
      const [before, events] = [await σ2(), (await session.events()).length];
      expect(await asks(good)).toMatchObject({ code: 0, stdout: "" });
      // After a refusal there is no PostToolUse: the session continues to plan, and asks again.
      expect(await asks(good)).toMatchObject({ code: 0, stdout: "" });
      expect(await σ2()).toBe(before);
      expect((await session.events()).length).toBe(events);
      expect(await state()).toMatchObject({ Ω_current: "Ω₁ᴾ" });
    },
  );

  verifiesInCi(
    "TDP-06",
    "an approved plan becomes σ₂, enters Ω₂ᴬ, and the session gets the next dispatch",
    async () => {
      const { context } = await session.hook("PostToolUse:Write", {
        tool_name: "ExitPlanMode",
        tool_input: { plan: "as it was asked", planFilePath: "/nowhere/plan.md" },
        tool_response: { plan: good, isAgent: false, filePath: "/nowhere/plan.md" },
      });
      const isBusy = context?.includes("still being taken") === true;
      if (isBusy) await expect.poll(state, { timeout: 20_000 }).toMatchObject({ Ω_current: "Ω₂ᴬ" });
      else expect(context).toContain("Ω₂ᴬ[CTX:Λ₁]");
      expect(await state()).toMatchObject({ Ω_current: "Ω₂ᴬ" });
      const text = await σ2();
      for (const part of [sections["Architecture Design"], "### slugify", sections["Tech Stack"]])
        expect(text).toContain(part);
      expect(await session.next()).toMatchObject({ line: "Ω₂ᴬ[CTX:Λ₁]" });
    },
  );

  inCi("an approved plan is taken even if that takes longer than a hook may", async () => {
    const { journal, me } = session.world.host;
    expect((await session.world.cli(["abort", (await journal.runs())[0] ?? ""])).code).toBe(1);
    await session.referee.enter({ mode: "Ω₁ᴾ", ctx: "Add slugify(text)" });
    await session.bind();
    // Another call of the session works on the run.
    const claim = await journal.claim((await journal.runs()).at(-1) ?? "", me);
    const { code, context } = await session.hookByProgram("PostToolUse:Write", {
      tool_name: "ExitPlanMode",
      tool_input: { plan: good },
      tool_response: { plan: good },
    });
    expect([code, context]).toEqual([0, expect.stringContaining("the approved plan is still being taken")]);
    // The missing headings are reported in time as well, but the text is not stored.
    const { denied } = await asks(planOf(["Architecture Design", "Tech Stack"]));
    expect(denied).toMatch(/Missing: "Module Specifications"\. Add what is missing/u);
    await claim.release();
    await expect.poll(state, { timeout: 20_000 }).toMatchObject({ Ω_current: "Ω₂ᴬ" });
    expect(await σ2()).toContain(sections["Tech Stack"]);
  });
});
