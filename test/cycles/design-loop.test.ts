/** Ω₁ᴾ and Ω₂ᴬ: audits, revisions and rejections of a design. */
import { beforeAll, describe, expect } from "vitest";
import { exitOfAsks } from "../../src/cli/exit.ts";
import { waitingAsks } from "../../src/kernel/inspect.ts";
import type { World } from "../orchestrate/world.ts";
import { inCi, verifies } from "../verifies.ts";
import { approveDesign, byCodes, design, issues } from "./by-codes.ts";
import { createCyclesWorld } from "./world.ts";

let world: World;
beforeAll(async () => void (world = await createCyclesWorld()));

const exitOf = (run: Awaited<ReturnType<typeof byCodes>>) =>
  exitOfAsks(waitingAsks(run.context.session.state));

const audits = {
  riper: ["Ω₂ᴬ[CTX:Λ₁]", "Ω₂ᴬ[CTX:Λ₂:auth]", "Ω₂ᴬ[CTX:Λ₂:mail]"],
  dptr: ["Ω₂ᴬ[CTX:auth]", "Ω₂ᴬ[CTX:mail]"],
} as const;

describe.each(["riper", "dptr"] as const)("%s", (protocol) => {
  verifies(
    ["TDP-11", ...(protocol === "riper" ? ["RIP-02"] : [])],
    `${protocol}: each ACCEPT is kept with its critique, and the last audit approves the design`,
    async () => {
      const run = await byCodes(world, protocol);
      await run.say("PC", "designed", design);
      for (const [index, line] of audits[protocol].entries()) {
        expect(run.line()).toBe(line);
        expect(await run.state()).toMatchObject({ design_approved: false });
        await run.say("ACCEPT", `critique ${index}`);
      }
      const { arch_critique: critique, ...state } = await run.state();
      expect(state).toMatchObject({ design_approved: true, design_feedback: null, design_rejected: null });
      expect(critique.map(({ module, decision, text }) => [module, decision, text])).toEqual([
        ...(protocol === "riper" ? [[null, "ACCEPT", "critique 0"]] : []),
        ["auth", "ACCEPT", `critique ${audits[protocol].length - 2}`],
        ["mail", "ACCEPT", `critique ${audits[protocol].length - 1}`],
      ]);
      expect(run.line()).toBe("Ω₃ᴾ[S{sid},R0]");
    },
  );

  inCi("a REJECT at any audit ends the run halted and dispatches nothing more", async () => {
    for (let accepted = 0; accepted < audits[protocol].length; accepted++) {
      const run = await byCodes(world, protocol);
      await run.say("PC", "designed", design);
      for (let audit = 0; audit < accepted; audit++) await run.say("ACCEPT");
      await run.say("REJECT", "the library does it already");
      const { ended, order } = run.context.session.view;
      expect(ended).toMatchObject({ outcome: "halted" });
      expect(order.at(-1)).toBe("finish#1");
      expect(await run.state()).toMatchObject({
        design_approved: false,
        design_rejected: "the library does it already",
      });
      expect(run.context.session.state.open.filter(({ type }) => type === "dispatch")).toEqual([]);
    }
  });
});

verifies(
  ["TDP-12", "RIP-02"],
  "riper: REVISE at the last audit goes back to Ω₁ᴾ with exactly its issues, and every audit is repeated",
  async () => {
    const run = await byCodes(world, "riper");
    await run.say("PC", "designed", design);
    await run.say("ACCEPT");
    await run.say("ACCEPT");
    await run.say("REVISE", "two things", issues);
    expect(run.line()).toBe("Ω₁ᴾ[]");
    const { arch_critique: critique, ...state } = await run.state();
    expect(state.design_approved).toBe(false);
    expect(state.design_feedback).toBe(
      "no salt (suggestion: salt it)\nno retry (suggestion: try again once)",
    );
    expect(critique.at(-1)).toMatchObject({ module: "mail", decision: "REVISE", ...issues });
    const prompt = await run.prompt();
    for (const { problem, suggestion } of issues.issues)
      expect(prompt).toContain(`- ${problem}\n  Suggestion: ${suggestion}`);
    await approveDesign(run);
    expect(run.lines()).toEqual(["Ω₁ᴾ[]", ...audits.riper, "Ω₁ᴾ[]", ...audits.riper, "Ω₃ᴾ[S{sid},R0]"]);
    expect((await run.state()).design_approved).toBe(true);
  },
);

