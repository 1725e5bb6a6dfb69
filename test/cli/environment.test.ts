/**
 * A missing part of the machine pauses a run without charging an attempt, with a hint; after the fix the run continues.
 * @module-tag ci
 */
import { rename, rm, writeFile } from "node:fs/promises";
import { beforeAll, describe, expect } from "vitest";
import type { AskCommand } from "../../src/kernel/command.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import { answerAsk } from "../../src/engine/asks/answer.ts";
import { drive } from "../../src/engine/drive.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { openRun } from "../../src/families/open-run.ts";
import type { Settlement } from "../../src/run/settlement.ts";
import { countersOf, startsOf } from "../orchestrate/watched.ts";
import {
  createWorld,
  eventsOf,
  golden,
  answerAll,
  type CliResult,
  type World,
} from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { callIn } from "./here.ts";

describe("an environment that fails before Phase 7", () => {
  let world: World;
  let run: string;
  const calls = new Map<string, CliResult>();
  const counters: Readonly<Record<string, string>>[] = [];
  let events: readonly Recorded[];
  const take = async (): Promise<void> => {
    events = (await world.host.journal.read(run)).map(recorded);
    counters.push(countersOf(events));
  };
  const resume = async (cause: string): Promise<void> => {
    calls.set(cause, await callIn(world, ["resume", run]));
    await take();
  };

  beforeAll(async () => {
    world = await createWorld();
    const cassette = await golden();
    const turns = cassette.roles.coder.map((turn) => ({ ...turn, repeat: true }));
    const coder = await world.agent({ ...cassette, roles: { ...cassette.roles, coder: turns } });
    const file = coder.replace("scripted:", "");
    const { worktrees } = world.host.home;
    run = await world.start(cassette, { agents: { coder }, preapproved: ["plan", "code"] });
    await rename(file, `${file}.away`);
    await world.drive(run, answerAll);
    await take();
    await resume("agent missing");
    await rename(`${file}.away`, file);

    await rename(worktrees, `${worktrees}.away`);
    await writeFile(worktrees, "");
    await resume("no worktree");
    await rm(worktrees);
    await rename(`${worktrees}.away`, worktrees);

    // A cassette cannot play an agent without a login.
    const context = await openRun(world.host, { run });
    const agentOf: typeof context.agentOf = async (command) => ({
      ...(await context.agentOf(command)),
      start: () => Promise.resolve({ type: "auth", text: "", why: "nobody is logged in; run `agent login`" }),
    });
    const { signal } = new AbortController();
    let resumed = false;
    const answer = async (ask: AskCommand): Promise<Settlement | null> => {
      if (resumed) return null;
      resumed = true;
      return answerAsk(context, {
        ask,
        outcome: "resume",
        by: { answeredBy: "file", authenticated: false, who: "test" },
      });
    };
    await drive({ ...context, agentOf }, { signal, answer });
    calls.set("not logged in", await callIn(world, ["watch", run]));
    await take();
    await resume("fixed");

    await world.repository.write({
      "mettle.yaml": `version: 1\nagents: { commands: { mine: { run: [/nowhere/agent], vendor: mine } } }\n`,
    });
    const task = ["run", "Add slugify", "--protocol", "orchestrate", "--agent", "mine"];
    calls.set("no agent to begin with", await callIn(world, task));
  });

  verifies(
    "ORC-91",
    "exits 5 with the missing part and a hint, charges nothing, and continues in the same phase",
    () => {
      expect(calls.get("agent missing")).toMatchObject({
        code: 5,
        stderr: expect.stringMatching(
          /^error\[agent_missing\]: the agent for coder cannot be used: the cassette \S+ cannot be read\nhint: give the path of a cassette: --agent scripted:FILE; then `mettle resume \w+`\n$/u,
        ),
      });
      expect(calls.get("no agent to begin with")).toMatchObject({
        code: 5,
        stderr:
          "error[agent_missing]: the agent mine for intake cannot work: /nowhere/agent is not an executable file\nhint: install it, or correct `agents.commands.mine.run` in mettle.yaml\n",
      });
      expect(calls.get("no worktree")).toMatchObject({
        code: 5,
        stderr: expect.stringMatching(
          /^error\[worktree_failed\]: no workspace could be made at \S+: ENOTDIR[^\n]*\nhint: make room for it there, then `mettle resume \w+`\n$/u,
        ),
      });
      expect(calls.get("not logged in")?.code).toBe(5);
      expect(calls.get("not logged in")?.stdout).toContain(
        "error[agent_failed]: coder: auth: nobody is logged in; run `agent login` (hint: fix it, then `mettle resume",
      );
      for (const { stdout } of [...calls.values()].slice(0, 3))
        expect(stdout).toMatch(/\[Orc\.Phase7_TDD_GREEN\] .*\[Status: in_progress\]/u);
      expect(counters.slice(0, 4).map(({ green }) => green)).toEqual(["1/5", "1/5", "1/5", "1/5"]);
      expect(counters[0]).toMatchObject({ green: "1/5", same_error: "0/2", gate2: "1/3" });
      for (const later of counters.slice(1, 4)) expect(later).toEqual(counters[0]);

      const fixed = calls.get("fixed");
      expect([fixed?.code, fixed?.stdout.trimEnd().split("\n").at(-1)]).toEqual([
        0,
        "✓ ORCHESTRATION COMPLETE",
      ]);
      expect(fixed?.stdout).toContain("[Orc.Phase7_TDD_GREEN]");
      expect(startsOf(events, "coder")).toHaveLength(2);
      expect(eventsOf(events, "gate.judged").filter(({ gate }) => gate === "green")).toHaveLength(1);
    },
  );
});
