// @module-tag ci
import { spawn, type ChildProcess } from "node:child_process";
import { writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { bundleProgram, type Bundle } from "../../../test/support/bundle.ts";
import { newFolder } from "../../../test/support/folder.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../../../test/support/postgres.ts";
import { withStoreLock, type StoreLock } from "./lock.ts";

let server: PostgresServer;
let program: Bundle;
let children: ChildProcess[] = [];

beforeAll(async () => {
  if (!hasPostgres) return;
  server = await startPostgres();
  program = await bundleProgram(`
    import { closeSync, openSync, readFileSync, unlinkSync, writeFileSync, writeSync } from "node:fs";
    import { setTimeout as pause } from "node:timers/promises";
    import { withStoreLock } from "./src/journal/postgres/lock.ts";
    const [folder, turns] = process.argv.slice(2);
    const lock = { name: "plan", waitMs: 60_000, busy: () => new Error("busy") };
    for (let turn = 0; turn < Number(turns); turn++)
      await withStoreLock({ url: process.env.STORE, repository: "mine" }, lock, async () => {
        closeSync(openSync(folder + "/alone", "wx")); // fails if another one is here
        const count = Number(readFileSync(folder + "/count"));
        writeSync(1, "held");
        await pause(turns === "1" ? 2 ** 31 - 1 : 2);
        writeFileSync(folder + "/count", String(count + 1));
        unlinkSync(folder + "/alone");
      });
  `);
});

afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  children = [];
});

const mine = () => ({ url: server.url, repository: "mine" });
const plan = (waitMs = 10_000): StoreLock => ({ name: "plan", waitMs, busy: () => new Error("busy") });

/** A process that counts under the lock; with one turn it holds the lock until it is killed. */
function counter(folder: string, turns: number) {
  const child = spawn(process.execPath, [program.file, folder, `${turns}`], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, STORE: server.url },
  });
  children.push(child);
  const held = new Promise((resolve) => child.stdout.once("data", resolve));
  const ended = new Promise((resolve) => child.once("close", (code, signal) => resolve(code ?? signal)));
  return { child, held, ended };
}

function counted(): string {
  const folder = newFolder();
  writeFileSync(join(folder, "count"), "0");
  return folder;
}

/** Ends the sessions of all locks, as a network that breaks does. */
const cut = () =>
  server.psql(
    server.url,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'mettle lock'",
  );

describe.skipIf(!hasPostgres)("a lock in the store", () => {
  test("is held by one of four processes at a time", async () => {
    const folder = counted();
    const processes = Array.from({ length: 4 }, () => counter(folder, 25));
    expect(await Promise.all(processes.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
    expect(readFileSync(join(folder, "count"), "utf8")).toBe("100");
  });

  test("is refused with the caller's error after the bound, and free when its holder is killed", async () => {
    const { child, held, ended } = counter(counted(), 1);
    await held;
    const start = performance.now();
    await expect(withStoreLock(mine(), plan(300), async () => "never")).rejects.toThrow("busy");
    expect(performance.now() - start).toBeGreaterThan(250);
    expect(performance.now() - start).toBeLessThan(5000);
    const waiting = withStoreLock(mine(), plan(), async () => performance.now());
    const killed = performance.now();
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
    expect((await waiting) - killed).toBeLessThan(5000);
  });

  test("is one for each name and repository, and free after work that fails", async () => {
    const other = { url: server.url, repository: "other" };
    const all = withStoreLock(mine(), plan(), () =>
      withStoreLock(mine(), { ...plan(), name: "gates" }, () =>
        withStoreLock(other, plan(), async () => "in"),
      ),
    );
    expect(await all).toBe("in");
    const failing = withStoreLock(mine(), plan(), async () => {
      await expect(withStoreLock(mine(), plan(50), async () => "never")).rejects.toThrow("busy");
      throw new Error("mine");
    });
    await expect(failing).rejects.toThrow("mine");
    expect(await withStoreLock(mine(), plan(50), async () => "free")).toBe("free");
  });

  test("is lost with its connection: another one gets it, and both results are kept", async () => {
    const result = await withStoreLock(mine(), plan(), async () => {
      cut();
      return ["first", await withStoreLock(mine(), plan(), async () => "second")];
    });
    expect(result).toEqual(["first", "second"]);
  });

  test("is waited for through a cut and a restart of the server", async () => {
    const order: string[] = [];
    let waiting: Promise<unknown> | undefined;
    await withStoreLock(mine(), plan(), async () => {
      waiting = withStoreLock(mine(), plan(30_000), async () => order.push("second"));
      await expect
        .poll(() =>
          server.psql(
            server.url,
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
          ),
        )
        .toBe("1");
      await server.crash();
      await server.start();
      order.push("first");
    });
    await waiting;
    expect(order.toSorted()).toEqual(["first", "second"]);
  });

  test("of a server that is away or hangs is reported within the bound, and work that is done returns", async () => {
    const away = { ...mine(), url: server.url.replace(`:${server.port}/`, ":1/") };
    await expect(withStoreLock(away, plan(300), async () => "never")).rejects.toMatchObject({
      code: "store_unreachable",
      message: "the store 127.0.0.1:1/postgres does not answer",
    });
    const start = performance.now();
    try {
      expect(
        await withStoreLock(mine(), plan(), async () => {
          server.signal("SIGSTOP");
          return "done";
        }),
      ).toBe("done");
      expect(performance.now() - start).toBeLessThan(5000);
      await expect(withStoreLock(mine(), plan(300), async () => "never")).rejects.toMatchObject({
        code: "store_unreachable",
      });
      expect(performance.now() - start).toBeLessThan(15_000);
    } finally {
      server.signal("SIGCONT");
    }
    expect(await withStoreLock(mine(), plan(), async () => "free")).toBe("free");
  });
});
