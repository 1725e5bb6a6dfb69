/**
 * An agent that removes its workspace, or replaces it: no one's files are taken or lost.
 * @module-tag ci
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Recorded } from "../../src/log/run-event.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { callIn } from "../cli/here.ts";
import { act } from "./turns.ts";
import { countersOf } from "./watched.ts";
import { answerNone, createWorld, eventsOf, golden, type CliResult, type World } from "./world.ts";

const draft = "a draft of a person's own\n";

describe("an agent whose workspace is gone", () => {
  let world: World;
  let run = "";
  let events: readonly Recorded[];
  const resumed: CliResult[] = [];
  beforeAll(async () => {
    world = await createWorld();
    const { dir } = world.repository;
    await mkdir(join(dir, ".claude/temp"), { recursive: true });
    await writeFile(join(dir, ".claude/temp/spec.md"), draft);
    await writeFile(join(dir, "draft.txt"), draft);
    const cassette = await golden();
    // The environment is at fault, so the same turn is played again at each resume.
    const times = join(world.home, "times");
    const shell = [
      `echo again >> '${times}'`,
      `workspace="$PWD"; times=$(wc -l < '${times}')`,
      '[ "$times" -gt 3 ] && exit 0',
      'cd / && rm -rf "$workspace"',
      `[ "$times" -eq 2 ] && ln -s '${dir}' "$workspace"`,
      '[ "$times" -eq 3 ] && echo hello > "$workspace"',
      "exit 0",
    ].join("\n");
    const [asks = act("BL"), ...rest] = cassette.roles.intake;
    const intake = [{ ...asks, does: [{ say: "I tidy up." }, { shell }] }, ...rest];
    run = await world.start({ ...cassette, roles: { ...cassette.roles, intake } });
    await world.drive(run, answerNone);
    for (let time = 0; time < 3; time += 1) resumed.push(await callIn(world, ["resume", run]));
    events = (await world.host.journal.read(run)).map(recorded);
  });

  test("stops the run with exit 5 and reports what happened, until it leaves its workspace alone", () => {
    const place = join(world.host.home.worktrees, run, "main-intake");
    const hint = `hint: \`mettle resume ${run}\` starts its agent again in a new workspace\n`;
    const error = `error[worktree_failed]: intake: the workspace ${place} is no folder any more\n${hint}`;
    expect(resumed.map(({ code, stderr }) => [code, stderr])).toEqual([
      [5, error],
      [5, error],
      [3, ""],
    ]);
    const stops = eventsOf(events, "warned").flatMap(({ stopped }) => stopped?.message ?? []);
    expect(stops[0]).toBe(`intake: the workspace ${place} is gone`);
    expect(eventsOf(events, "result").map(({ key, outcome }) => `${key} ${outcome}`)).toEqual([
      "intake#1 inconclusive",
      "paused#1 resume",
      "intake#2 inconclusive",
      "paused#2 resume",
      "intake#3 inconclusive",
      "paused#3 resume",
      "intake#4 QUESTIONS",
      "topics_check#1 pass",
    ]);
    expect(countersOf(events)).toMatchObject({ documents: "1/5" });
    // Its output and cost are reported all the same.
    expect(eventsOf(events, "agent.said").map(({ key }) => key)).toEqual(
      [1, 2, 3, 4].map((time) => `intake#${time}`),
    );
  });

  test("is not followed into the main checkout, whose files are neither taken as its work nor removed", async () => {
    const { git } = world.repository;
    expect(await git("status", "--porcelain")).toBe("?? draft.txt");
    expect(await git("rev-parse", "--show-toplevel")).toBe(world.repository.dir);
    expect(await git("for-each-ref", "refs/mettle/")).toBe("");
    expect(eventsOf(events, "document.written")).toEqual([]);
  });
});
