// @module-tag ci
/** Claims of runs by processes of several hosts: taking a dead one's over, and fencing one that was only cut off. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bundleProgram, type Bundle } from "../../../test/support/bundle.ts";
import { cuttingProxy, type CuttingProxy } from "../../../test/support/cutting-proxy.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../../../test/support/postgres.ts";
import { openJournalOfHost } from "../../../test/support/postgres-journal.ts";
import { wide } from "../../../test/wide.ts";
import { AppError } from "../../lib/errors.ts";
import type { Journal, RunClaim } from "../journal.ts";

let server: PostgresServer;
let proxy: CuttingProxy;
let url = "";
let program: Bundle;
let children: ChildProcess[] = [];

beforeAll(async () => {
  if (!hasPostgres) return;
  server = await startPostgres();
  proxy = await cuttingProxy(server.port);
  program = await bundleProgram(`
    import { postgresJournal } from "./src/journal/postgres/journal.ts";
    import { openPostgres } from "./src/journal/postgres/store.ts";
    import { currentProcess, isAlive } from "./src/config/owner.ts";
    import { systemClock } from "./src/lib/clock.ts";
    const [name, task, run] = process.argv.slice(2);
    const say = (...words) => process.stdout.write(words.join(" ") + "\\n");
    const store = await openPostgres({ url: process.env.STORE, repository: "mine" });
    const host = { name, home: "h1", boot: "b1", processes: "p1" };
    const journal = postgresJournal(store, { clock: systemClock, alive: isAlive, host });
    const append = async (data) => journal.append(run, await journal.head(run), [{ type: "a", data }]);
    const claim = () => journal.claim(run, currentProcess());
    if (task === "leave") await claim();
    if (task === "hold" || task === "append") {
      const { lost } = await claim();
      say("held");
      lost.addEventListener("abort", () => { say("lost", lost.reason.code); process.exitCode = 3; });
      if (task === "hold") setInterval(() => lost.aborted && process.exit(), 50);
      try {
        for (; task === "append"; ) await append(name);
      } catch (error) {
        say("refused", error.code);
        await journal.close();
      }
    }
    if (task === "race") {
      for (let turn = 0; turn < 5;) {
        try {
          const held = await claim();
          await append("held");
          await append("left");
          await held.release();
          turn += 1;
        } catch (error) {
          if (error.code !== "run_busy") throw error;
          await systemClock.sleep(5);
        }
      }
      await journal.close();
    }
  `);
});
beforeEach(() => {
  if (hasPostgres) url = server.newDatabase();
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  children = [];
});

/** A process of the program, on a host with this name. */
function start(name: string, task: string, run = "r1") {
  const child = spawn(process.execPath, [program.file, name, task, run], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, STORE: url },
  });
  children.push(child);
  let said = "";
  child.stdout.on("data", (bytes: Buffer) => (said += bytes.toString()));
  return {
    child,
    said: () => said.split("\n").filter((line) => line !== ""),
    ended: once(child, "close").then(([code]) => code as unknown),
  };
}

function throughProxy(): string {
  const changed = new URL(url);
  changed.port = `${proxy.port}`;
  return changed.href;
}

/** Beside other tests a program starts slowly; the times of the promise hold in the wide suite. */
const patient = { timeout: 20_000 };
const me = { pid: 7, started: "1" };
const event = (data: unknown) => ({ type: "a", data });
const epoch = (run = "r1") =>
  Number(server.psql(url, `SELECT epoch FROM mettle.claims WHERE run = '${run}'`));
const eventsOf = async (journal: Journal, run = "r1") => (await journal.read(run)).map(({ data }) => data);
const codeOf = (error: unknown) => (error instanceof AppError ? error.code : error);

/** Asks for the claim until it is free. @returns the claim, and the milliseconds that it took */
async function takeOver(journal: Journal, run = "r1"): Promise<{ claim: RunClaim; tookMs: number }> {
  const begin = performance.now();
  for (;;) {
    try {
      return { claim: await journal.claim(run, me), tookMs: performance.now() - begin };
    } catch (error) {
      if (codeOf(error) !== "run_busy" || performance.now() - begin > 15_000) throw error;
      await pause(50);
    }
  }
}

