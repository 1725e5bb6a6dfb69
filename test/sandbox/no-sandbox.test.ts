/** A missing bubblewrap: before a run, and between two dispatches of a confined run. */
import { spawnSync } from "node:child_process";
import { chownSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { verifies, verifiesWhen } from "../verifies.ts";
import { driveWatched } from "../orchestrate/watched.ts";
import {
  createWorld,
  eventsOf,
  golden,
  answerAll,
  type CassetteFile,
  type World,
} from "../orchestrate/world.ts";
import { confinesHere, programHere } from "./bubblewrap.ts";

describe("without bubblewrap", () => {
  let world: World;
  let bin: string;
  let cassette: CassetteFile;
  let env: Readonly<Record<string, string>>;
  beforeAll(async () => {
    bin = await mkdtemp("/tmp/mettle-no-sandbox-");
    await symlink(programHere("git"), join(bin, "git"));
    env = { PATH: bin, METTLE_SANDBOX: "auto", METTLE_MUTATION_BUDGET: "0" };
    world = await createWorld(undefined, env);
    cassette = await golden();
  });
  afterAll(() => rm(bin, { recursive: true }));

  verifies("CORE-61", "a run continues, warns once that no agent is confined, and records it", async () => {
    const agent = await world.agent(cassette);
    const task = ["run", '@orchestrate "Add slugify(text)"', "--agent", agent];
    const { code, stderr, stdout } = await world.cli(task, { env });
    expect(code).toBe(3);
    expect(`${stdout}${stderr}`.split("isolation: none")).toHaveLength(2);
    expect(stderr).toContain(
      "note: no agent is confined (bubblewrap is not installed); records say isolation: none",
    );
    const [run = ""] = await world.host.journal.runs();
    const events = (await world.host.journal.read(run)).map(({ data }) => data as Record<string, unknown>);
    expect(events[0]?.["sandbox"]).toBeNull();
    expect(events.flatMap(({ isolation }) => isolation ?? [])).toEqual(["none"]);

    const required = { env: { ...env, METTLE_SANDBOX: "required" } };
    const refused = await world.cli([...task, "--json"], required);
    expect(refused.code).toBe(5);
    expect(refused.stderr + refused.stdout).toContain("sandbox_missing");
    expect(await world.host.journal.runs()).toHaveLength(1);
  });

  verifiesWhen(
    confinesHere(),
    "bubblewrap does not work here",
    "CORE-61",
    "a confined run starts no agent while bubblewrap is missing, and continues confined when it is back",
    { tags: "ci", timeout: 60_000 },
    async () => {
      const link = join(bin, "bwrap");
      await symlink(programHere("bwrap"), link);
      const run = await world.start(cassette);
      const gone: Promise<void>[] = [];
      const driven = await driveWatched(world, run, {
        answer: answerAll,
        on: (event) => {
          if (event.type === "result" && event.key.startsWith("intake") && gone.length === 0)
            gone.push(rm(link));
        },
      });
      await Promise.all(gone);
      const started = eventsOf(driven.events, "dispatch.started");
      expect(started.map(({ isolation }) => isolation.split(" ")[0])).toEqual(["bubblewrap"]);
      expect(eventsOf(driven.events, "result").at(-1)).toMatchObject({ outcome: "inconclusive" });
      expect(eventsOf(driven.events, "warned").at(-1)).toMatchObject({
        code: "sandbox_missing",
        message: expect.stringContaining(
          "bubblewrap can no longer confine agents: bubblewrap is not installed",
        ),
      });
      const still = await world.cli(["resume", run], { env });
      expect([still.code, still.stdout + still.stderr]).toEqual([
        5,
        expect.stringContaining("error[sandbox_missing]"),
      ]);

      await symlink(programHere("bwrap"), link);
      await world.cli(["resume", run], { env });
      const after = (await world.host.journal.read(run)).flatMap(({ data }) => {
        const { isolation } = data as { readonly isolation?: string };
        return isolation === undefined ? [] : [isolation.split(" ")[0]];
      });
      expect(after.length).toBeGreaterThan(1);
      expect(new Set(after)).toEqual(new Set(["bubblewrap"]));
    },
  );
});

const nobody = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;

verifiesWhen(
  isRoot && confinesHere(nobody),
  "needs root to become another user, and that bubblewrap works for that user",
  "CORE-60",
  "each escape attempt fails for an unprivileged user too",
  { tags: "ci" },
  async () => {
    const home = await mkdtemp("/tmp/mettle-nobody-");
    await mkdir(join(home, "private"));
    for (const folder of [home, join(home, "private")]) chownSync(folder, nobody.uid, nobody.gid);
    const env = { PATH: process.env["PATH"], HOME: home, METTLE_HOME: join(home, "private") };
    const argv = [packageRoot("dist/bin/mettle.js"), "doctor", "--json"];
    const { stdout } = spawnSync(process.execPath, argv, { ...nobody, cwd: home, env, encoding: "utf8" });
    await rm(home, { recursive: true });
    const { checks } = JSON.parse(stdout) as {
      checks: readonly { name: string; state: string; seen: string }[];
    };
    expect(checks.find(({ name }) => name === "sandbox")).toMatchObject({
      state: "ok",
      seen: expect.stringMatching(
        /^bubblewrap \S+ \(held: write, umount, rename, state home, user home, connect, kernel settings, root's files, network\)$/u,
      ),
    });
  },
);
