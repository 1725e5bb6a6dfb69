/** Ctrl-C in each kind of state: agents end, the run says how it goes on, and it does (CORE-96). */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { verifies, verifiesInCi } from "../verifies.ts";
import { callIn } from "../cli/here.ts";
import { createWorld, golden, type World } from "../orchestrate/world.ts";

interface Interrupted {
  readonly code: number | null;
  readonly stdout: string;
}

interface When {
  /** What the program has said. */
  readonly seen: string;
  /** A file that is there from the right moment on; without one it is a moment after `seen`. */
  readonly file?: string;
  readonly times: 1 | 2;
  /** SIGINT where nothing is said. */
  readonly signal?: "SIGINT" | "SIGTERM" | "SIGHUP";
}

/** Runs the program and sends the signal `times` times when it is the moment. */
function interrupt(
  world: World,
  args: readonly string[],
  { seen, file, times, signal = "SIGINT" }: When,
): Promise<Interrupted> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [packageRoot("dist/bin/mettle.js"), ...args], {
      cwd: world.repository.dir,
      env: world.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const deadline = setTimeout(() => child.kill("SIGKILL"), 60_000);
    let stdout = "";
    let isSeen = false;
    const send = async () => {
      if (file === undefined) await sleep(300);
      else while (!existsSync(file) && child.exitCode === null) await sleep(20);
      child.kill(signal);
      if (times > 1) setTimeout(() => child.kill(signal), 150);
    };
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      if (isSeen || !stdout.includes(seen)) return;
      isSeen = true;
      send().catch(reject);
    });
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(deadline);
      resolve({ code, stdout });
    });
  });
}

/** Whether no such process is left but one that waits to be reaped. A killed one ends when a busy machine schedules it. */
async function isGone(pid: string): Promise<boolean> {
  for (const end = Date.now() + 5_000; Date.now() < end; await sleep(20)) {
    const stat = await readFile(`/proc/${pid.trim()}/stat`, "utf8").catch(() => null);
    if (stat === null || / [ZX] /u.test(stat.slice(stat.lastIndexOf(")")))) return true;
  }
  return false;
}

describe("Ctrl-C", () => {
  let world: World;
  let agent: string;
  let run: string;
  /** The pid of the agent that played last. */
  let marker: string;
  beforeAll(async () => {
    world = await createWorld();
    marker = join(world.home, "agent.pid");
    agent = await world.agent(await golden());
  });

  /** What the agent of the first dispatch does from now on: it hangs, or it plays what the cassette has for it. */
  async function play(hangs: readonly Record<string, unknown>[] | null): Promise<void> {
    const cassette = await golden();
    const hang = {
      does: [
        ...(hangs ?? []),
        { shell: `echo $PPID > ${marker}.new; mv ${marker}.new ${marker}` },
        { hang: true },
      ],
    };
    const intake = hangs ? [hang, ...cassette.roles.intake] : cassette.roles.intake;
    await writeFile(
      agent.replace("scripted:", ""),
      JSON.stringify({ ...cassette, roles: { ...cassette.roles, intake } }),
    );
  }

  verifies(
    "CORE-96",
    "ends the agent once or at once, exits 130, names the command that continues, and that command does",
    async () => {
      await play([]);
      const args = ["run", "@orchestrate Add slugify", "--agent", agent, "--approve", "plan,code"];
      const once = await interrupt(world, args, { seen: "intake works", file: marker, times: 1 });
      expect(once.code, once.stdout).toBe(130);
      expect(await isGone(await readFile(marker, "utf8"))).toBe(true);
      run = (await world.host.journal.runs())[0] ?? "";
      expect(once.stdout).toContain(`mettle resume ${run}`);

      // An agent that is asked to end, and does not.
      await play([{ ignoreSigterm: true }, { say: "thinking" }]);
      await rm(marker);
      const atOnce = await interrupt(world, ["resume", run], {
        seen: "intake works",
        file: marker,
        times: 2,
      });
      expect(atOnce.code, atOnce.stdout).toBe(130);
      // It waited for nothing, so it has nothing to say.
      expect(atOnce.stdout).not.toContain(`mettle resume ${run}`);
      expect(await isGone(await readFile(marker, "utf8"))).toBe(true);

      // A terminal that is closed, and a service that is stopped (fault D8).
      for (const signal of ["SIGHUP", "SIGTERM"] as const) {
        await play([]);
        await rm(marker);
        const when = { seen: "intake works", file: marker, times: 1, signal } as const;
        const hungUp = await interrupt(world, ["resume", run], when);
        expect(hungUp.code, hungUp.stdout).toBe(130);
        expect(await isGone(await readFile(marker, "utf8"))).toBe(true);
      }

      // The dispatch is still the first one, and now its agent answers.
      await play(null);
      const resumed = await callIn(world, ["resume", run, "--json"]);
      expect(resumed.code, resumed.stderr).toBe(3);
      expect(resumed.json()["waiting"]).toMatchObject({ kind: "questions" });
    },
  );

  verifiesInCi("CORE-96", "in a check leaves the run where it stood, and resume completes it", async () => {
    const questions = ["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => `${id}=as it says`);
    const ended = await interrupt(world, ["answer", run, ...questions], { seen: "RED commit", times: 1 });
    expect(ended.code, ended.stdout).toBe(130);
    const resumed = await callIn(world, ["resume", run, "--json"]);
    expect(resumed.code, resumed.stdout).toBe(0);
    expect(resumed.json()).toMatchObject({ status: "complete" });
  });
});
