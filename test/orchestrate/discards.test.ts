/**
 * One run whose work is refused, interrupted, timed out, reset and aborted: nothing is lost, and it never completes.
 * @module-tag ci
 */
import { openRun } from "../../src/families/open-run.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect } from "vitest";
import type { Recorded } from "../../src/log/run-event.ts";
import { answerAsk } from "../../src/engine/asks/answer.ts";
import { changeSettings } from "../../src/engine/start/change-settings.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { resetWork } from "../../src/engine/reset-work.ts";
import { callIn } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { act } from "./turns.ts";
import {
  createWorld,
  eventsOf,
  golden,
  answerAll,
  type Answer,
  type CassetteFile,
  type TurnFile,
  type World,
} from "./world.ts";

const by = { answeredBy: "file", authenticated: false, who: "a test" } as const;
const source = (name: string) => ({
  write: { path: `src/${name}.js`, content: `export const ${name} = 1;\n` },
});

/** Works, creates a marker file, and continues only when it is started again. */
function slowOnce(name: string, flag: string): Pick<TurnFile, "does"> {
  return { does: [source(name), { shell: `if [ ! -f ${flag} ]; then touch ${flag}; sleep 60; fi` }] };
}

async function cassette(flags: { readonly half: string; readonly aborted: string }): Promise<CassetteFile> {
  const { roles, ...rest } = await golden();
  return {
    ...rest,
    roles: {
      ...roles,
      coder: [
        act("GC", { say: "Done." }),
        act("GC", { say: "Done." }),
        act("GC", { shell: "rm test/slugify.test.js" }),
        {
          does: [source("rejected"), { shell: "echo '//' >> test/slugify.test.js" }],
          report: { status: "GC" },
        },
        {
          ...slowOnce("half", flags.half),
          report: { status: "BL", message: "I don't know which hash is wanted" },
        },
        { does: [source("late"), { hang: true }] },
        { ...slowOnce("aborted", flags.aborted), report: { status: "GC" } },
      ],
    },
  };
}

describe("work that is discarded", () => {
  let world: World;
  let run: string;
  let events: readonly Recorded[];
  const exits: number[] = [];

  const exit = async (): Promise<void> => void exits.push((await callIn(world, ["watch", run])).code);
  const deadline = async (ms: number): Promise<void> =>
    changeSettings(world.host, await openRun(world.host, { run }), {
      set: [`deadlines.wallMs=${ms}`],
      agents: {},
      by,
    });
  /** Drives until a file exists, then interrupts. */
  const driveUntilFile = async (file: string, answer: Answer): Promise<void> => {
    const stop = new AbortController();
    const driven = world.drive(run, answer, stop.signal);
    for (let waited = 0; !existsSync(file) && waited < 60_000; waited += 50) await pause(50);
    stop.abort();
    expect((await driven).end).toEqual({ type: "interrupted" });
  };

  beforeAll(async () => {
    world = await createWorld();
    const flags = { half: join(world.home, "half"), aborted: join(world.home, "aborted") };
    run = await world.start(await cassette(flags));
    await world.drive(run, answerAll);
    await exit();
    await driveUntilFile(flags.half, answering("context"));
    await world.drive(run, answerAll);
    await exit();
    await deadline(2500);
    await world.drive(run, answering("answer"));
    await exit();
    await deadline(60_000);
    await driveUntilFile(flags.aborted, resetting);
    await callIn(world, ["abort", run, "--reason", "enough"]);
    await exit();
    events = (await world.host.journal.read(run)).map(recorded);
  }, 180_000);

  const rescuedBy = (reason: RegExp) =>
    eventsOf(events, "work.rescued").filter((event) => reason.test(event.reason));

  verifies(
    "CORE-71",
    "half-done, rejected, reset, timed-out and aborted work is under the refs that the log names",
    async () => {
      const log = (await callIn(world, ["log", run])).stdout;
      const kinds: readonly (readonly [string, RegExp])[] = [
        ["src/half.js", /^the dispatch was interrupted$/],
        ["src/half.js", /^unfinished, the agent ended with BL: I don't know/],
        ["src/rejected.js", /^frozen: .*changed test\/slugify.test.js/],
        ["src/late.js", /^unfinished, the agent ended with TO/],
        ["src/late.js", /^reset by a person$/],
        ["src/aborted.js", /^the dispatch was interrupted$/],
      ];
      for (const [path, reason] of kinds) {
        const holding = [];
        for (const { ref } of rescuedBy(reason))
          if ((await world.repository.git("ls-tree", "-r", "--name-only", ref)).split("\n").includes(path))
            holding.push(ref);
        expect([path, holding.length]).toEqual([path, 1]);
        expect(holding[0]).toMatch(new RegExp(`^refs/mettle/rescue/${run}/`));
        expect(log).toContain(holding[0]);
      }
    },
  );

  verifies(
    "CORE-47",
    "a run is never complete where nothing changed, the base was left, work is open, or a breaker or person ended it",
    async () => {
      // Same error twice, a question, a timeout's breaker, an abort.
      expect(exits).toEqual([4, 3, 4, 1]);
      const judged = eventsOf(events, "gate.judged").filter(({ gate }) => gate === "green");
      expect(judged.map(({ verdict }) => verdict)).toEqual(["fail", "fail", "fail", "fail"]);
      expect(judged[0]?.reasons.join()).toContain("nothing changed since the tests were frozen");
      const base = await world.repository.git("rev-parse", "HEAD^{tree}");
      expect(eventsOf(events, "commit.made").filter(({ kind }) => kind === "green")[2]?.tree).toBe(base);
      expect(judged[2]?.reasons.join()).toContain("deleted test/slugify.test.js");
      expect(eventsOf(events, "run.ended")).toMatchObject([{ outcome: "halted", reason: "enough" }]);
      expect((await world.repository.git("branch", "--list", `mettle/${run}/result`)).trim()).toBe("");
    },
  );
});

function answering(outcome: string): Answer {
  return (context, ask) =>
    ask.answers.includes(outcome)
      ? answerAsk(context, { ask, outcome, text: "go on", by })
      : Promise.resolve(null);
}

const resetting: Answer = async (context, ask) => {
  const facts = await resetWork(context, { commit: context.session.view.head.red ?? "", key: ask.key });
  return { ...(await answerAsk(context, { ask, outcome: "reset", text: "", by })), facts };
};
