// @module-tag ci
/** A worker that was only stopped or cut off changes nothing any more when it is back (SCL-05). */
import { afterAll, beforeAll, describe, expect } from "vitest";
import { verifies } from "../verifies.ts";
import { golden, untestedFiles } from "../orchestrate/world.ts";
import { cuttingProxy, type CuttingProxy } from "../support/cutting-proxy.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres.ts";
import type { TempRepository } from "../support/repository.ts";
import { cloneOf, sharedHost, type SharedHost } from "./world.ts";
import { agentOf, answers, detach, startWorker, untilLog, workersOrigin, type Worker } from "./workers.ts";

/** How a worker stops giving signs of life while its agents go on, and comes back. */
const ways = {
  "was stopped": {
    leave: ({ pid }: Worker) => process.kill(pid, "SIGSTOP"),
    comeBack: ({ pid }: Worker) => process.kill(pid, "SIGCONT"),
  },
  "was cut off": {
    leave: (_: Worker, proxy: CuttingProxy) => proxy.hold(),
    comeBack: (_: Worker, proxy: CuttingProxy) => proxy.mend(),
  },
};

describe.skipIf(!hasPostgres).each(Object.entries(ways))("a worker that %s", (_name, { leave, comeBack }) => {
  let server: PostgresServer;
  let here: SharedHost;
  let origin: TempRepository;
  let first: Worker;
  let second: Worker;
  let run = "";
  let log = "";
  let refs = "";

  beforeAll(async () => {
    server = await startPostgres();
    const url = server.newDatabase();
    origin = await workersOrigin(await untestedFiles());
    here = sharedHost(await cloneOf(origin), url);
    const cassette = await golden();
    // The tester of the stopped worker ends after its job was taken over, and then there is something to push.
    cassette.roles.tester[0]?.does?.unshift({ shell: "sleep 9" });
    const proxy = await cuttingProxy(server.port);
    const through = url.replace(`:${server.port}/`, `:${proxy.port}/`);
    first = await startWorker(through, [], { by: here, env: { METTLE_STORE_WAIT: "120" } });
    run = await detach(here, await agentOf(cassette));
    await untilLog(here, run, "5 questions asked");
    await here.cli(["answer", run, ...answers]);
    await untilLog(here, run, "waits for a person: Approve the plan");
    await here.cli(["approve", run]);
    await untilLog(here, run, "red#1: agent");
    leave(first, proxy);
    second = await startWorker(url, [], { by: here });
    await untilLog(here, run, "WAITING FOR CODE APPROVAL");
    refs = await origin.git("for-each-ref");
    comeBack(first, proxy);
    expect(await first.end("SIGCONT")).toBe(5);
    log = (await here.cli(["log", run])).stdout;
  }, 180_000);
  afterAll(async () => {
    for (const worker of [first, second]) await worker.end("SIGKILL");
  });

  verifies("SCL-05", "appends no event, and moves no ref of the remote", async () => {
    expect(log).toContain(`red#1: worker ${first.name} died; another goes on`);
    for (const once of ["RED commit", "red#1 -> RC", "GREEN commit", "WAITING FOR CODE APPROVAL"])
      expect([once, log.split(once).length - 1]).toEqual([once, 1]);
    expect(await origin.git("for-each-ref")).toBe(refs);
  });

  verifies(
    "SCL-05",
    "ends its agents, says why, and its run goes on elsewhere",
    async () => {
      expect(first.said()).toContain(`error[claim_lost]: worker ${first.name} was cut off from the store`);
      await here.cli(["approve", run]);
      await untilLog(here, run, "ended complete: proven");
      expect((await here.cli(["verify", run])).code).toBe(0);
    },
    60_000,
  );
});
