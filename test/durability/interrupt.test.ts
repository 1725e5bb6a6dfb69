/** Ctrl-C in each kind of state: agents end, the run says how it goes on, and it does (CORE-96). */
import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { verifies } from "../verifies.ts";
import { createWorld, golden, type CassetteFile, type World } from "../orchestrate/world.ts";

interface Interrupted {
  readonly code: number | null;
  readonly stdout: string;
  readonly ms: number;
}

/** Runs the program and sends SIGINT `times` times once `seen` stands in its output. */
function interrupt(
  world: World,
  args: readonly string[],
  { seen, times }: { seen: string; times: number },
): Promise<Interrupted> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [packageRoot("dist/bin/mettle.js"), ...args], {
      cwd: world.repository.dir,
      env: { PATH: process.env["PATH"] ?? "", HOME: world.home, METTLE_HOME: world.home },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const deadline = setTimeout(() => child.kill("SIGKILL"), 60_000);
    let stdout = "";
    let sent = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      if (sent > 0 || !stdout.includes(seen)) return;
      sent = Date.now();
      setTimeout(() => child.kill("SIGINT"), 300);
      if (times > 1) setTimeout(() => child.kill("SIGINT"), 450);
    });
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(deadline);
      resolve({ code, stdout, ms: Date.now() - sent });
    });
  });
}

async function withHangingIntake(
  world: World,
): Promise<{ readonly cassette: CassetteFile; readonly marker: string }> {
  const marker = join(world.home, "agent.pid");
  const cassette = await golden();
  const [first] = cassette.roles.intake;
  const hang = {
    does: [{ shell: `echo $PPID > ${marker}` }, { ignoreSigterm: true }, { say: "thinking" }, { hang: true }],
  };
  return {
    cassette: {
      ...cassette,
      roles: {
        ...cassette.roles,
        intake: [hang, ...(first ? [first] : []), ...cassette.roles.intake.slice(1)],
      },
    },
    marker,
  };
}

/** No process, or one that only waits to be reaped. */
async function isGone(pid: string): Promise<boolean> {
  const stat = await readFile(`/proc/${pid.trim()}/stat`, "utf8").catch(() => null);
  return stat === null || / [ZX] /u.test(stat.slice(stat.lastIndexOf(")")));
}

describe("Ctrl-C", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.remove());

  verifies(
    "CORE-96",
    "ends the agent once or at once, exits 130, names the command that continues, and that command does",
    async () => {
      for (const times of [1, 2]) {
        const { cassette, marker } = await withHangingIntake(world);
        const agent = await world.agent(cassette);
        const args = ["run", "@orchestrate Add slugify", "--agent", agent];
        const ended = await interrupt(world, args, { seen: "intake works", times });
        expect(ended.code, ended.stdout).toBe(130);
        expect(await isGone(await readFile(marker, "utf8"))).toBe(true);
        const [run = ""] = (await world.host.journal.runs()).slice(-1);
        if (times === 1) expect(ended.stdout).toContain(`mettle resume ${run}`);
        // The dispatch is still the first one, and now its agent answers.
        const quick = { ...cassette, roles: { ...cassette.roles, intake: cassette.roles.intake.slice(1) } };
        await writeFile(agent.replace("scripted:", ""), JSON.stringify(quick));
        const resumed = await world.cli(["resume", run, "--json"]);
        expect(resumed.code, resumed.stderr).toBe(3);
        expect(resumed.json()["waiting"]).toMatchObject({ kind: "questions" });
      }
    },
    120_000,
  );

  verifies(
    "CORE-96",
    "in a check leaves the run where it stood, and resume completes it",
    async () => {
      const agent = await world.agent(await golden());
      const run = await world.start(await golden(), {
        agents: { default: agent },
        preapproved: ["plan", "code"],
      });
      await world.cli(["resume", run, "--json"]);
      const questions = ["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => `${id}=as it says`);
      const ended = await interrupt(world, ["answer", run, ...questions], { seen: "RED commit", times: 1 });
      expect(ended.code, ended.stdout).toBe(130);
      const resumed = await world.cli(["resume", run, "--json"]);
      expect(resumed.code, resumed.stdout).toBe(0);
      expect(resumed.json()).toMatchObject({ status: "complete" });
    },
    120_000,
  );
});
