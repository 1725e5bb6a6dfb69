/** `mettle protocol legend`, by the entry of the program. */
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { declaredRoutes } from "../../src/protocol/declared-routes.ts";
import { load } from "../../src/protocol/fixtures/sources.ts";
import { allSpots } from "../../src/protocol/levels.ts";
import { routeFor } from "../../src/protocol/routes.ts";
import { newFolder } from "../support/folder.ts";
import { verifies } from "../verifies.ts";
import { callHere, type InProcessResult } from "./here.ts";

const Legend = z.object({
  version: z.literal(1),
  name: z.string(),
  groups: z.array(
    z.object({
      title: z.string().min(1),
      symbols: z.array(
        z.object({ symbol: z.string(), meaning: z.string().min(2), also: z.array(z.string()) }),
      ),
    }),
  ),
  statuses: z.array(
    z.object({
      code: z.string(),
      meaning: z.string().min(2),
      leads: z.array(
        z.object({
          machine: z.string(),
          state: z.string(),
          agent: z.string(),
          code: z.string(),
          to: z.string(),
        }),
      ),
    }),
  ),
});

/** The tables of the seeds: Symbol System, Core, TDD Sub-phase Symbols, Parameter Definitions, Status Codes. */
const both = words(`
  Ω₁ᴾ Ω₂ᴬ Ω₃ᴾ Ω₄ᶜ Ω₅ᵀ Ω₆ⱽ Ω₅ᴿ Ω₅ᴳ Ω₅ᶠ Ω₅ᶠᵗᵉˢᵗ Ω₅ᶠⁱᵐᵖˡ ℜ ℜᴳ ℜᶠ ℜᶠᵗ ℜᶠⁱ
  σ₁ σ₂ σ₃ σ₄ σ₅ [↗️σₓ:Rₓ] ∇ → ↔ ⟷ ⟲ ∈ ∃ ∧ ∨ ¬ ✅ ❌ ⚠️ MT QA DE S R C P CTX review_tests review_impl
  O1P O2A O3P O4C O5T O6V s1 s2 s3 s4 s5 RED GREEN REFACTOR_TEST REFACTOR_IMPL`);
const own = {
  riper: words("Λ₁ Λ₂ L1 L2 σ₆ s6 🔄 S_p S_t Ω_current Ω_session Ψ"),
  dptr: words("Ω₁ᴰ Ω₁ᶜ Ω₂ˢ Ω₂ᶜ Ω₃ᵍ Ω₃ᴱ Ω₄ᴿ Ω₁ Ω₂ Ω₃ Ω₄ session_id tdd_session_id"),
} as const;
const codes = words(`
  PC PR NR PA DG EN RC TA GC TI RTC RIC APPROVED NEEDS_CHANGE ACCEPT REVISE REJECT ME TO EX BL`);

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/u);
}

describe("the legend", () => {
  let cwd: string;
  const call = (...args: readonly string[]): Promise<InProcessResult> =>
    callHere(["protocol", "legend", ...args], {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: cwd, METTLE_HOME: cwd },
    });
  beforeAll(() => void (cwd = newFolder()));

  verifies(
    "TDP-04",
    "has every symbol with its meaning, and every status code with its next states",
    async () => {
      for (const name of ["riper", "dptr"] as const) {
        const text = await call(name);
        const json = await call(name, "--json");
        expect([text.code, json.code, text.stderr, json.stderr]).toEqual([0, 0, "", ""]);
        const { groups, statuses } = Legend.parse(JSON.parse(json.stdout));
        const symbols = groups.flatMap((group) => group.symbols);
        const lines = text.stdout.split("\n");
        for (const wanted of [...both, ...own[name]]) {
          const found = symbols.find(({ symbol, also }) => symbol === wanted || also.includes(wanted));
          expect([name, wanted, found === undefined]).toEqual([name, wanted, false]);
          const line = lines.find((each) => each.startsWith(`  ${found?.symbol} `));
          expect(line).toContain(found?.meaning);
          if (found?.symbol !== wanted) expect(line).toMatch(/ \(also .+\)$/u);
          expect(line).toContain(wanted);
        }
        expect(symbols.find(({ symbol }) => symbol === "∇")?.meaning).toMatch(/ACCEPT, REVISE or REJECT$/u);

        expect(statuses.map(({ code }) => code).toSorted()).toEqual(codes.toSorted());
        const { machines } = load(name);
        for (const { code, meaning, leads } of statuses) {
          expect(lines.some((line) => line.startsWith(`  ${code.padEnd(12)}  ${meaning}`))).toBe(true);
          expect([code, leads.length > 0]).toEqual([code, true]);
          for (const { machine: inMachine, state: id, to } of leads) {
            const machine = machines[inMachine];
            const state = machine && allSpots(machine).find((spot) => spot.id === id)?.state;
            const route = machine && state && routeFor(machine, state, code);
            const declared = machine && declaredRoutes(machine).map((each) => each.route);
            expect([name, code, id, route !== undefined && declared?.includes(route)]).toEqual([
              name,
              code,
              id,
              true,
            ]);
            expect(lines.some((line) => line.startsWith(" ".repeat(16)) && line.endsWith(` → ${to}`))).toBe(
              true,
            );
          }
        }
      }
    },
  );

  test("of a protocol without symbols, or an unknown one, is refused", async () => {
    const plain = await call("orchestrate");
    expect([plain.code, plain.stderr]).toEqual([
      2,
      "error[usage]: orchestrate has no symbols\nhint: mettle protocol legend riper|dptr\n",
    ]);
    expect((await call("nothing")).stderr).toMatch(
      /^error\[protocol_unknown\]: there is no protocol nothing\n/u,
    );
    expect((await call()).stderr).toMatch(/^error\[usage\]: <name> is missing\n/u);
  });
});
