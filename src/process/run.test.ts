import { readFileSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { inCi, verifies, verifiesInCi } from "../../test/verifies.ts";
import { lineageHasVariable, eachCarrierHas } from "./marks.ts";
import { endLeftovers } from "./leftovers.ts";
import { livingProcesses, processEntry, variableOf } from "./proc.ts";
import { run, type RunResult, type RunOptions } from "./run.ts";
import { living } from "./tree.ts";

const path = process.env["PATH"] ?? "";
let cwd: string;
beforeEach(() => void (cwd = newFolder()));

const sh = (script: string, options: Partial<RunOptions> = {}): Promise<RunResult> =>
  run("sh", ["-c", script], { cwd, env: { PATH: path }, timeoutMs: 20_000, ...options });
const pidsIn = async (file: string, folder = cwd): Promise<number[]> =>
  (await readFile(join(folder, file), "utf8")).trim().split("\n").map(Number);
const alive = (pids: readonly number[]): number[] => pids.filter((pid) => processEntry(pid) !== null);

/** Slow cases, which run in parallel to the other tests. */
let slow: {
  readonly folder: string;
  readonly silent: Promise<RunResult>;
  readonly stubborn: Promise<Stubborn>;
};
interface Stubborn {
  readonly result: RunResult;
  /** When the whole tree was running. */
  readonly ready: number;
}
beforeAll(() => {
  const folder = newFolder();
  const silent = sh("for i in 1 2 3; do echo $i; sleep 0.5; done; sleep 300", {
    cwd: folder,
    idleMs: 1_200,
  });
  slow = { folder, silent, stubborn: stubborn(folder) };
});
afterAll(async () => {
  await Promise.all([slow.silent, slow.stubborn]);
  await rm(slow.folder, { recursive: true, force: true });
});

/** Stops a program that ignores SIGTERM, with five other processes in every hiding place. */
async function stubborn(folder: string): Promise<Stubborn> {
  const script = [
    "trap '' TERM",
    "setsid sleep 300 & echo $! >> pids",
    "setsid sh -c 'trap \"\" TERM; echo $$ >> pids; sleep 300 & echo $! >> pids; wait' &",
    "sh -c 'setsid sleep 300 & echo $! >> pids'", // its parent exits at once
    "env -i setsid sleep 300 & echo $! >> pids", // without the marker, still a child
    "echo $$ >> pids",
    "until [ $(wc -l < pids) -eq 6 ]; do echo waiting; sleep 0.05; done",
    "echo ready; sleep 300; sleep 300",
  ].join("\n");
  let ready = 0;
  const result = await sh(script, { cwd: folder, idleMs: 1_500, onStdout: () => (ready = Date.now()) });
  return { result, ready };
}

/** A program that calls `run` for one that leaves a daemon; `look` records which of the two are alive. */
async function runsInner(onStdout: string, options: Partial<RunOptions> = {}): Promise<RunResult> {
  const script = "sh -c 'setsid sleep 300 & echo $! >> pids'; echo $$ >> pids; echo up; sleep 300";
  const contents = `
    import { readFileSync, writeFileSync } from "node:fs";
    import { run } from "./run.ts";
    import { processEntry } from "./proc.ts";
    const running = run("sh", ["-c", ${JSON.stringify(script)}], {
      cwd: ".", env: { PATH: process.env["PATH"] }, timeoutMs: 60000, onStdout: ${onStdout},
    });
    const look = () => {
      const deadline = Date.now() + 5000;
      let left = readFileSync("pids", "utf8").trim().split("\\n");
      while (left.length > 0 && Date.now() < deadline) left = left.filter((pid) => processEntry(Number(pid)) !== null);
      writeFileSync("left", left.join(" "));
    };
    await running;`;
  const entry = join(cwd, "inner.mjs");
  const resolveDir = fileURLToPath(new URL(".", import.meta.url));
  buildSync({
    stdin: { contents, resolveDir },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: entry,
  });
  return run(process.execPath, [entry], { cwd, env: { PATH: path }, timeoutMs: 20_000, ...options });
}

describe("a program that exits", () => {
  test("returns exit code, both outputs, their lengths and the times", async () => {
    const before = Date.now();
    const result = await sh("echo out; echo err >&2; exit 3");
    expect({
      ...result,
      stdout: `${result.stdout}`,
      stderr: `${result.stderr}`,
      started: 0,
      ended: 0,
    }).toEqual({
      exitCode: 3,
      signal: null,
      timedOut: false,
      idle: false,
      aborted: false,
      failedToStart: null,
      stdout: "out\n",
      stderr: "err\n",
      stdoutBytes: 4,
      stderrBytes: 4,
      started: 0,
      ended: 0,
    });
    expect([result.started >= before, result.ended >= result.started, result.ended <= Date.now()]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test("is distinguished from one that a signal ended", async () => {
    const result = await sh("kill -9 $$");
    expect([result.exitCode, result.signal]).toEqual([null, "SIGKILL"]);
  });

  test("has no shell: arguments arrive unchanged", async () => {
    const result = await run("printf", ["%s|", "$HOME", "a b", "*", "; true"], {
      cwd,
      env: { PATH: path },
      timeoutMs: 5_000,
    });
    expect(`${result.stdout}`).toBe("$HOME|a b|*|; true|");
  });

  test("sees only the given environment and the marker", async () => {
    const result = await run("env", [], { cwd, env: { PATH: path, ONLY: "this" }, timeoutMs: 5_000 });
    const names = `${result.stdout}`
      .trim()
      .split("\n")
      .map((line) => line.split("=")[0]);
    expect(names.sort()).toEqual(["METTLE_PROCESS", "ONLY", "PATH"]);
  });

  test("reads its input, or end of file from a closed stdin", async () => {
    expect(`${(await run("cat", [], { cwd, env: { PATH: path }, timeoutMs: 5_000 })).stdout}`).toBe("");
    const large = "x".repeat(2_000_000);
    const result = await run("wc", ["-c"], { cwd, env: { PATH: path }, timeoutMs: 5_000, input: large });
    expect(`${result.stdout}`.trim()).toBe("2000000");
    expect((await sh("exit 0", { input: large })).exitCode).toBe(0);
  });

  test("passes each chunk on as it arrives", async () => {
    const seen: string[] = [];
    const options = {
      onStdout: (chunk: Buffer) => seen.push(`out ${chunk}`),
      onStderr: (chunk: Buffer) => seen.push(`err ${chunk}`),
    };
    await sh("echo one; sleep 0.05; echo two >&2; sleep 0.05; echo three", options);
    expect(seen).toEqual(["out one\n", "err two\n", "out three\n"]);
  });
});

describe("a program that cannot start", () => {
  test("is reported by its error code and never rejects", async () => {
    await writeFile(join(cwd, "plain"), "not executable", { mode: 0o644 });
    const env = { PATH: path };
    const codes = [
      await run("no-such-program", [], { cwd, env, timeoutMs: 1_000 }),
      await run(join(cwd, "plain"), [], { cwd, env, timeoutMs: 1_000 }),
      await run("sh", ["-c", "true"], { cwd: join(cwd, "missing"), env, timeoutMs: 1_000 }),
      await run("sh", ["-c", "a\0b"], { cwd, env, timeoutMs: 1_000 }),
      await run("sh", ["x".repeat(4_000_000)], { cwd, env, timeoutMs: 1_000 }),
    ].map((result) => [result.failedToStart, result.exitCode]);
    expect(codes).toEqual([
      ["ENOENT", null],
      ["EACCES", null],
      ["ENOENT", null],
      ["ERR_INVALID_ARG_VALUE", null],
      ["E2BIG", null],
    ]);
  });
});

describe("output beyond the limit", () => {
  test("keeps head and tail and counts the rest", async () => {
    const result = await sh("i=0; while [ $i -lt 1000 ]; do printf '%04d ' $i; i=$((i+1)); done", {
      keepBytes: 30,
    });
    expect([`${result.stdout}`, result.stdoutBytes]).toEqual(["0000 0001 0002 0997 0998 0999 ", 5_000]);
  });

  inCi("of 100 MB stays in bounded memory", async () => {
    const before = process.memoryUsage.rss();
    let peak = 0;
    let chunks = 0;
    const look = () => {
      chunks += 1;
      if (chunks % 16 === 0) peak = Math.max(peak, process.memoryUsage().arrayBuffers);
    };
    const result = await run("head", ["-c", "100000000", "/dev/zero"], {
      cwd,
      env: { PATH: path },
      timeoutMs: 20_000,
      keepBytes: 1024 * 1024,
      onStdout: look,
    });
    expect([result.stdoutBytes, result.stdout.length]).toEqual([100_000_000, 1024 * 1024]);
    // Less than the output: V8 decides when it collects buffers.
    expect([peak > 0, peak < 90_000_000]).toEqual([true, true]);
    expect(process.memoryUsage.rss() - before).toBeLessThan(128 * 1024 * 1024);
  });
});

describe("deadlines and aborts", () => {
  test("a wall deadline ends a busy program", async () => {
    const result = await sh("while :; do echo busy; sleep 0.02; done", { timeoutMs: 200, idleMs: 5_000 });
    expect([result.timedOut, result.aborted, result.exitCode, result.signal]).toEqual([
      true,
      false,
      null,
      "SIGTERM",
    ]);
  });

  inCi("an idle deadline ends a silent one, and output postpones it", async () => {
    const result = await slow.silent;
    expect([result.timedOut, `${result.stdout}`]).toEqual([true, "1\n2\n3\n"]);
    expect(result.ended - result.started).toBeGreaterThan(2_000);
  });

  test("silence while it is busy does not end it, and the reason of the end is reported", async () => {
    const working = await sh("sleep 0.6; echo done", { idleMs: 150, busy: () => true });
    expect([working.timedOut, `${working.stdout}`]).toEqual([false, "done\n"]);
    const silent = await sh("sleep 20", { idleMs: 150, busy: () => false });
    expect([silent.timedOut, silent.idle]).toEqual([true, true]);
    const slowly = await sh("sleep 20", { timeoutMs: 150, idleMs: 5_000 });
    expect([slowly.timedOut, slowly.idle]).toEqual([true, false]);
  });

  test("it can receive input while it runs", async () => {
    const result = await sh('read first; read second; echo "$first, $second"', {
      input: "one\n",
      onOpen: (write) => setTimeout(() => write("two\n"), 50),
    });
    expect(`${result.stdout}`).toBe("one, two\n");
  });

  test("an abort ends it, and an earlier abort starts nothing", async () => {
    const stop = new AbortController();
    const running = sh("echo ready; sleep 20", { signal: stop.signal, onStdout: () => stop.abort() });
    expect([(await running).aborted, (await running).timedOut]).toEqual([true, false]);
    const never = await sh("touch started", { signal: AbortSignal.abort() });
    expect([never.aborted, never.exitCode]).toEqual([true, null]);
    await expect(readFile(join(cwd, "started"))).rejects.toThrow("ENOENT");
  });
});

describe.skipIf(process.platform !== "linux")("the whole tree", () => {
  verifiesInCi(
    "CORE-53",
    "a stop ends a program that ignores SIGTERM and its detached children, within 10 seconds",
    async () => {
      const { result, ready } = await slow.stubborn;
      const pids = await pidsIn("pids", slow.folder);
      expect(pids.length).toBe(6);
      expect([result.timedOut, result.signal, `${result.stdout}`.endsWith("ready\n")]).toEqual([
        true,
        "SIGKILL",
        true,
      ]);
      expect(alive(pids)).toEqual([]);
      expect(result.ended - ready).toBeLessThan(1_500 + 10_000);
    },
  );

  verifies("CORE-53", "daemons of a program do not outlive its normal exit", async () => {
    const result = await sh(
      "setsid sleep 300 & echo $! >> pids; sh -c 'setsid sleep 300 & echo $! >> pids'; echo done",
    );
    const pids = await pidsIn("pids");
    expect([result.exitCode, `${result.stdout}`, pids.length, alive(pids)]).toEqual([0, "done\n", 2, []]);
    expect(result.ended - result.started).toBeLessThan(10_000);
  });

  test("of a trusted program is checked in its group only", async () => {
    const result = await sh("sleep 300 & echo $! >> pids; echo done", { trusted: true });
    expect([result.exitCode, alive(await pidsIn("pids"))]).toEqual([0, []]);
  });

  test("gets time to clean up", async () => {
    const stop = new AbortController();
    const script = "trap 'sleep 0.2; echo cleaned; exit 7' TERM; sleep 300 & sleep 0.2; echo ready; wait";
    const result = await sh(script, { signal: stop.signal, onStdout: () => stop.abort() });
    expect([result.aborted, result.exitCode, `${result.stdout}`]).toEqual([true, 7, "ready\ncleaned\n"]);
  });

  test("is found through a nested run", async () => {
    const stop = new AbortController();
    const options = { signal: stop.signal, onStdout: () => stop.abort() };
    await runsInner("() => console.log('up')", options);
    const pids = await pidsIn("pids");
    expect([pids.length, alive(pids)]).toEqual([2, []]);
  });

  test("does not outlive the process that called run", async () => {
    const result = await runsInner("() => process.on('exit', look).exit(4)");
    const pids = await pidsIn("pids");
    expect([result.exitCode, pids.length, await readFile(join(cwd, "left"), "utf8")]).toEqual([4, 2, ""]);
  });

  test("is searched in a few milliseconds", () => {
    const tree = { leader: process.pid + 1_000_000, marker: "nobody", since: 0 };
    living(tree);
    const before = process.cpuUsage();
    for (let i = 0; i < 10; i += 1) living(tree);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000 / 10 / livingProcesses().length).toBeLessThan(0.5);
  });
});

describe.skipIf(process.platform !== "linux")("/proc", () => {
  test("a zombie is not alive", async () => {
    const stop = new AbortController();
    let entry: unknown = "not looked at";
    const look = (pid: number) => {
      if (readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0] !== "Z")
        return setTimeout(() => look(pid), 10);
      entry = processEntry(pid);
      return stop.abort();
    };
    // `exec sleep` never reaps the child that the shell has started.
    const script = "sh -c 'sleep 0.5' & echo $!; exec sleep 300";
    const result = await sh(script, { signal: stop.signal, onStdout: (chunk) => look(Number(`${chunk}`)) });
    expect([result.aborted, entry]).toEqual([true, null]);
  });

  test("a variable is found whole, first, last or missing", async () => {
    const found: unknown[] = [];
    const watch = (names: string[]) => ({
      env: { FIRST: "1", AFIRST: "no", PATH: path, LAST: "a=b" },
      onStdout: (chunk: Buffer) => {
        const pid = Number(`${chunk}`);
        found.push(names.map((name) => variableOf(pid, name)));
        process.kill(pid, "SIGTERM");
      },
    });
    // The shell stays: during exec a process shows no environment.
    await sh("echo $$; sleep 20; :", watch(["FIRST", "AFIRST", "LAST", "IRST", "MISSING"]));
    expect(found).toEqual([["1", "no", "a=b", null, null]]);
    expect(variableOf(2 ** 22 + 1, "PATH")).toBe(null);
  });

  test("an ancestor's variable is found even if the child dropped it", async () => {
    const none = "METTLE_TEST_NO_SUCH_VARIABLE";
    expect(lineageHasVariable([none])).toBe(false);
    const environment = readFileSync("/proc/self/environ", "utf8").split("\0")[0] ?? "";
    const some = environment.split("=")[0] ?? "";
    expect(lineageHasVariable([none, some])).toBe(true);
    expect([eachCarrierHas(none, some), eachCarrierHas(some, some), eachCarrierHas(some, none)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("a detached process with an empty environment still has the mark", async () => {
    const script =
      "setsid -f env -i sh -c 'grep locks /proc/self/limits > limits; echo > done'; until [ -e done ]; do sleep 0.05; done";
    const result = await sh(script);
    expect(result.exitCode).toBe(0);
    const limits = await readFile(join(cwd, "limits"), "utf8");
    expect(limits.match(/\d+/gu)).toEqual(["1296389204", "1296389204"]);
  });

  test("only the leftovers of a crash are ended, identified by a variable", async () => {
    const other = sh("until [ -e go ]; do sleep 0.05; done; echo untouched", {
      env: { PATH: path, METTLE_TEST_RUN: `${cwd}2` },
    });
    const ending: Promise<readonly number[]>[] = [];
    // During exec a process shows no environment.
    const isUp = "until grep -q sleep /proc/$!/comm; do sleep 0.01; done; echo up";
    const result = await sh(`setsid sleep 300 & echo $! >> pids; echo $$ >> pids; ${isUp}; sleep 300`, {
      env: { PATH: path, METTLE_TEST_RUN: cwd },
      onStdout: () => void ending.push(endLeftovers("METTLE_TEST_RUN", cwd)),
    });
    // The shell may end before the answer says so.
    const killed = (await Promise.all(ending)).flat();
    const pids = await pidsIn("pids");
    await writeFile(join(cwd, "go"), "");
    expect([result.signal, alive(pids), `${(await other).stdout}`]).toEqual(["SIGKILL", [], "untouched\n"]);
    expect(pids.filter((pid) => !killed.includes(pid))).toEqual([]);
  });
});
