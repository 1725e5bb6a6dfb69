/** A usage limit of the real Claude Code: the model answers 429, the account pauses, and the same step goes on. */
import { readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { parse } from "yaml";
import { createWorld, eventsOf, type CassetteFile } from "../orchestrate/world.ts";
import { cassetteModel } from "../support/cassette-model.ts";
import { startModelServer } from "../support/model-server.ts";
import { withRealClaude } from "../support/real-agents.ts";
import { verifies } from "../verifies.ts";

withRealClaude("A usage limit of the real Claude Code", (file) => {
  verifies(
    ["CORE-77", "SEE-11"],
    "a 429 of its model pauses the account and counts as no attempt; the step goes on after the pause",
    async () => {
      const world = await createWorld();
      const server = await startModelServer();
      const env = {
        PATH: `${dirname(file)}:${process.env["PATH"] ?? ""}`,
        ANTHROPIC_BASE_URL: server.url,
        ANTHROPIC_API_KEY: "dummy-key-of-the-test",
      };
      server.script([{ status: 429 }]);
      const stopped = await world.cli(["run", "Add slugify(text)", "--no-wait", "--json"], { env });
      expect(stopped.code, stopped.stderr).toBe(5);
      expect(stopped.json()).toMatchObject({
        outcome: "limited",
        error: { code: "usage_limit" },
        limits: [{ account: "claude" }],
        waiting_all: [],
      });
      // Nobody waits a minute here: the removed file ends the pause.
      await rm(join(world.home, "limits"), { recursive: true });
      const { run } = stopped.json() as { run: string };
      const honest = await readFile(packageRoot("protocols/orchestrate/demo/honest.yaml"), "utf8");
      server.scriptWith(cassetteModel(parse(honest) as CassetteFile, "tool"));
      const resumed = await world.cli(["resume", run, "--json"], { env });
      expect(resumed.code, resumed.stderr).toBe(3);
      const events = (await world.host.journal.read(run)).map(recorded);
      expect(eventsOf(events, "account.paused")).toMatchObject([
        { account: "claude", reachedBy: "intake#1" },
      ]);
      expect(eventsOf(events, "dispatch.started").map(({ key }) => key)).toEqual(["intake#1", "intake#1"]);
      expect(resumed.json()).toMatchObject({ waiting: { kind: "questions" } });
    },
    120_000,
  );
});
