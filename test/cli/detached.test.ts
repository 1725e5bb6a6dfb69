// @module-tag ci
/** `mettle run --detach` with a local store: the run goes on in a process of its own (SCL-09). */
import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { goOnHere } from "../../src/cli/background/go-on.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { verifies, verifiesWhen } from "../verifies.ts";
import { hasScript, openTerminal } from "../support/terminal.ts";
import { golden, untestedFiles, createWorld, type CassetteFile, type World } from "../orchestrate/world.ts";

const answers = ["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => `${id}=yes`);

async function begin(change: (cassette: CassetteFile) => void = () => undefined) {
  const world = await createWorld(await untestedFiles());
  const cassette = await golden();
  change(cassette);
  const agent = `default=${await world.agent(cassette)}`;
  const started = await world.cli(["run", "Add slugify(text)", "--detach", "--agent", agent, "--json"]);
  expect([started.code, started.stderr]).toEqual([0, expect.not.stringContaining("error[")]);
  return { world, run: String(started.json()["run"]), started };
}

interface Status {
  readonly status: string;
  readonly owner: number | null;
  readonly output: string | null;
}

async function show(world: World, run: string): Promise<Status> {
  return (await world.cli(["show", run, "--json"])).json() as unknown as Status;
}

/** Waits until no process drives the run. @throws after a minute */
async function untilLeft(world: World, run: string): Promise<Status> {
  for (let look = 0; look < 300; look++) {
    const status = await show(world, run);
    if (status.owner === null) return status;
    await pause(200);
  }
  throw new Error((await world.cli(["log", run])).stdout);
}

/** Processes with this world's state home in their environment. */
function processesOf({ home }: World): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`METTLE_HOME=${home}\0`);
      } catch {
        return false; // ended, or another user's
      }
    });
}

const working = (cassette: CassetteFile) => {
  cassette.roles.intake[0]?.does?.unshift({ shell: "sleep 120" });
};

afterEach(() => void vi.unstubAllEnvs());

verifies(
  "SCL-09",
  "a detached run goes to its end by answers, in processes that stop when it waits, and leaves none",
  async () => {
    const { world, run, started } = await begin();
    expect(started.json()).toMatchObject({ run, outcome: "detached" });
    const watched = await world.cli(["watch", run]);
    const { status, output } = await untilLeft(world, run);
    expect([watched.code, watched.stdout, status]).toEqual([
      3,
      expect.stringContaining(`the output of its process: ${String(output)}`),
      "waiting",
    ]);
    expect(readFileSync(String(output), "utf8")).toContain(`mettle answer ${run}`);
    expect((await world.cli(["show", run])).stdout).toContain(`output    ${String(output)}`);
    expect(processesOf(world)).toEqual([]);
    for (const args of [
      ["answer", run, ...answers],
      ["approve", run],
      ["approve", run],
    ]) {
      const called = await world.cli(args);
      expect([called.code, called.stderr, called.stdout]).toEqual([
        0,
        "",
        expect.stringContaining(`run ${run} goes on without this command`),
      ]);
      await untilLeft(world, run);
    }
    expect((await show(world, run)).status).toBe("complete");
    expect(processesOf(world)).toEqual([]);
    expect((await world.cli(["verify", run])).code).toBe(0);
    expect((await world.cli(["land", run])).code).toBe(0);
  },
  120_000,
);

verifies(
  "SCL-09",
  "a detached run is in a session of its own, ends by abort with its agents, and goes on by resume after kill -9",
  async () => {
    const { world, run } = await begin(working);
    const { owner } = await show(world, run);
    const pid = Number(owner);
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [group, session] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(2);
    expect([group, session]).toEqual([`${pid}`, `${pid}`]);
    process.kill(pid, "SIGKILL");
    expect(await untilLeft(world, run)).toMatchObject({ status: "stopped" });
    const resumed = await world.cli(["resume", run, "--json"]);
    expect([resumed.code, resumed.json()["outcome"]]).toEqual([0, "detached"]);
    expect((await show(world, run)).owner).not.toBe(null);
    // A second one changes nothing.
    expect((await world.cli(["resume", run])).code).toBe(0);
    expect((await world.cli(["abort", run, "--reason", "seen enough"])).code).toBe(1);
    expect(await untilLeft(world, run)).toMatchObject({ status: "halted" });
    await vi.waitFor(() => expect(processesOf(world)).toEqual([]), 10_000);
  },
  120_000,
);

verifiesWhen(
  hasScript,
  "needs script of util-linux",
  "SCL-09",
  "a detached run goes on when the terminal that began it is closed",
  async () => {
    const world = await createWorld(await untestedFiles());
    const agent = `default=${await world.agent(await golden())}`;
    const line = ["run", "Add slugify(text)", "--detach", "--agent", agent];
    const program = [process.execPath, packageRoot("dist/bin/mettle.js"), ...line];
    const terminal = openTerminal(program, { cwd: world.repository.dir, env: world.env });
    expect(await terminal.ended()).toBe(0);
    const [, run = ""] = /run (\w+) goes on without this command/u.exec(terminal.screen()) ?? [];
    expect(await untilLeft(world, run)).toMatchObject({ status: "waiting" });
  },
  60_000,
);

test("a process that cannot begin is reported with the file of its output (background_failed)", async () => {
  const world = await createWorld();
  vi.stubEnv("PATH", "/nowhere");
  const going = goOnHere(world.host, "abc123");
  await expect(going).rejects.toMatchObject({
    code: "background_failed",
    hint: expect.stringMatching(/^Its output is in .*abc123\/output\.log\. `mettle resume abc123`/u),
  });
}, 30_000);