verifies(
  "TDP-12",
  "the design after a REVISE gets no older feedback, and REVISE without an issue is refused",
  async () => {
    const run = await byCodes(world, "riper");
    await run.say("PC", "designed", design);
    await expect(run.say("REVISE", "hm", { issues: [] })).rejects.toThrow(
      "payload.issues: REVISE needs at least one issue",
    );
    await expect(run.say("REVISE", "hm", null)).rejects.toThrow(/^payload: /u);
    await expect(run.say("REVISE", "hm", { issues: [{ problem: "x" }] })).rejects.toThrow(
      /^payload\.issues\.0\.suggestion: /u,
    );
    await run.say("REVISE", "two things");
    await run.say("PC", "again", design);
    await run.say("REVISE", "one", { issues: [{ problem: "no log", suggestion: "write one" }] });
    const prompt = await run.prompt();
    expect(prompt).toContain("no log");
    expect(prompt).not.toContain("no salt");
    const { arch_critique: critique, design_feedback: feedback } = await run.state();
    expect(critique.map(({ decision, text }) => [decision, text])).toEqual([["REVISE", "one"]]);
    expect(feedback).toBe("no log (suggestion: write one)");
  },
);

verifies(
  ["TDP-63", "TDP-18"],
  "riper: the fifth REVISE is EN: a person is asked and sees the findings of every design",
  async () => {
    const run = await byCodes(world, "riper");
    for (let round = 1; round <= 5; round++) {
      expect(run.line()).toBe("Ω₁ᴾ[]");
      await run.say("PC", `design ${round}`, design);
      await run.say("REVISE", `answer ${round}`, {
        issues: [{ problem: `problem ${round}`, suggestion: `remedy ${round}` }],
      });
    }
    expect(run.open()).toMatchObject({ type: "ask", as: "escalated" });
    expect(exitOf(run)).toBe(4);
    expect(run.lines()).toHaveLength(10);
    const shown = await run.shown();
    expect(shown).toContain("Stopped by: limits.design_rounds, 5 of 5 used\n");
    for (let round = 1; round <= 5; round++) {
      expect(shown).toContain(`  Ω₁ᴾ[] →PC: design ${round}\n  Ω₂ᴬ[CTX:Λ₁] →REVISE: answer ${round}\n`);
      expect(shown).toContain(`    - problem ${round} (suggestion: remedy ${round})\n`);
    }
    expect(shown).toContain("Last of Ω₁ᴾ: design 5\nLast of Ω₂ᴬ: answer 5\n");
    expect((await run.state()).design_approved).toBe(false);
    await run.answer("context", "salt is not needed here");
    expect(run.line()).toBe("Ω₁ᴾ[]");
    const prompt = await run.prompt();
    expect(prompt).toContain("salt is not needed here");
    expect(prompt).toContain("problem 5");
  },
);

verifies(
  "DPT-02",
  "dptr: after REVISE the person sends it back to Ω₁ᴰ; between ACCEPT and Ω₄ᴿ no one is asked",
  async () => {
    const run = await byCodes(world, "dptr");
    await run.say("PC", "designed", design);
    await run.say("REVISE", "two things");
    expect(exitOf(run)).toBe(3);
    expect(run.open()).toMatchObject({ type: "ask", answers: ["revise"], as: "waiting" });
    const shown = await run.shown();
    for (const text of ["auth", "no salt", "salt it", "no retry"]) expect(shown).toContain(text);
    await run.answer("revise", "");
    expect(run.line()).toBe("Ω₁ᴾ[]");
    expect(await run.prompt()).toContain("no salt");
    await approveDesign(run);
    await run.say("PC");
    await run.say("PA");
    while (run.open().mode !== "Ω₆ⱽ" || run.open().type !== "dispatch") {
      const command = run.open();
      expect(command.type).not.toBe("ask");
      await run.say(command.type === "dispatch" ? (command.reports[0] ?? "") : "pass");
    }
    expect(run.line()).toBe("Ω₆ⱽ[]");
    await run.say("APPROVED");
    expect(run.context.session.view.ended).toMatchObject({ outcome: "complete" });
  },
);
