/** Three waiting runs of one repository, started in the three ways, with the built program. */
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import type { RunStatus } from "../../src/views/run/status.ts";
import { callIn } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { act } from "./turns.ts";
import { createWorld, untestedFiles, golden, type CliResult, type TurnFile, type World } from "./world.ts";
import { runAsPerson } from "../support/as-person.ts";

const task = "Build a login page";

describe("three runs that wait for a person", () => {
  let world: World;
  let refused: readonly CliResult[];
  let before: RunStatus[];
  let started: readonly CliResult[];
  let status: RunStatus[];
  let text = "";
  let notified: readonly Record<string, unknown>[];
  beforeAll(async () => {
    const files = await untestedFiles();
    world = await createWorld({ ...files, ".gitignore": "mettle.yaml\n" });
    const told = join(world.home, "told.jsonl");
    await world.repository.write({
      // The third call fails.
      "mettle.yaml": `version: 1\nnotify: { command: "cat >> ${told}; test $(wc -l < ${told}) -lt 3" }\n`,
    });
    const asks = await cassette(world);
    const wonders = await cassette(world, act("BL", { message: "I don't know what a login page is" }));
    const breaks = await cassette(world, { does: [{ crash: 3 }] });

    refused = [
      await callIn(world, ["run", "@orchestrate", "--agent", asks]),
      await callIn(world, ["run", "@orchestrate x", "--protocol", "riper", "--agent", asks]),
      await callIn(world, ["run", `what does @orchestrate do?`, "--agent", asks]),
    ];
    before = await statusOf(world);
    started = [
      await callIn(world, ["run", `@orchestrate "${task}"`, "--json", "--agent", asks]),
      await callIn(world, ["run", `/orchestrate "${task}"`, "--json", "--agent", wonders]),
      await callIn(world, ["run", task, "--protocol", "orchestrate", "--json", "--agent", breaks]),
    ];
    // A continued wait is no new wait.
    await callIn(world, ["resume", String(started[0]?.json()["run"])]);
    status = await statusOf(world);
    text = (await callIn(world, ["status"])).stdout;
    notified = (await readFile(told, "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  });

  verifies("ORC-01", "the two keywords and --protocol start the same run", () => {
    const runs = started.map((called) => {
      const { protocol, task: given, phase, state_line } = called.json();
      return { protocol, task: given, phase, state: String(state_line).split(" ")[0] };
    });
    const one = { protocol: "orchestrate", task, phase: "1 INTAKE", state: "[Orc.Phase1_INTAKE]" };
    expect(runs).toEqual([one, one, one]);
  });

  // The driver's half of ORC-02, 03 and 05; the sessions' half is tested with the hooks.
  test("nothing starts without a task, with two protocols, or if the keyword does not begin a line", () => {
    expect(refused.map(({ code, stderr }) => [code, stderr.split(":")[0]])).toEqual([
      [2, "error[empty_task]"],
      [2, "error[protocol_conflict]"],
      [2, "error[usage]"],
    ]);
    expect(refused[2]?.stderr).toContain("hint: begin a line with @orchestrate or /orchestrate to start\n");
    expect(before).toEqual([]);
  });

  verifies(
    "CORE-74",
    "status lists waiting runs with commands that work as printed, and each wait notifies once",
    async () => {
      const [first, second, third] = status;
      expect(status.map(({ waiting }) => waiting.map(({ kind, commands }) => ({ kind, commands })))).toEqual([
        [
          {
            kind: "questions",
            commands: [`mettle answer ${first?.run} Q1="…" Q2="…" Q3="…" Q4="…" Q5="…"`],
          },
        ],
        [{ kind: "question", commands: [`mettle answer ${second?.run} "…"`] }],
        [
          {
            kind: "breaker",
            commands: [
              expect.stringContaining(`mettle resume ${third?.run} --reset `),
              `mettle resume ${third?.run} --context "…"`,
              `mettle resume ${third?.run} --approach "…"`,
              `mettle abort ${third?.run}`,
            ],
          },
        ],
      ]);
      for (const { waiting } of status)
        for (const command of waiting[0]?.commands ?? []) expect(text).toContain(command);

      expect(notified).toEqual(
        status.map(({ run, waiting }) => ({
          version: 1,
          run,
          task,
          kind: waiting[0]?.kind,
          text: waiting[0]?.text,
          commands: waiting[0]?.commands,
        })),
      );
      // The third notification failed, and its run is not affected.
      expect(started.map(({ code }) => code)).toEqual([3, 3, 4]);
      expect(status.map(({ warnings }) => warnings)).toEqual([
        [],
        [],
        ["notify.command failed: exit code 1"],
      ]);

      const copied = [
        first?.waiting[0]?.commands[0],
        second?.waiting[0]?.commands[0],
        third?.waiting[0]?.commands[1],
      ];
      const after = await Promise.all(copied.map((command) => runInShell(world, command ?? "")));
      expect(after).toEqual([3, 3, 3]);
      expect((await statusOf(world)).map(({ waiting }) => waiting[0]?.kind)).toEqual([
        "plan",
        "questions",
        "questions",
      ]);
    },
  );
});

/** The golden cassette with another first turn of the analyst. */
async function cassette(world: World, ...turns: readonly TurnFile[]): Promise<string> {
  const { roles, ...rest } = await golden();
  return world.agent({ ...rest, roles: { ...roles, intake: [...turns, ...roles.intake] } });
}

async function statusOf(world: World): Promise<RunStatus[]> {
  return (await callIn(world, ["status", "--json"])).json()["runs"] as RunStatus[];
}

/** Types a command into a shell, as a person would, and returns its exit code. */
async function runInShell(world: World, command: string): Promise<number | null> {
  // A separate folder, because a program that is being written cannot be started by another call.
  const folder = await mkdtemp(join(world.home, "bin-"));
  await writeFile(
    join(folder, "mettle"),
    `#!/bin/sh\nexec ${process.execPath} ${packageRoot("dist/bin/mettle.js")} "$@"\n`,
    { mode: 0o755 },
  );
  const env = { ...world.env, PATH: `${folder}:${process.env["PATH"] ?? ""}` };
  const ran = await runAsPerson("/bin/sh", ["-c", command], {
    cwd: world.repository.dir,
    env,
    timeoutMs: 60_000,
  });
  return ran.exitCode;
}
