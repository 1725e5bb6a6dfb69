/** An agent that must revise something sees its work and the feedback on it (fault D3). */
import { beforeAll, describe, expect, test } from "vitest";
import type { World } from "../orchestrate/world.ts";
import { approveDesign, byCodes, design, issues, plan } from "./by-codes.ts";
import { createCyclesWorld } from "./world.ts";
import { inCi } from "../verifies.ts";

let world: World;
beforeAll(async () => void (world = await createCyclesWorld()));

describe.each(["riper", "dptr"] as const)("%s", (protocol) => {
  test("a designer sees its own design, the critic's issues, and a person's comment on them", async () => {
    const run = await byCodes(world, protocol);
    expect(await run.prompt()).not.toContain("YOUR DESIGN");
    await run.say("PC", "designed", design);
    await run.say("REVISE", "two things", issues);
    if (protocol === "dptr") await run.answer("revise", "keep the mail out of it");
    const prompt = await run.prompt();
    expect(prompt).toContain("YOUR DESIGN SO FAR");
    for (const { specification } of design.module_specifications) expect(prompt).toContain(specification);
    for (const { problem } of issues.issues) expect(prompt).toContain(problem);
    if (protocol === "dptr") expect(prompt).toContain("keep the mail out of it");
  });

  test("a planner sees its own plan and the critic's reasons, a critic the planner's objection", async () => {
    const run = await byCodes(world, protocol);
    await approveDesign(run);
    expect(await run.prompt()).not.toContain("YOUR PLAN");
    await run.say("PC", "planned", plan);
    await run.say("NR", "cycle two is too large");
    const prompt = await run.prompt();
    expect(prompt).toContain("YOUR PLAN SO FAR");
    for (const { task } of plan.cycles) expect(prompt).toContain(task);
    expect(prompt).toContain("cycle two is too large");
    await run.say("DG", "it is one function");
    expect(await run.prompt()).toContain("it is one function");
    await run.say("NR", "then name it better");
    const again = await run.prompt();
    expect(again).toContain("then name it better");
    expect(again).not.toContain("cycle two is too large");
  });

  inCi("a planner sees the findings of the last review if a person wants the plan revised", async () => {
    const run = await byCodes(world, protocol);
    await approveDesign(run);
    await run.say("PC", "planned", { cycles: plan.cycles.slice(0, 1) });
    await run.say("PA");
    const codes = [
      "RC",
      "pass",
      "GC",
      "pass",
      "RTC",
      "pass",
      "RIC",
      "pass",
      "APPROVED",
      "APPROVED",
      "pass",
      "pass",
    ];
    for (const code of [...codes, "pass"]) await run.say(code);
    await run.say("NEEDS_CHANGE", "no", { findings: ["auth() forgets the salt"] });
    await run.answer("revise", "the salt alone");
    const prompt = await run.prompt();
    for (const text of ["YOUR PLAN SO FAR", "auth() forgets the salt", "the salt alone"])
      expect(prompt).toContain(text);
  });
});
