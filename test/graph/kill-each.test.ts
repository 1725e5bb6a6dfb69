/**
 * kill -9 at every append of a tree of twelve nodes with one conflict (V3-92): one run whose driver dies after each
 * append, and one whose driver dies before each. `METTLE_DEEP=1`; takes half an hour.
 */
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { RunResult } from "../../src/process/run.ts";
import { verifyRun } from "../../src/verify/verify-run.ts";
import { makeKiller, type Killer } from "../durability/killer.ts";
import { eventsOf, type DriveResult, type World } from "../orchestrate/world.ts";
import { newFolder } from "../support/folder.ts";
import { endState, expectOnce, type EndState } from "./end-state.ts";
import { shopOfAll, twelve, twelveFiles, twelveSpec } from "./twelve.ts";
import { createTreeWorld, logText } from "./world.ts";

const isDeep = process.env["METTLE_DEEP"] !== undefined;
const maxDeaths = 3000;
/** Runs that die once. */
const alone = 12;

describe.skipIf(!isDeep)("kill -9 at every append of a tree", () => {
  let world: World;
  let killer: Killer;
  let folder: string;
  let whole: EndState;
  let undisturbed: DriveResult;
  let appends: number;

  beforeAll(async () => {
    [world, killer] = [await createTreeWorld(twelveFiles), await makeKiller()];
    folder = newFolder();
    const run = await start("whole");
    const ran = await drive(run, 0, "after");
    expect(ran.exitCode, ran.stderr.toString()).toBe(0);
    appends = (JSON.parse(ran.stdout.toString()) as { appends: number }).appends;
    undisturbed = await world.drive(run);
    whole = await ended(undisturbed, "the run that nobody disturbs");
  }, 1_800_000);

  async function start(name: string): Promise<string> {
    const signals = await mkdtemp(join(folder, `${name}-`));
    const cassette = twelve(signals) as unknown as Parameters<World["start"]>[0];
    const spec = { spec: twelveSpec, file: null };
    return world.start(cassette, {
      task: "Twelve",
      protocol: "graph",
      spec,
      graph: { parallel: 2, nudgeAfterMs: 900_000 },
    });
  }

  function drive(run: string, at: number | string, when: "before" | "after"): Promise<RunResult> {
    return killer.drive({ repository: world.repository.dir, home: world.home, run, at, when });
  }

  async function ended(driven: DriveResult, about: string): Promise<EndState> {
    const log = logText(driven.events).slice(-2000);
    expect(driven.end, `${about}: ${log}`).toEqual({ type: "ended", outcome: "complete" });
    expectOnce(driven, about);
    const verified = await verifyRun(driven.context);
    expect(verified.verdict, `${about}: ${verified.why}`).toBe("pass");
    return endState(world, driven);
  }

  test("the undisturbed tree is complete: eleven merges into parents, a result, and an adapted sister", async () => {
    expect([whole.outcome, whole.merged.length, whole.began.length]).toEqual(["complete", 12, 12]);
    expect(Object.values(whole.holds).flat()).toHaveLength(11);
    const accepted = eventsOf(undisturbed.events, "node.accepted");
    const adapted = accepted.filter(({ exit }) => exit === "RebaseAdapted").map(({ node }) => node);
    expect([...new Set(adapted)]).toEqual([expect.stringMatching(/^top--a--a[12]$/)]);
    const shop = await world.repository.git("show", `${whole.resultTree}:src/shop.py`);
    expect(`${shop}\n`).toBe(shopOfAll);
  });

  /** Drives a run to its end after it has died. */
  async function resumed(run: string, about: string): Promise<DriveResult> {
    const claim = await world.host.journal.claim(run, world.host.me);
    const driven = await world.drive(run);
    await claim.release();
    expect(await ended(driven, about), about).toEqual(whole);
    return driven;
  }

  for (const when of ["after", "before"] as const)
    test(`${when} each append, one after the other`, async () => {
      const run = await start(when);
      const ledger = join(folder, `${when}.txt`);
      await writeFile(ledger, "");
      const began = Date.now();
      let deaths = 0;
      for (; deaths < maxDeaths; deaths += 1) {
        const ran = await drive(run, ledger, when);
        if (ran.signal === "SIGKILL") continue;
        expect(ran.exitCode, ran.stderr.toString()).toBe(0);
        break;
      }
      const { events } = await resumed(run, `${when} each append`);
      const names = (await readFile(ledger, "utf8")).trim().split("\n");
      expect([new Set(names).size, deaths > appends * 0.9]).toEqual([deaths, true]);
      const rescued = eventsOf(events, "work.rescued").length;
      const minutes = Math.round((Date.now() - began) / 60_000);
      console.log(JSON.stringify({ when, appends, deaths, rescued, minutes }));
    }, 7_200_000);

  test("once, at appends from the first to the last", async () => {
    for (let n = 1; n <= alone; n += 1) {
      const [at, when] = [Math.floor((n * appends) / (alone + 1)), n % 2 === 0 ? "before" : "after"] as const;
      const run = await start("alone");
      const ran = await drive(run, at, when);
      expect(ran.signal, ran.stderr.toString()).toBe("SIGKILL");
      await resumed(run, `${when} append ${at}`);
      console.log(JSON.stringify({ when, at, appends }));
    }
  }, 7_200_000);
});
