/**
 * kill -9 at the journal's appends, then resume: the same end, nothing twice, nothing lost (CORE-93).
 * @module-tag ci
 */
import { beforeAll, describe, expect, test } from "vitest";
import { verifies } from "../verifies.ts";
import { createWorld, eventsOf, golden, type DriveResult, type World } from "../orchestrate/world.ts";
import { makeKiller, type Killer } from "./killer.ts";

/** What must be equal however often the run was killed. */
interface EndState {
  readonly outcome: string;
  readonly resultTree: string;
  readonly subjects: readonly string[];
  readonly questions: readonly string[];
  readonly phases: readonly string[];
  readonly documents: Readonly<Record<string, string>>;
}

async function endState(world: World, { run, context, events }: DriveResult): Promise<EndState> {
  const result = `refs/heads/mettle/${run}/result`;
  const log = await world.repository.git("log", "--reverse", "--format=%s", `main..${result}`);
  return {
    outcome: context.session.view.ended?.outcome ?? "none",
    resultTree: await world.repository.git("rev-parse", `${result}^{tree}`),
    subjects: log.split("\n"),
    questions: eventsOf(events, "questions.asked").flatMap(({ questions }) => questions.map(({ id }) => id)),
    phases: eventsOf(events, "phase.completed").map(({ phase }) => phase),
    documents: Object.fromEntries(
      Object.entries(context.session.view.documents).flatMap(([name, { ref }]) =>
        name === "test-output" ? [] : [[name, ref]],
      ),
    ),
  };
}

describe("kill -9 at an append, then resume", () => {
  let world: World;
  let killer: Killer;
  let whole: EndState;
  let appends: number;

  beforeAll(async () => {
    world = await createWorld();
    killer = await makeKiller();
    const run = await world.start(await golden());
    const ran = await killer.drive({
      repository: world.repository.dir,
      home: world.home,
      run,
      at: 0,
      when: "after",
    });
    expect(ran.exitCode, ran.stderr.toString()).toBe(0);
    const told = JSON.parse(ran.stdout.toString()) as { appends: number };
    appends = told.appends;
    whole = await endState(world, await world.drive(run));
  });

  test("the uninterrupted run is complete and has a result", () => {
    expect(whole.outcome).toBe("complete");
    expect(whole.subjects).toHaveLength(2);
    expect(whole.phases).toHaveLength(10);
  });

  /** One run, whose process is killed at each of these points in turn: each resumed where the one before it died. */
  async function killedAndResumed(points: readonly Point[]): Promise<void> {
    const run = await world.start(await golden());
    const about = points.map(({ at, when }) => `${when} append ${at}`).join(", then ");
    for (const { at, when } of points) {
      const ran = await killer.drive({ repository: world.repository.dir, home: world.home, run, at, when });
      expect(ran.signal, `${about}: ${ran.stderr.toString()}`).toBe("SIGKILL");
    }
    const claim = await world.host.journal.claim(run, world.host.me);
    const driven = await world.drive(run);
    await claim.release();
    expect(await endState(world, driven), about).toEqual(whole);
    const commits = eventsOf(driven.events, "commit.made").map(({ key }) => key);
    expect(new Set(commits).size, `commits of ${about}`).toBe(commits.length);
    const shown = eventsOf(driven.events, "ask.shown").map(({ key }) => key);
    expect(new Set(shown).size, `asks of ${about}`).toBe(shown.length);
  }

  const deep = process.env["METTLE_DEEP"] !== undefined;
  verifies(
    "CORE-93",
    "reaches the same end state from a sample of points in one run, or from each point in the deep suite",
    async () => {
      const runs = deep ? all(appends).map((point) => [point]) : [sample(appends)];
      for (const points of runs) await killedAndResumed(points);
    },
    deep ? 7_200_000 : 180_000,
  );
});

interface Point {
  readonly at: number;
  readonly when: "before" | "after";
}

function all(appends: number): readonly Point[] {
  const numbers = Array.from({ length: appends }, (_, index) => index + 1);
  return numbers.flatMap((at) => [{ at, when: "before" } as const, { at, when: "after" } as const]);
}

/**
 * Three points spread over the run, other ones each day, so that the suite walks over all of them in time. Each is counted
 * from the point before it, where the process began that dies there.
 */
function sample(appends: number): readonly Point[] {
  const day = Math.floor(Date.now() / 86_400_000);
  const step = Math.floor(appends / 3);
  const first = 1 + (day % step);
  return [
    { at: first, when: "before" },
    { at: step, when: "after" },
    { at: step, when: "before" },
  ];
}
