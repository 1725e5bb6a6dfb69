/** Who may answer a gate: a person, also beforehand, and never an agent. Sessions: `test/hooks/starts.test.ts`. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { callIn } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { act } from "./turns.ts";
import { createWorld, eventsOf, golden, type CliResult, type World } from "./world.ts";

describe("a run with a plan that was approved beforehand", () => {
  let world: World;
  let run = "";
  let wrong: CliResult;
  let called: CliResult;
  let events: readonly Recorded[];
  let attempts: string;
  beforeAll(async () => {
    world = await createWorld();
    const cassette = await golden();
    const tried = join(world.home, "tried");
    const command = `METTLE_HOME=${world.home} ${process.execPath} ${packageRoot("dist/bin/mettle.js")} approve >> ${tried} 2>&1; echo "exit $?" >> ${tried}`;
    const [review] = cassette.roles.claude;
    review?.does?.push({
      shell: `cd ${world.repository.dir}; ${command}; unset METTLE_DISPATCH; ${command}`,
    });
    // The run ends with the test writer.
    const agent = await world.agent({
      ...cassette,
      roles: { ...cassette.roles, tester: [act("BL", { message: "I don't know" })] },
    });
    wrong = await callIn(world, ["run", "@orchestrate x", "--approve", "plan,merge", "--agent", agent]);
    const asked = await callIn(world, [
      "run",
      "@orchestrate x",
      "--approve",
      "plan,code",
      "--json",
      "--agent",
      agent,
    ]);
    run = String(asked.json()["run"]);
    called = await callIn(world, ["answer", run, ...["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => `${id}=yes`)]);
    events = (await world.host.journal.read(run)).map(recorded);
    attempts = await readFile(tried, "utf8");
  });

  verifies(
    "ORC-69",
    "passes Phase 4 by the person's pre-approval, which is recorded and shown as such",
    async () => {
      expect(called.code).toBe(3);
      const approval = eventsOf(events, "result").find(({ key }) => key === "user_gate_plan#1");
      expect(approval).toMatchObject({
        outcome: "approve",
        by: { answeredBy: "preapproved", who: "run --approve" },
      });
      expect(eventsOf(events, "run.started")[0]?.preapproved).toEqual(["plan", "code"]);
      expect((await callIn(world, ["log", run])).stdout).toContain(
        "user_gate_plan#1 -> approve by run --approve (preapproved)",
      );
      expect(eventsOf(events, "dispatch.started").map(({ role }) => role)).toContain("tester");
    },
  );

  verifies(
    "ORC-69",
    "an agent's own approval is refused, also without the variable that marks an agent",
    () => {
      const refused = "error[agent_cannot_approve]: an agent or a test of a run called this\n";
      expect(attempts).toBe(
        `${refused}hint: a person answers from a terminal of their own\nexit 1\n`.repeat(2),
      );
      expect(eventsOf(events, "result").filter(({ outcome }) => outcome === "approve")).toHaveLength(1);
    },
  );

  test("an unknown gate cannot be approved beforehand", () => {
    expect([wrong.code, wrong.stderr.split("\n")[0]]).toEqual([
      2,
      "error[usage]: --approve: there is no gate merge",
    ]);
  });
});
