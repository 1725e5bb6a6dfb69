/** A project without a test runner can have plans too: unexecuted work is shown as UNVERIFIED (ENV-65). */
import { beforeAll, expect } from "vitest";
import { promptText } from "../envoy/plan-world.ts";
import { createStepsWorld, implemented, merged, type StepsWorld } from "./world.ts";
import { inCi } from "../verifies.ts";

let world: StepsWorld;
beforeAll(async () => {
  world = await createStepsWorld();
  await world.repository.git("rm", "--quiet", "-r", "package.json", "test");
  await world.repository.git("commit", "--quiet", "-m", "Words alone");
});

inCi("an agent completes a prompt, and its merge is UNVERIFIED", async () => {
  await world.ok(["plan", "write-prompt", "1", ...promptText]);
  const shell = `${implemented("1", "export const one = 1;")}\n${merged("1")}`;
  const report = { status: "DONE", message: "merged", payload: { success: true, merged: true } };
  await world.cassette(
    {},
    { "1": { worker: [{ does: [{ shell }, { say: "Done. All tests pass." }], report }] } },
  );
  const ended = await world.run(["run", "--protocol", "continue"]);
  expect([ended.code, ended.json["status"]]).toEqual([0, "complete"]);
  expect(ended.stderr).toMatch(/✓ next +mettle +[\d.]+s +accepted\n/u);
  const { run, summary } = ended.json as { run: string; summary: string };
  expect(summary).toContain("prompt 1 is merged, UNVERIFIED: the project has no test runner");
  // The plan shows that it is done (fault E17), and that nothing was executed.
  expect(summary).toContain(
    "UNVERIFIED claim retracted: Tests pass; the plan shows: prompt 1 is merged, UNVERIFIED: the project has no test runner",
  );
  const events = await world.events(run);
  expect(events.filter(({ type }) => type === "claim.unverified")).toHaveLength(1);
  expect(events.filter(({ type }) => type === "record.written")).toEqual([]);
  expect(summary.split("\n").at(-1)).toBe("✓ CONTINUE COMPLETE, UNVERIFIED");
  expect(await world.text("verify", run)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("holds: 0 records") as string,
  });
});
