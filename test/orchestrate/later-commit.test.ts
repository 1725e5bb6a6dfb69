/**
 * A record is valid only for its own tree: later commits of the run and of others, and uncommitted fixes (CORE-44).
 * @module-tag ci
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import type { Recorded } from "../../src/log/run-event.ts";
import { readRecord } from "../../src/run/blocks.ts";
import { callIn } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { act, reviews, slugify } from "./turns.ts";
import { driveWatched } from "./watched.ts";
import {
  createWorld,
  eventsOf,
  golden,
  answerAll,
  answerOnly,
  type CliResult,
  type CassetteFile,
  type DriveResult,
  type World,
} from "./world.ts";

const name = "src/slugify.js";
const harm = `${slugify.right}\nprocess.exitCode = 0;\n`;

interface RunSnapshot {
  readonly line: string | null;
  readonly unverified: readonly string[];
  readonly verified: CliResult;
}

describe("a commit after the proof", () => {
  let world: World;
  let run = "";
  let proven: RunSnapshot;
  let reworked: RunSnapshot;
  let refused: DriveResult;
  let again: RunSnapshot;
  let moved: RunSnapshot;
  let resumed: CliResult;
  let approved: CliResult;
  let movedBack: RunSnapshot;
  let complete: RunSnapshot;
  let added: RunSnapshot;
  let landed: CliResult;
  let kept = "";
  let firstGreen = "";
  let secondGreen = "";
  let wrong = "";
  let foreign = "";
  beforeAll(async () => {
    world = await createWorld();
    run = await world.start(await cassette());
    const review = await driveWatched(world, run, {
      on: (event) => (event.type === "head.moved" && event.kind === "green" ? "stop" : undefined),
    });
    firstGreen = greenOf(review.events);
    proven = await stand();
    const { events } = await driveWatched(world, run, {
      on: (event) => (isGreenCommit(event) ? "stop" : undefined),
    });
    wrong = eventsOf(events, "commit.made").at(-1)?.commit ?? "";
    reworked = await stand();
    // The newest commit is wrong. The right code is uncommitted in the agent's workspace and in the main checkout.
    await writeUncommitted(join(world.host.home.worktrees, run, "main-coder", name));
    await writeUncommitted(join(world.repository.dir, name));
    refused = await driveWatched(world, run, { on: (event) => (isGreenCommit(event) ? "stop" : undefined) });
    await world.repository.git("clean", "-fdq", "src");
    const waiting = await world.drive(run, answerOnly("questions", "user_gate_plan"));
    secondGreen = greenOf(waiting.events);
    again = await stand();

    foreign = await commitOn(secondGreen);
    await moveTo("work", foreign);
    moved = await stand();
    resumed = await callIn(world, ["resume", run]);
    approved = await callIn(world, ["approve", run]);
    await moveTo("work", secondGreen);
    movedBack = await stand();
    await world.drive(run, answerAll);
    complete = await stand();
    await moveTo("result", foreign);
    added = await stand();
    landed = await callIn(world, ["land", run]);
    await callIn(world, ["resume", run]);
    kept = await world.repository.git("rev-parse", `mettle/${run}/result`);
  });

  async function stand(): Promise<RunSnapshot> {
    const status = (await callIn(world, ["status", run, "--json"])).json() as {
      runs: { state_line: string | null; unverified: string[] }[];
    };
    const [{ state_line: line, unverified } = { state_line: "", unverified: [] }] = status.runs;
    return { line, unverified, verified: await callIn(world, ["verify", run, "--json"]) };
  }

  async function writeUncommitted(file: string): Promise<void> {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, slugify.right);
  }

  /** As a person who has the branch checked out. */
  async function commitOn(parent: string): Promise<string> {
    const file = join(world.home, "harm.js");
    await writeFile(file, harm);
    const { git } = world.repository;
    const blob = await git("hash-object", "-w", file);
    await git("read-tree", parent);
    await git("update-index", "--add", "--cacheinfo", `100644,${blob},${name}`);
    const tree = await git("write-tree");
    await git("read-tree", "HEAD");
    return git("commit-tree", tree, "-p", parent, "-m", "One more thing");
  }

  const moveTo = (branch: string, commit: string) =>
    world.repository.git("update-ref", `refs/heads/mettle/${run}/${branch}`, commit);

  verifies("CORE-44", "makes the phase unproven until the gate has run on it", async () => {
    const shown = ({ line, unverified, verified }: RunSnapshot) => [
      unverified,
      /Exit: \w+/u.exec(line ?? "")?.[0],
      verified.code,
    ];
    const short = (commit: string) => commit.slice(0, 12);
    expect(proven.unverified).toEqual([]);
    expect(shown(reworked)).toEqual([
      [
        `UNVERIFIED work: commit ${short(wrong)}`,
        `UNPROVEN 7 TDD_GREEN: the proof is of commit ${short(firstGreen)}, and a later one follows it`,
      ],
      "Exit: PENDING",
      0,
    ]);
    expect(again.unverified).toEqual([]);
    expect(again.verified.code).toBe(0);
    expect(secondGreen).not.toBe(firstGreen);

    const unproven = `UNPROVEN 7 TDD_GREEN, 8 CODE_DUAL_REVIEW: the proof is of commit ${short(secondGreen)}, and a later one follows it`;
    const work = `UNVERIFIED work: commit ${short(foreign)} on mettle/${run}/work`;
    expect(shown(moved)).toEqual([[work, unproven], "Exit: PENDING", 1]);
    expect(moved.verified.json()).toMatchObject({
      verdict: "fail",
      phase: "7 TDD_GREEN",
      why: `mettle/${run}/work holds commit ${foreign}, on which no gate has run`,
    });
    // The question to the person shows it too, and the answer is refused.
    expect(resumed.code).toBe(3);
    for (const part of ["UNVERIFIED: there is no record with exit 0 for the current tree", work, unproven])
      expect(resumed.stdout).toContain(part);
    expect(resumed.stdout).not.toContain("Exec: PROVEN");
    expect([approved.code, approved.stderr.split(":")[0]]).toEqual([1, "error[approval_stale]"]);
    expect(movedBack.unverified).toEqual([]);
    expect(movedBack.verified.code).toBe(0);

    expect([complete.unverified, complete.verified.code]).toEqual([[], 0]);
    expect(shown(added)).toEqual([
      [
        `UNPROVEN 7 TDD_GREEN, 8 CODE_DUAL_REVIEW, 9 USER_GATE_CODE, 10 SUMMARY: the proof is of commit ${short(secondGreen)}, and a later one follows it`,
      ],
      // The run has ended, so there is no state line.
      undefined,
      1,
    ]);
    expect([landed.code, landed.stderr.split(":")[0]]).toEqual([1, "error[land_refused]"]);
    // It is a person's work, and no command removes it.
    expect(kept).toBe(foreign);
  });

  verifies("CORE-44", "is proved in a clean checkout, where an uncommitted fix does not help", async () => {
    const judged = eventsOf(refused.events, "gate.judged").findLast(({ gate }) => gate === "green");
    expect(judged).toMatchObject({ key: "green_check#2", verdict: "fail" });
    expect(judged?.reasons.join()).toContain("EC2 drops separators at both ends");
    const tests = eventsOf(refused.events, "record.written").findLast(
      ({ purpose }) => purpose === "green.tests",
    );
    expect(tests?.commit).toBe(wrong);
    const record = await readRecord(refused.context, tests?.id ?? "");
    const { worktrees } = world.host.home;
    expect(record?.cwd.startsWith(`${worktrees}/proof.`)).toBe(true);
    expect(record?.tests.filter(({ status }) => status === "failed").map(({ id }) => id)).toEqual([
      "test/slugify.test.js::EC2 drops separators at both ends",
      "test/slugify.test.js::ERR1 refuses anything but a string",
    ]);
  });
});

function isGreenCommit(event: Recorded): boolean {
  return event.type === "commit.made" && event.kind === "green";
}

function greenOf(events: readonly Recorded[]): string {
  return eventsOf(events, "head.moved").findLast(({ kind }) => kind === "green")?.commit ?? "";
}

/** The second reviewer of the code rejects passing code; the coder's next attempt is worse, the one after it right. */
async function cassette(): Promise<CassetteFile> {
  const { roles, ...rest } = await golden();
  const needs = [
    "VERDICT: NEEDS_WORK",
    "EXIT_CODE: 0",
    "CRITICAL_ISSUES:",
    "- say what it does",
    "WARNINGS: none",
    "SUGGESTIONS: none",
  ].join("\n");
  const [plan = {}, tests = {}, code = {}] = roles.claude;
  const gemini = roles.gemini.at(-1) ?? {};
  return {
    ...rest,
    roles: {
      ...roles,
      coder: [slugify.right, slugify.careless, `/** Says what it does. */\n${slugify.right}`].map((content) =>
        act("GC", { write: { [name]: content } }),
      ),
      gemini: [...roles.gemini, gemini],
      claude: [plan, tests, reviews("code-review.md", "NEEDS_WORK", needs), code],
    },
  };
}
