/** kill -9 at the journal's appends of a tree, then resume: the same end, nothing twice, nothing lost (V3-92). */
import { beforeAll, describe, expect, test } from "vitest";
import {
  countAppends,
  deep,
  killAndResume,
  makeKiller,
  pointsOfRuns,
  type Killer,
  type Point,
} from "../durability/killer.ts";
import { eventsOf, type DriveResult, type World } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { wide } from "../wide.ts";
import { endState, expectOnce, type EndState } from "./end-state.ts";
import { createTreeWorld, demoCassette, demoSpec, runGraph, rolesOf } from "./world.ts";

describe.skipIf(!wide)("kill -9 at an append of a tree, then resume", () => {
  let world: World;
  let killer: Killer;
  let whole: EndState;
  let undisturbed: DriveResult;
  let appends: number;

  async function start(): Promise<string> {
    const cassette = (await demoCassette()) as unknown as Parameters<World["start"]>[0];
    const spec = { spec: await demoSpec(), file: null };
    return world.start(cassette, { task: "A receipt", protocol: "graph", spec });
  }

  beforeAll(async () => {
    world = await createTreeWorld();
    killer = await makeKiller();
    const run = await start();
    appends = await countAppends(killer, world, run);
    undisturbed = await world.drive(run);
    whole = await endState(world, undisturbed);
  }, 240_000);

  test("the undisturbed tree is complete, and one child adapted to the other", () => {
    expect([whole.outcome, whole.merged, whole.broadcasts, appends > 40]).toEqual([
      "complete",
      ["receipt", "receipt--money", "receipt--parse"],
      [1, 0],
      true,
    ]);
  });

  async function killedAndResumed(points: readonly Point[]): Promise<void> {
    const { driven, about } = await killAndResume(killer, world, await start(), points);
    expect(await endState(world, driven), about).toEqual(whole);
    expectOnce(driven, about);
  }

  /** The history of one node, its gates and commands. */
  function storyOf({ events }: DriveResult, node: string): readonly string[] {
    return eventsOf(events, "command.issued").flatMap(({ command }) => {
      const { path, type, state } = command as {
        readonly path: string;
        readonly type: string;
        readonly state: string;
      };
      return path.includes(`/${node}/`) && type !== "rebase" ? [state] : [];
    });
  }

  verifies(
    "V3-92",
    "reaches the same end from a sample of points in one run, or from each point in the deep suite; a killed child's agent is restarted, and its sibling is not affected",
    async () => {
      for (const points of pointsOfRuns(appends, 4)) await killedAndResumed(points);

      const cassette = await demoCassette();
      const { tdd = [] } = rolesOf(cassette, "receipt--money");
      tdd.unshift({ does: [{ crash: "SIGKILL" }] });
      const crashed = await runGraph(world, { cassette });
      expect((await endState(world, crashed)).resultTree).toBe(whole.resultTree);
      expect(storyOf(crashed, "parse")).toEqual(storyOf(undisturbed, "parse"));
      expect(storyOf(crashed, "money").filter((state) => state === "write_tests")).toHaveLength(2);
    },
    deep ? 14_400_000 : 300_000,
  );
});
