// @module-tag ci
/** Runs that workers do, each with a state home and clones of its own, by one database and one remote. */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { postgresJournal } from "../../src/journal/postgres/journal.ts";
import { openPostgres } from "../../src/journal/postgres/store.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { verifies } from "../verifies.ts";
import { golden, untestedFiles, type CassetteFile } from "../orchestrate/world.ts";
import { claimHost, hasPostgres, startPostgres, type PostgresServer } from "../support/postgres.ts";
import { cloneOf, sharedHost, type SharedHost } from "./world.ts";
import {
  agentOf,
  answers,
  detach,
  startWorker,
  untilLog,
  untilSaid,
  untilStatus,
  workersOrigin,
  type Worker,
} from "./workers.ts";

describe.skipIf(!hasPostgres)("workers", () => {
  let server: PostgresServer;
  let url = "";
  let here: SharedHost;
  let workers: Worker[] = [];

  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => stopAll("SIGKILL"));

  const stopAll = async (signal: NodeJS.Signals) => {
    await Promise.all(workers.map((worker) => worker.end(signal)));
    workers = [];
  };

  /** A database and a remote of its own. */
  const begin = async (count: number, options: readonly string[] = [], settings = "") => {
    await stopAll("SIGKILL");
    url = server.newDatabase();
    const origin = await workersOrigin(await untestedFiles(), settings);
    here = sharedHost(await cloneOf(origin), url);
    workers = await Promise.all(Array.from({ length: count }, () => startWorker(url, options, { by: here })));
    return origin;
  };

  /** @returns its id */
  const beginRun = async (change: (cassette: CassetteFile) => void = () => undefined): Promise<string> => {
    const cassette = await golden();
    change(cassette);
    return detach(here, await agentOf(cassette));
  };

  const toTheEnd = async (run: string) => {
    await untilLog(here, run, "5 questions asked");
    expect((await here.cli(["answer", run, ...answers])).stdout).toContain(
      `run ${run} goes on without this command`,
    );
    for (const [gate, shown] of [
      ["plan", "waits for a person: Approve the plan"],
      ["code", "WAITING FOR CODE APPROVAL"],
    ] as const) {
      await untilLog(here, run, shown);
      const approved = await here.cli(["approve", run]);
      expect([gate, approved.code], `${approved.stderr}${(await here.cli(["log", run])).stdout}`).toEqual([
        gate,
        0,
      ]);
    }
    await untilStatus(here, run, "complete");
  };

  verifies(
    "SCL-04",
    "a run goes from its questions to the end by answers of another host",
    async () => {
      const origin = await begin(2);
      const run = await beginRun();
      await toTheEnd(run);
      const said = workers.map((worker) => worker.said());
      for (const one of said) expect(one).toMatch(new RegExp(`done \\S+ of run ${run}`, "u"));
      // Each command was begun once.
      const begun = said.join("\n").match(/^began \S+ of run/gmu) ?? [];
      expect(begun.toSorted()).toEqual([...new Set(begun)].toSorted());
      const result = (await origin.git("rev-parse", `mettle/${run}/result`)).trim();
      expect((await here.cli(["resume", run, "--json"])).json()).toMatchObject({ status: "complete" });
      expect((await here.git("rev-parse", `mettle/${run}/result`)).trim()).toBe(result);
      const verified = await here.cli(["verify", run, "--json"]);
      expect([verified.code, verified.json()["verdict"]], verified.stdout).toEqual([0, "pass"]);
      expect((await here.cli(["land", run])).code).toBe(0);
      expect((await here.git("rev-parse", "HEAD")).trim()).toBe(result);
    },
    180_000,
  );

  const sleeping = (seconds: number) => (cassette: CassetteFile) => {
    cassette.roles.tester[0]?.does?.unshift({ shell: `sleep ${seconds}` });
  };

  verifies(
    "SCL-04",
    "a job waits for a worker with the labels of its repository",
    async () => {
      await begin(1, [], "workers: { labels: [gpu] }\n");
      const run = await beginRun();
      await untilSaid(workers[0], `began run ${run}`);
      const queue = (text: string) =>
        vi.waitFor(async () => {
          expect((await here.cli(["queues", "list"])).stdout).toContain(`agent scripted +gpu: ${text}`);
        }, 20_000);
      await queue("1 waiting, 0 at work");
      workers = [...workers, await startWorker(url, ["--label", "gpu"], { by: here })];
      await untilLog(here, run, "5 questions asked");
      expect(workers.map((worker) => worker.said().includes("began intake#1"))).toEqual([false, true]);
      await queue("0 waiting, 0 at work");
    },
    120_000,
  );

  verifies(
    "SCL-05",
    "the jobs of a worker that is killed go on at another, and no event comes twice",
    async () => {
      await begin(2);
      const run = await beginRun(sleeping(4));
      await untilStatus(here, run, "waiting");
      await here.cli(["answer", run, ...answers]);
      await untilStatus(here, run, "waiting");
      await here.cli(["approve", run]);
      await untilLog(here, run, "red#1: agent");
      const [busy, other] = workers.toSorted((one) => (one.said().includes("began red#1") ? -1 : 1));
      const killed = Date.now();
      await busy?.end("SIGKILL");
      const log = await untilLog(here, run, "red#1 -> RC");
      expect(log).toContain(`red#1: worker ${busy?.name} died; another goes on`);
      expect(log.match(/red#1: agent scripted/gu)).toHaveLength(2);
      expect(log.match(/red#1 -> RC/gu)).toHaveLength(1);
      expect(other?.said()).toContain(`worker ${busy?.name} died; its jobs go on elsewhere`);
      const { events } = (await here.cli(["log", run, "--json"])).json() as {
        events: { text: string; at: string }[];
      };
      const died = events.find(({ text }) => text.includes(" died; another goes on"));
      // 1.3 s on two loaded processors: the server sees that its process ended.
      expect(Date.parse(died?.at ?? "") - killed).toBeLessThan(5000);
    },
    180_000,
  );

  test("a worker that is started again while another one gives its jobs back waits for that", async () => {
    await begin(1);
    const [worker] = workers;
    await worker?.end("SIGKILL");
    const store = await openPostgres({ url, repository: "*workers" });
    const journal = postgresJournal(store, { clock: systemClock, alive: () => true, host: claimHost() });
    const me = { pid: process.pid, started: "1" };
    const claim = await vi.waitFor(() => journal.claim(worker?.name ?? "", me), 5000);
    const again = worker?.again();
    await pause(4000);
    await claim.release();
    await journal.close();
    workers = again === undefined ? [] : [await again];
    expect(workers[0]?.said()).toContain("waiting at most 15 s");
  }, 60_000);

  verifies(
    "SCL-04",
    "a worker that gets SIGTERM hands back what it has",
    async () => {
      await begin(1, ["--drain", "1"]);
      const run = await beginRun(sleeping(60));
      await untilStatus(here, run, "waiting");
      await here.cli(["answer", run, ...answers]);
      await untilStatus(here, run, "waiting");
      await here.cli(["approve", run]);
      await untilLog(here, run, "red#1: agent");
      const [first] = workers;
      expect(await first?.end("SIGTERM")).toBe(0);
      expect(first?.said()).toContain(`open red#1 of run ${run}`);
      workers = [await startWorker(url, [], { by: here })];
      await untilLog(here, run, "red#1: agent", 2);
      expect((await here.cli(["abort", run, "--reason", "seen enough"])).code).toBe(1);
      await untilSaid(workers[0], `done red#1 of run ${run}`);
    },
    180_000,
  );
});
