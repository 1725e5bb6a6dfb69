import { describe, expect, test } from "vitest";
import { load } from "../protocol/fixtures/sources.ts";
import { allSpots } from "../protocol/levels.ts";
import { codesIn, leadsOf } from "./leads.ts";
import { legendOf, printLegend } from "./legend.ts";
import { symbolSetOf } from "./modes.ts";

/** `machine/state: place` for each dispatch that may report the code. */
function leads(name: "riper" | "dptr", code: string): readonly string[] {
  return leadsOf(load(name), code).map(
    ({ machine, state, agent, to }) => `${machine}/${state} ${agent}: ${to}`,
  );
}

describe("where a code leads", () => {
  test("is listed for every state that may report it", () => {
    for (const name of ["riper", "dptr"] as const) {
      const protocol = load(name);
      const dispatches = Object.values(protocol.machines).flatMap((machine) =>
        allSpots(machine).flatMap(({ state }) => (state.kind === "dispatch" ? [state] : [])),
      );
      expect(dispatches.length).toBeGreaterThan(10);
      for (const { code, leads: codeLeads } of legendOf(protocol, name).statuses) {
        const everywhere = ["ME", "TO", "EX", "BL"].includes(code);
        const givers = dispatches.filter(({ reports }) => everywhere || reports.includes(code));
        expect([code, codeLeads.length]).toEqual([code, givers.length]);
        expect(codeLeads.every(({ to }) => to !== "")).toBe(true);
      }
    }
  });

  test("follows the routes", () => {
    expect(leads("dptr", "NR")).toEqual([
      "main/critic Ω₄ᶜ: Ω₃ᴾ (replan) with CTX:revise; past the limit of plan_rounds a person: A loop does not converge",
    ]);
    expect(leads("dptr", "DG")).toEqual(["main/replan Ω₃ᴾ (replan): Ω₄ᶜ with CTX:disagree"]);
    expect(leads("dptr", "PA")).toEqual(["main/critic Ω₄ᶜ: Ω₅ᵀ for each of cycles"]);
    expect(leads("riper", "ACCEPT")).toEqual([
      "main/arch Ω₂ᴬ (arch): Ω₂ᴬ (critic) with CTX:Λ₂ for each of modules",
      "audit/critic Ω₂ᴬ (critic): once all modules are through, Ω₃ᴾ (plan)",
    ]);
    expect(leads("dptr", "REVISE")).toEqual([
      "audit/critic Ω₂ᴬ: a person: The critic wants the design revised",
    ]);
    expect(leads("dptr", "REJECT")).toEqual(["audit/critic Ω₂ᴬ: the run ends halted"]);
    expect(leads("dptr", "APPROVED")).toContain("main/review Ω₆ⱽ (review): the run ends complete");
    expect(leads("dptr", "NEEDS_CHANGE")).toContain(
      "cycle/reviews/de_review/de_review DE at review_tests: once all reviews are through, QA at ℜᶠᵗ; past the limit of refactor_passes a person: A loop does not converge",
    );
  });

  test("follows a changed route", () => {
    const own = [
      "version: 1",
      "protocol: own",
      "kind: machine",
      "extends: dptr",
      "machines: {main: {states: {design: {on: {PC: plan}}}}}",
    ].join("\n");
    const protocol = load("own", { own });
    expect(symbolSetOf(protocol)).toBe("dptr");
    expect(leadsOf(protocol, "PC").map(({ to }) => to)).toContain("Ω₃ᴾ (plan)");
    expect(leads("dptr", "PC")).not.toContain("main/design Ω₁ᴾ: Ω₃ᴾ (plan)");
  });

  test("is found if a machine is its own child", () => {
    const graph = load("graph");
    const own = Object.values(graph.machines).flatMap((machine) =>
      allSpots(machine).filter(({ state }) => state.kind === "each" && state.machine === machine.name),
    );
    expect(own.length).toBeGreaterThan(0);
    for (const code of codesIn(graph)) expect([code, leadsOf(graph, code).length > 0]).toEqual([code, true]);
  });
});

test("dptr's legend has no symbol that only riper has", () => {
  const text = printLegend(legendOf(load("dptr"), "dptr"));
  for (const name of [
    "Λ",
    "σ₆",
    "s6",
    "Ω_current",
    "Ω_session",
    "🔄",
    "S_p",
    "S_t",
    "Ψ",
    "andoff",
    "rotection",
  ])
    expect([name, text.includes(name)]).toEqual([name, false]);
  const riper = printLegend(legendOf(load("riper"), "riper"));
  for (const name of ["Ω₁ᴰ", "Ω₂ˢ", "Ω₃ᵍ", "Ω₄ᴿ", "Design Loop"])
    expect([name, riper.includes(name)]).toEqual([name, false]);
});
