/** kill -9 at the journal's appends of a run of riper, then resume: nothing twice, nothing lost (TDP-78, CORE-93). */
import { beforeAll, describe, expect, test } from "vitest";
import { createCyclesWorld, dispatchLines, observations, oneCycle, twoCycles } from "../cycles/world.ts";
import { openStore } from "../../src/families/cycles/store.ts";
import { eventsOf, type CassetteFile, type DriveResult, type World } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { wide } from "../wide.ts";
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
  readonly lines: readonly string[];
  readonly observed: readonly string[];
  readonly stored: readonly string[];
  readonly verdicts: readonly string[];
  readonly frames: unknown;
}

async function endState(world: World, { run, context, events }: DriveResult): Promise<EndState> {
  const result = `refs/heads/mettle/${run}/result`;
  const log = await world.repository.git("log", "--reverse", "--format=%s", `main..${result}`);
  const store = await openStore(context);
  const sids = eventsOf(events, "session.opened").map(({ session }) => session);
  const pages = await Promise.all(
    sids.map((session) => store.query({ session, round: null, agent: null, at: null })),
  );
  await store.close();
  const own = (text: string): string => text.replaceAll(/\(\w+\/\d+/gu, "({record}");
  const { main } = context.session.state.frames;
  return {
    outcome: context.session.view.ended?.outcome ?? "none",
    resultTree: await world.repository.git("rev-parse", `${result}^{tree}`),
    subjects: log.split("\n"),
    lines: dispatchLines(events),
    observed: observations(events).map(own),
    stored: pages.flat().map(({ round, agent, content }) => own(`R${round} ${agent}: ${content}`)),
    verdicts: eventsOf(events, "gate.judged").map(({ gate, verdict }) => `${gate} ${verdict}`),
    frames: main === undefined ? null : { facts: main.facts, counters: main.counters, round: main.round },
  };
}

// In the suite of each day kill.test.ts is the sample: a run of Orchestrate dies by the same journal.
describe.skipIf(!wide)("kill -9 at an append of riper, then resume", () => {
  let world: World;
  let killer: Killer;
  let whole: EndState;
  let appends: number;

  async function start(): Promise<string> {
    const cassette = await (deep ? twoCycles() : oneCycle());
    return world.start(cassette as unknown as CassetteFile, { protocol: "riper" });
  }

  beforeAll(async () => {
    world = await createCyclesWorld();
    killer = await makeKiller();
    const run = await start();
    appends = await countAppends(killer, world, run);
    whole = await endState(world, await world.drive(run));
  });

  test("the run that nobody disturbs is complete", () => {
    expect([whole.outcome, whole.stored.length > 8, appends > 30]).toEqual(["complete", true, true]);
    expect(whole.stored.toSorted()).toEqual(whole.observed.toSorted());
  });

  /** One run, whose process is killed at each of these points in turn: each resumed where the one before it died. */
  async function killedAndResumed(points: readonly Point[]): Promise<void> {
    const { driven, about } = await killAndResume(killer, world, await start(), points);
    expect(await endState(world, driven), about).toEqual(whole);
    for (const type of ["commit.made", "command.issued", "result"] as const) {
      const keys = eventsOf(driven.events, type).map(({ key }) => key);
      expect(new Set(keys).size, `${type} of ${about}`).toBe(keys.length);
    }
  }

  verifies(
    ["TDP-78", "CORE-93"],
    "reaches the same end from a sample of points in one run, or from each point in the deep suite",
    async () => {
      for (const points of pointsOfRuns(appends)) await killedAndResumed(points);
    },
    deep ? 7_200_000 : 180_000,
  );
});
