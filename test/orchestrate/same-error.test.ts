/**
 * Failures that repeat, that shrink, that the machine causes, and that the code hides by ending its process.
 * @module-tag ci
 */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect } from "vitest";
import type { Recorded } from "../../src/log/run-event.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { answerAsk } from "../../src/engine/asks/answer.ts";
import { callIn } from "../cli/here.ts";
import { verifies, verifiesWhen } from "../verifies.ts";
import { act, slugify } from "./turns.ts";
import { countersOf, driveWatched, startsOf, untilComplete } from "./watched.ts";
import {
  createWorld,
  untestedFiles,
  eventsOf,
  golden,
  answerAll,
  type Answer,
  type CassetteFile,
  type DriveResult,
  type World,
} from "./world.ts";

/** Fails FR1, FR2, EC2 and ERR1. */
const four = `import { words } from "./words.js";

export const slugify = (text) => words(String(text)).join("-");
`;
/** Fails FR1, FR2 and EC2, with the same message. */
const three = `import { words } from "./words.js";

export function slugify(text) {
  if (typeof text !== "string") throw new TypeError("slugify takes a string");
  return words(text).join("-");
}
`;

async function cassette(): Promise<CassetteFile> {
  const { roles, ...rest } = await golden();
  const sources = [`process.exit(0);\n${slugify.right}`, four, three, `// again\n\n${three}`, slugify.right];
  return {
    ...rest,
    roles: { ...roles, coder: sources.map((source) => act("GC", { write: { "src/slugify.js": source } })) },
  };
}

/** A folder in which nothing can be created, because a file is in its place. */
function breakFolder(path: string): () => void {
  renameSync(path, `${path}.away`);
  writeFileSync(path, "");
  return () => {
    rmSync(path);
    renameSync(`${path}.away`, path);
  };
}

const canMount =
  spawnSync("unshare", ["-rm", "sh", "-c", "mount -t tmpfs -o size=128k none /mnt"]).status === 0;

describe("failures that repeat", () => {
  let world: World;
  let run: string;
  let paused: DriveResult;
  let pausedExit: number;
  let driven: DriveResult;
  let events: readonly Recorded[];
  beforeAll(async () => {
    // Two test files: the output of their two processes exceeds the small disk below.
    world = await createWorld({ ...(await untestedFiles()), "test/helper.js": "export {};\n" });
    run = await world.start(await cassette());
    let mend = (): void => undefined;
    paused = await driveWatched(world, run, {
      on: (event) => {
        if (event.type === "commit.made" && event.key === "green#3")
          mend = breakFolder(world.host.home.worktrees);
      },
    });
    pausedExit = (await callIn(world, ["watch", run])).code;
    mend();
    driven = await world.drive(run, resuming());
    events = driven.events;
  }, 180_000);

  const outcomes = (all: readonly Recorded[]) =>
    eventsOf(all, "result")
      .filter(({ key }) => key.startsWith("green_check"))
      .map(({ key, outcome }) => `${key} ${outcome}`);

  verifies(
    "ORC-72",
    "the same failing tests twice in a row stop the run; a shrinking set and a failure of the machine do not",
    () => {
      expect(outcomes(events)).toEqual([
        "green_check#1 fail",
        "green_check#2 fail",
        "green_check#3 inconclusive",
        "green_check#4 fail",
        "green_check#5 fail",
      ]);
      const signatures = eventsOf(events, "result").flatMap(({ signature }) => signature ?? []);
      expect(new Set(signatures).size).toBe(3);
      expect(signatures[3]).toBe(signatures[2]);
      const messages = eventsOf(events, "record.written").filter(({ purpose }) => purpose === "green");
      expect(messages.map(({ failing }) => failing.length)).toEqual([0, 4, 0, 3, 3]);
      expect(eventsOf(events, "breaker.tripped")).toMatchObject([
        { trigger: "Same error twice", attempts: 2, max: 2 },
      ]);
      expect(driven.end).toMatchObject({ type: "waiting", asks: [{ state: "repeated", as: "escalated" }] });
      expect(startsOf(events, "coder").length).toBe(4);
      const { text } = eventsOf(events, "ask.shown").at(-1) ?? { text: "" };
      for (const option of ["--reset", "--context", "--approach"])
        expect(text).toContain(`mettle resume ${run} ${option}`);
      expect(text).toContain("FR1 makes letters lower case");
    },
  );

  verifiesWhen(
    canMount,
    "a small file system cannot be mounted here",
    "CORE-14",
    "a check that fails by the machine pauses with exit 5 and is repeated alone; code that ends its process fails",
    { timeout: 60_000 },
    async () => {
      expect([pausedExit, paused.end]).toMatchObject([
        5,
        { type: "waiting", asks: [{ as: "inconclusive" }] },
      ]);
      expect(countersOf(paused.events)).toMatchObject({ green: "3/5", same_error: "1/2" });
      expect(eventsOf(paused.events, "ask.shown").at(-1)?.text).toContain("worktree_failed");
      const [early] = eventsOf(events, "gate.judged").filter(({ gate }) => gate === "green");
      expect(early?.reasons.join()).toContain(
        "early_exit: the code ends the process before its tests report",
      );
      const second = eventsOf(events, "command.issued").find(({ key }) => key === "green#2")?.command;
      expect(second).toMatchObject({ counters: { green: { value: 2, limit: 5 } } });

      await driveWatched(world, run, {
        answer: more,
        on: (event) => (event.type === "commit.made" && event.key === "green#5" ? "stop" : undefined),
      });
      const { worktrees } = world.host.home;
      const resumed = spawnSync(
        "unshare",
        [
          "-rm",
          "sh",
          "-c",
          `mount -t tmpfs -o size=128k none '${worktrees}' && exec '${process.execPath}' '${packageRoot("dist/bin/mettle.js")}' resume ${run}`,
        ],
        {
          cwd: world.repository.dir,
          env: world.env,
          encoding: "utf8",
        },
      );
      expect([resumed.status, /ENOSPC|no space left/i.test(resumed.stdout)]).toEqual([5, true]);
      const mended = await driveWatched(world, run, { answer: resuming(), on: untilComplete("7 TDD_GREEN") });
      expect(outcomes(mended.events).slice(-2)).toEqual(["green_check#6 inconclusive", "green_check#7 pass"]);
      expect(startsOf(mended.events, "coder").length).toBe(5);
    },
  );
});

const by = { answeredBy: "file", authenticated: false, who: "a test" } as const;

/** Resumes three times: if the check still cannot be judged, the machine is not at fault. */
function resuming(): Answer {
  let left = 3;
  return (context, ask) => {
    if (ask.as === "inconclusive" && left-- > 0) return answerAsk(context, { ask, outcome: "resume", by });
    const isForPerson = ask.as === "inconclusive" || ask.as === "escalated";
    return isForPerson ? Promise.resolve(null) : answerAll(context, ask);
  };
}

const more: Answer = (context, ask) =>
  answerAsk(context, { ask, outcome: "context", text: "lower case", by });