describe.skipIf(!hasPostgres)("a claim of another host", () => {
  test("stays its holder's while that one lives; after kill -9, SIGSTOP or a cut network it is another's within 5 s, for good", async () => {
    const { journal } = await openJournalOfHost({ name: "here", url });
    const killed = start("killed", "hold", "killed");
    const writing = start("stopped", "append", "writing");
    const idle = start("stopped", "hold", "idle");
    const cut = await openJournalOfHost({ name: "cut", url: throughProxy() });
    const cutClaim = await cut.journal.claim("cut", me);
    await cut.journal.append("cut", 0, [event("cut")]);
    for (const { said } of [killed, writing, idle]) await expect.poll(said, patient).toEqual(["held"]);
    await pause(4500); // longer than the lease
    const runs = ["killed", "writing", "idle", "cut"];
    for (const run of runs)
      expect([run, await journal.claim(run, me).catch(codeOf), epoch(run)]).toEqual([run, "run_busy", 1]);
    expect((await journal.owner("killed"))?.pid).toBe(killed.child.pid);

    killed.child.kill("SIGKILL");
    for (const { child } of [writing, idle]) child.kill("SIGSTOP");
    proxy.hold();
    // It is on its way while the claim is taken.
    const late = cut.journal.append("cut", 1, [event("late")]).catch(codeOf);
    const taken = await Promise.all(runs.map((run) => takeOver(journal, run)));
    const [ofKilled = 0, ...ofSilent] = taken.map(({ tookMs }) => tookMs);
    // The server sees at once that a process ended, and only silence of one that stopped.
    expect(ofKilled).toBeLessThan(wide ? 2000 : 15_000);
    expect(Math.min(...ofSilent)).toBeGreaterThan(2500);
    expect(Math.max(...taken.map(({ tookMs }) => tookMs))).toBeLessThan(wide ? 5000 : 15_000);
    for (const run of ["writing", "cut"]) await journal.append(run, await journal.head(run), [event("here")]);
    for (const { child } of [writing, idle]) child.kill("SIGCONT");
    proxy.mend();

    expect([await writing.ended, writing.said().toSorted()]).toEqual([
      3,
      ["held", "lost claim_lost", "refused claim_lost"],
    ]);
    expect([await idle.ended, idle.said()]).toEqual([3, ["held", "lost claim_lost"]]);
    expect(await late).toBe("claim_lost");
    await expect.poll(() => cutClaim.lost.aborted, patient).toBe(true);
    await expect(cut.journal.append("cut", 2, [event("more")])).rejects.toMatchObject({
      code: "claim_lost",
      exitCode: 5,
      message: "another process took run cut over",
    });
    expect(await eventsOf(journal, "cut")).toEqual(["cut", "here"]);
    const written = await eventsOf(journal, "writing");
    expect(written.indexOf("here")).toBe(written.length - 1);
    await cutClaim.release();
    expect(taken.map(({ claim }) => claim.lost.aborted)).toEqual([false, false, false, false]);
    for (const run of runs) expect([run, epoch(run), await journal.owner(run)]).toEqual([run, 2, me]);
  });

  test("stays its holder's when the server was away, or its connections broke, for longer than the lease", async () => {
    const holder = await openJournalOfHost({ name: "there", url: throughProxy() });
    const claim = await holder.journal.claim("r1", me);
    const { journal } = await openJournalOfHost({ name: "here", url });
    let isOver = false;
    const asking = (async () => {
      const answers = new Set<unknown>();
      while (!isOver) {
        answers.add(await journal.claim("r1", me).then(() => "taken", codeOf));
        await pause(20);
      }
      return [...answers];
    })();
    proxy.hold();
    await pause(2800); // the other one watches already
    await server.crash();
    proxy.mend();
    await pause(3000);
    await server.start();
    await holder.journal.append("r1", 0, [event(1)]);
    for (let times = 0; times < 3; times++) {
      server.psql(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'mettle%'",
      );
      await pause(700);
    }
    await holder.journal.append("r1", 1, [event(2)]);
    isOver = true;
    expect(await asking).toEqual(["run_busy"]);
    expect([claim.lost.aborted, epoch()]).toEqual([false, 1]);
  });

  test("is lost when the store was away for longer than it may, and released when it is back", async () => {
    const { journal } = await openJournalOfHost({ name: "there", url: throughProxy(), lockTimeoutMs: 2000 });
    const claim = await journal.claim("r1", me);
    proxy.hold();
    const begin = performance.now();
    try {
      await once(claim.lost, "abort");
      expect(performance.now() - begin).toBeGreaterThan(1900);
      expect(performance.now() - begin).toBeLessThan(wide ? 6000 : 15_000);
      expect(claim.lost.reason).toMatchObject({ code: "store_unreachable", exitCode: 5 });
      await claim.release();
    } finally {
      proxy.mend();
    }
    // Its process lives on.
    expect((await takeOver(journal)).tookMs).toBeLessThan(4000);
    expect(epoch()).toBe(2);
  });
});

describe.skipIf(!hasPostgres)("claims", () => {
  test("of four processes that take turns twenty times have one holder at a time, and epochs that only grow", async () => {
    const { journal } = await openJournalOfHost({ name: "here", url });
    const racers = ["a", "b", "c", "d"].map((name) => start(name, "race"));
    expect(await Promise.all(racers.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
    expect(await eventsOf(journal)).toEqual(Array.from({ length: 20 }, () => ["held", "left"]).flat());
    expect(epoch()).toBe(20);
  });

  test("keep no process alive", async () => {
    const left = start("there", "leave");
    expect(await left.ended).toBe(0);
    expect(epoch()).toBe(1);
  });
});
