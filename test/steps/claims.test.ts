/** The final answer of printed steps is checked against the plan (ENV-31). */
import { beforeAll, expect } from "vitest";
import { promptText } from "../envoy/plan-world.ts";
import { createStepsWorld, type StepsWorld } from "./world.ts";
import { inCi } from "../verifies.ts";

let world: StepsWorld;
beforeAll(async () => void (world = await createStepsWorld()));

inCi(
  "an agent that claims a merge that did not happen gets the refusal, and people see the claim as UNVERIFIED",
  async () => {
    await world.ok(["plan", "write-prompt", "1", ...promptText]);
    const start =
      "envoy plan start-prompt 1 --specialist worker --worktree feature/x--implementation-1 && envoy git worktree 1";
    const claims = { status: "DONE", message: "merged", payload: { success: true, merged: true } };
    await world.cassette({
      worker: [
        { does: [{ shell: start }], report: claims },
        {
          expects: ["The plan does not show what you reported", "prompt 1 is unimplemented, in progress"],
          report: { ...claims, payload: { success: true, merged: false, reason: "postponed" } },
        },
        { expects: ["is none of the outputs of implementation"], report: claims },
      ],
    });
    const stopped = await world.run(["run", "--protocol", "implementation", "--input", "prompt_num=1"]);
    const { run } = stopped.json as { run: string };
    expect([stopped.code, stopped.json["status"]]).toEqual([4, "blocked"]);
    const status = await world.text("status", run);
    expect(status.stdout).toContain(
      "UNVERIFIED claim retracted: { success: true, merged: true }; the plan shows: prompt 1 is unimplemented, in progress",
    );
    expect(await world.fields("prompts/1.md")).toMatchObject({ status: "unimplemented", in_progress: true });
    const claimed = (await world.events(run)).filter(({ type }) => type === "claim.unverified");
    expect(claimed.map(({ phrase }) => phrase)).toEqual([
      "{ success: true, merged: true }",
      '{ success: true, merged: false, reason: "postponed" }',
      "{ success: true, merged: true }",
    ]);
    // While its run can be resumed, the prompt is its agent's; after the run's end, its agent is gone.
    await world.cassette({}, { "1": { worker: [{ report: { status: "BL", message: "I have it" } }] } });
    const busy = await world.run(["run", "--protocol", "continue"]);
    expect([busy.code, busy.json["waiting"]]).toMatchObject([
      3,
      { text: "No prompt of the plan can be worked on now", answers: ["look"] },
    ]);
    await world.run(["abort", run]);
    const other = (busy.json as { run: string }).run;
    await world.run(["answer", other, "look"]);
    expect((await world.run(["resume", other])).code).toBe(4);
    expect((await world.text("log", other)).stdout).toContain("I have it");
  },
);
