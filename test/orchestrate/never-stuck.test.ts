/** An error at every attempt ends in a question whose printed command works: no run is lost. */
import { join } from "node:path";
import { expect } from "vitest";
import { callIn } from "../cli/here.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { driveWatched } from "./watched.ts";
import { createWorld, eventsOf, golden, untestedFiles } from "./world.ts";
import { inCi } from "../verifies.ts";

inCi(
  "an unknown error at every attempt pauses the run with the commands that continue or end it",
  async () => {
    const world = await createWorld(await untestedFiles());

    const run = await world.start(await golden());
    await driveWatched(world, run, {
      on: (event) =>
        event.type === "phase.completed" && event.phase === "4 USER_GATE_PLAN" ? "stop" : undefined,
    });
    // The folder for temporary files is gone, which causes an error of the system, not of Mettle.
    const env = { TMPDIR: join(world.home, "no-such-folder") };
    for (let n = 0; n < 2; n++) {
      const { code, stderr } = await world.cli(["resume", run, "--json"], { env });
      expect({ code, stderr }).toMatchObject({
        code: 5,
        stderr: expect.stringMatching(
          /^error\[(state_unwritable|worktree_failed)\]: .*ENOENT: .*no-such-folder.*\nhint: .+`mettle resume/mu,
        ) as string,
      });
    }
    const { stdout } = await callIn(world, ["status", run]);
    expect(stdout).toContain(`mettle resume ${run}`);
    expect(stdout).toContain(`mettle abort ${run}`);
    const counted = (await world.host.journal.read(run)).map(recorded);
    expect(eventsOf(counted, "breaker.tripped")).toEqual([]);
    const resumed = await callIn(world, ["resume", run]);
    expect(resumed).toMatchObject({ code: 3, stderr: expect.not.stringContaining("error[") as string });
    const { events } = await world.drive(run);
    expect(eventsOf(events, "run.ended")).toMatchObject([{ outcome: "complete" }]);
  },
);
