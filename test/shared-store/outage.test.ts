// @module-tag ci
/** The server of a shared store goes away under several runs (SCL-02). */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { stringify } from "yaml";
import { beforeAll, describe, expect } from "vitest";
import { golden, untestedFiles } from "../orchestrate/world.ts";
import { newFolder } from "../support/folder.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres.ts";
import { verifies } from "../verifies.ts";
import { wide } from "../wide.ts";
import { enrolAll, sharedHost, sharedRepository, type SharedHost } from "./world.ts";

const count = wide ? 20 : 3;
/** Long enough for every agent to end its work while the server is away. */
const away = wide ? { short: 5000, long: 60_000 } : { short: 2500, long: 6000 };
/** How long a run waits: the default, and in CI a shorter bound to exceed. */
const patience = { usual: {}, short: wide ? {} : { METTLE_STORE_WAIT: "2" } };

interface OneRun extends SharedHost {
  /** A line for each turn of its agent, when it begins and when it has done its work. */
  readonly turns: () => readonly string[];
  /** Makes the agent end its work. */
  readonly goOn: () => void;
  readonly args: readonly string[];
}

describe.skipIf(!hasPostgres)(`a server that goes away under ${count} runs`, () => {
  let server: PostgresServer;
  let runs: readonly OneRun[] = [];

  beforeAll(async () => {
    server = await startPostgres({ fsync: "on" });
  });

  async function prepare(env: Readonly<Record<string, string>>): Promise<void> {
    const url = server.newDatabase();
    const names = Array.from({ length: count }, (_, index) => `acme/shop-${index}`);
    runs = await Promise.all(names.map((name) => oneRun(url, name, env)));
    await enrolAll(runs);
  }

  async function oneRun(url: string, name: string, env: Readonly<Record<string, string>>): Promise<OneRun> {
    const repository = await sharedRepository(await untestedFiles(), "", name);
    const folder = newFolder();
    const [turns, go] = [join(folder, "turns"), join(folder, "go")];
    const cassette = await golden();
    cassette.roles.intake[0]?.does?.push({
      shell: `echo begun >> ${turns}; until test -e ${go}; do sleep 0.2; done; echo done >> ${turns}`,
    });
    const file = join(folder, "cassette.yaml");
    writeFileSync(file, stringify(cassette));
    return {
      ...sharedHost(repository.dir, url, env),
      turns: () => (existsSync(turns) ? readFileSync(turns, "utf8").trim().split("\n") : []),
      goOn: () => writeFileSync(go, ""),
      args: ["run", "Add slugify(text)", "--agent", `default=scripted:${file}`, "--json"],
    };
  }

  const untilAll = (last: string, times: number) =>
    expect
      .poll(
        () => runs.filter(({ turns }) => turns().filter((line) => line === last).length === times).length,
        {
          timeout: 120_000,
          interval: 100,
        },
      )
      .toBe(count);

  /** Ends the server while all agents work, and lets them end their work before it is there again. */
  async function outage(ms: number): Promise<void> {
    await untilAll("begun", 1);
    await server.crash();
    const back = performance.now() + ms;
    for (const { goOn } of runs) goOn();
    await untilAll("done", 1);
    await pause(Math.max(0, back - performance.now()));
    await server.start();
  }

  async function eventsOf(host: SharedHost): Promise<readonly string[]> {
    const [run] = (await host.cli(["status", "--json"])).json()["runs"] as { run: string }[];
    const { stdout } = await host.cli(["log", run?.run ?? "", "--json"]);
    return stdout.trim().split("\n");
  }

  verifies(
    "SCL-02",
    "for seconds holds no agent up, and each run goes on with each event once",
    async () => {
      await prepare(patience.usual);
      const driven = runs.map((run) => run.cli(run.args));
      await outage(away.short);
      expect((await Promise.all(driven)).map(({ code, stderr }) => [code, code === 3 ? "" : stderr])).toEqual(
        runs.map(() => [3, ""]),
      );
      expect(runs.map(({ turns }) => turns())).toEqual(runs.map(() => ["begun", "done"]));
      const [first = [], ...others] = await Promise.all(runs.map(eventsOf));
      expect(others.map((events) => events.length)).toEqual(others.map(() => first.length));
    },
    400_000,
  );

  verifies(
    "SCL-02",
    "for longer than the bound stops each run with exit 5, and resume continues it",
    async () => {
      await prepare(patience.short);
      const driven = runs.map((run) => run.cli(run.args));
      const isDown = outage(away.long);
      const stopped = await Promise.all(driven);
      await isDown;
      for (const { code, stderr } of stopped)
        expect([code, stderr]).toEqual([
          5,
          expect.stringMatching(/error\[store_unreachable\][\s\S]+mettle resume/u),
        ]);
      const resumed = await Promise.all(runs.map((run) => run.cli(["resume", "--json"])));
      expect(resumed.map(({ code, stderr }) => [code, code === 3 ? "" : stderr])).toEqual(
        runs.map(() => [3, ""]),
      );
    },
    400_000,
  );
});
