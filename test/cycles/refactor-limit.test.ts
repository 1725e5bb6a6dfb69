/** The end of a refactor loop that does not converge: by its limit, and by EN of each agent. */
import { beforeAll, expect } from "vitest";
import { exitOfAsks } from "../../src/cli/exit.ts";
import { waitingAsks } from "../../src/kernel/inspect.ts";
import type { World } from "../orchestrate/world.ts";
import { verifiesInCi } from "../verifies.ts";
import { approveDesign, byCodes, type ByCodes } from "./by-codes.ts";
import { createCyclesWorld } from "./world.ts";

let world: World;
beforeAll(async () => void (world = await createCyclesWorld()));

const exitOf = (run: ByCodes) => exitOfAsks(waitingAsks(run.context.session.state));

/** Gates pass up to the refactoring of the first cycle. */
async function refactoring(): Promise<ByCodes> {
  const run = await byCodes(world, "dptr");
  await approveDesign(run);
  for (const code of ["PC", "PA", "RC", "pass", "GC", "pass"]) await run.say(code);
  expect(run.line()).toBe("QA[S{sid},R1,C1,P:ℜᶠᵗ]");
  return run;
}

verifiesInCi(
  ["TDP-63", "TDP-18", "TDP-23"],
  "endless NEEDS_CHANGE takes EN after five passes, with the findings of each pass, and no sixth begins",
  async () => {
    const run = await refactoring();
    for (let pass = 1; pass <= 5; pass++) {
      expect(run.line()).toContain("P:ℜᶠᵗ]");
      // Both roles get the findings of the previous pass.
      const before = pass === 1 ? [] : [`- QA: finding ${pass - 1}a\n- QA: finding ${pass - 1}b`];
      for (const code of ["RTC", "RIC"]) {
        for (const finding of before) expect(await run.prompt()).toContain(finding);
        for (const said of [code, "pass"]) await run.say(said);
      }
      await run.say("APPROVED", "the tests are clear");
      await run.say("NEEDS_CHANGE", `not yet ${pass}`, {
        findings: [`finding ${pass}a`, `finding ${pass}b`],
      });
      await run.say("pass");
    }
    expect(run.open()).toMatchObject({ type: "ask", as: "escalated", state: "not_converging" });
    expect(exitOf(run)).toBe(4);
    expect(run.lines().filter((line) => line.includes("P:ℜᶠᵗ"))).toHaveLength(5);
    const shown = await run.shown();
    expect(shown).toContain("Stopped by: limits.refactor_passes, 5 of 5 used\n");
    for (let pass = 1; pass <= 5; pass++) {
      expect(shown).toContain(`CTX:review_de_work] →NEEDS_CHANGE: not yet ${pass}\n`);
      expect(shown).toContain(`    - finding ${pass}a\n    - finding ${pass}b\n`);
    }
    expect(shown).toContain("Last of QA: not yet 5\n");
    expect(shown).toContain("Last of DE: the tests are clear\n");
    await run.answer("approach", "leave the names alone");
    expect(run.line()).toContain("P:ℜᶠᵗ]");
    expect(await run.prompt()).toContain("leave the names alone");
    expect(await run.prompt()).toContain("finding 5b");
  },
);

verifiesInCi(
  "TDP-18",
  "EN of QA, of DE and of both reviews stops the loop, keeps the code and asks a person",
  async () => {
    const ways = [
      [],
      ["RTC", "pass"],
      ["RTC", "pass", "RIC", "pass"],
      ["RTC", "pass", "RIC", "pass", "APPROVED"],
    ];
    for (const codes of ways) {
      const run = await refactoring();
      for (const code of codes) await run.say(code);
      const line = run.line();
      await run.say("EN", "we do not agree");
      expect([line, exitOf(run)]).toEqual([line, 4]);
      expect(await run.shown()).toContain(
        `Stopped by: ${line.replace("S{sid},", "")} →EN: we do not agree\n`,
      );
      expect((await run.state()).plan_approved).toBe(true);
      await run.answer("context", "it is good enough");
      expect(run.line()).toBe(line);
      expect(await run.prompt()).toContain("it is good enough");
    }
  },
);
