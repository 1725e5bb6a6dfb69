/**
 * kill -9 at the journal's appends, then resume: the same end, nothing twice, nothing lost (CORE-93).
 * @module-tag ci
 */
import { beforeAll, describe, expect, test } from "vitest";
import { verifies } from "../verifies.ts";
import { createWorld, eventsOf, golden, type DriveResult, type World } from "../orchestrate/world.ts";
import {
  countAppends,
  deep,
  killAndResume,
  makeKiller,
  pointsOfRuns,
  type Killer,
  type Point,
} from "./killer.ts";

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
    appends = await countAppends(killer, world, run);
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
    const { driven, about } = await killAndResume(killer, world, run, points);
    expect(await endState(world, driven), about).toEqual(whole);
    const commits = eventsOf(driven.events, "commit.made").map(({ key }) => key);
    expect(new Set(commits).size, `commits of ${about}`).toBe(commits.length);
    const shown = eventsOf(driven.events, "ask.shown").map(({ key }) => key);
    expect(new Set(shown).size, `asks of ${about}`).toBe(shown.length);
  }

  verifies(
    "CORE-93",
    "reaches the same end state from a sample of points in one run, or from each point in the deep suite",
    async () => {
      for (const points of pointsOfRuns(appends)) await killedAndResumed(points);
    },
    deep ? 7_200_000 : 180_000,
  );
});
