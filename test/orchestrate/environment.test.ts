/** What is missing on the machine stops a run without a charge, says what it is, and lets it go on from where it stood. */
import { rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { waitingAsks } from "../../src/kernel/inspect.ts";
import { answerAsk } from "../../src/runtime/asks/answer.ts";
import { openRun } from "../../src/runtime/open-run.ts";
import type { RunStatus } from "../../src/views/status.ts";
import { driveWatched, untilComplete } from "./watched.ts";
import {
  createWorld,
  demoFiles,
  golden,
  willingOnly,
  type Called,
  type TurnFile,
  type World,
} from "./world.ts";

interface Pause {
  readonly called: Called;
  readonly before: RunStatus;
  readonly after: RunStatus;
}

async function statusOf(world: World, run: string): Promise<RunStatus> {
  const { runs } = (await world.cli(["status", run, "--json"])).json() as { runs: RunStatus[] };
  const [status] = runs;
  if (!status) throw new Error("the run has a status");
  return status;
}

async function pause(world: World, run: string, args: readonly string[]): Promise<Pause> {
  const before = await statusOf(world, run);
  const called = await world.cli(args);
  return { called, before, after: await statusOf(world, run) };
}

// As far as scripted agents go: nobody logs in to one of them, so ORC-91 is not cited.
describe("ORC-91, for scripted agents: a run whose machine lacks something", () => {
  let world: World;
  let workspace: Pause;
  let agent: Pause;
  let ended: Called;
  beforeAll(async () => {
    world = await createWorld();
    const cassette = await golden();
    const file = await world.agent(cassette);
    const run = await world.start(cassette, { agents: { default: file }, preapproved: ["code"] });
    await world.drive(run, willingOnly("questions"));

    // No workspace can be made where a file stands.
    const { worktrees } = world.host.home;
    await rename(worktrees, `${worktrees}.away`);
    await writeFile(worktrees, "");
    workspace = await pause(world, run, ["approve", run]);
    await rm(worktrees);
    await rename(`${worktrees}.away`, worktrees);

    await settlePause(world, run, "6 TEST_DUAL_REVIEW");
    const path = file.replace("scripted:", "");
    await rename(path, `${path}.away`);
    agent = await pause(world, run, ["resume", run]);
    await rename(`${path}.away`, path);
    ended = await world.cli(["resume", run, "--json"]);
  }, 120_000);
  afterAll(() => world.remove());

  test("stops where no workspace can be made, names the place and what to do", () => {
    expect(workspace.called.code).toBe(5);
    expect(workspace.called.stderr).toMatch(
      /^error\[worktree_failed\]: no workspace could be made at \S+: .*\nhint: make room for it there, then `mettle resume \w+`\n$/u,
    );
    expect([workspace.before.phase, workspace.after.phase]).toEqual(["4 USER_GATE_PLAN", "5 TDD_RED"]);
    expect(workspace.after.counters).toEqual(workspace.before.counters);
  });

  test("stops in Phase 7 where its agent is gone, names it and what to do", () => {
    expect(agent.called.code).toBe(5);
    expect(agent.called.stderr).toMatch(
      /^error\[agent_missing\]: the agent for coder cannot be used: the cassette \S+ cannot be read\nhint: .*`mettle resume \w+`\n$/u,
    );
    expect(agent.after.phase).toBe("7 TDD_GREEN");
    expect(agent.after.counters).toEqual(agent.before.counters);
  });

  test("goes on in the same phase when it is there again, and completes", () => {
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.json()).toMatchObject({ status: "complete", counters: agent.before.counters });
    expect(ended.stderr).toContain("[Orc.Phase7_TDD_GREEN]");
    expect(ended.stderr).not.toContain("[Orc.Phase6");
  });
});

/** Lets a paused run go on until a phase is complete, and stops it there. */
async function settlePause(world: World, run: string, phase: string): Promise<void> {
  const context = await openRun(world.host, { run });
  for (const ask of waitingAsks(context.session.state))
    await context.session.settle(ask.key, await answerAsk(context, { ask, outcome: "resume", by: aPerson }));
  const { end } = await driveWatched(world, run, { on: untilComplete(phase) });
  expect(end.type).toBe("interrupted");
}

const aPerson = { answeredBy: "file", authenticated: false, who: "a person" } as const;

describe("ORC-91, for scripted agents: a project whose test runner is gone", () => {
  let world: World;
  let missing: Pause;
  let resumed: RunStatus;
  beforeAll(async () => {
    const files = await demoFiles();
    const own = `import { expect, test } from "vitest";\nimport { words } from "../src/words.js";\ntest("words", () => expect(words("a b")).toEqual(["a", "b"]));\n`;
    world = await createWorld({
      ...files,
      ".gitignore": "node_modules\n",
      "package.json": `{ "name": "words", "type": "module", "private": true, "devDependencies": { "vitest": "*" } }\n`,
      "test/words.test.js": own,
    });
    const modules = join(world.repository.dir, "node_modules");
    await symlink(packageRoot("node_modules"), modules);
    const cassette = await golden();
    const [turn] = cassette.roles.tester;
    const text = JSON.stringify(turn)
      .replace('import assert from \\"node:assert/strict\\";\\n', "")
      .replace("node:test", "vitest")
      .replace("{ test }", "{ assert, test }")
      .replaceAll("assert.equal", "assert.strictEqual");
    const run = await world.start({
      ...cassette,
      roles: { ...cassette.roles, tester: [JSON.parse(text) as TurnFile] },
    });
    await world.drive(run, willingOnly("questions"));
    await rm(modules);
    missing = await pause(world, run, ["approve", run]);
    await symlink(packageRoot("node_modules"), modules);
    await settlePause(world, run, "5 TDD_RED");
    resumed = await statusOf(world, run);
  }, 120_000);
  afterAll(() => world.remove());

  test("stops, names the runner and how to get it, and charges nothing", () => {
    expect(missing.called.code).toBe(5);
    expect(missing.called.stderr).toMatch(
      /^error\[runner_missing\]: vitest is the project's runner, but it is not installed.*\nhint: .+\n$/u,
    );
    expect(missing.after.phase).toBe("5 TDD_RED");
    expect(missing.after.counters).toEqual(missing.before.counters);
  });

  test("goes on in the same phase when it is there again", () => {
    expect(resumed.proof).toMatchObject({ purpose: "red", verdict: "pass", exit: "0" });
    expect(resumed.counters["red"]).toBe(missing.before.counters["red"]);
  });
});
