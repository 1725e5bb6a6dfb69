/**
 * `mettle doctor` on a complete machine, then with each part broken in turn. All other lines must stay ok, so each line is also
 * checked to become ok again after the fix.
 */
import { shippedFamilies } from "../../src/families/families.ts";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { beforeAll, describe, expect, test } from "vitest";
import type { DoctorFinding } from "../../src/cli/doctor/check.ts";
import { examine } from "../../src/cli/doctor/examine.ts";
import { oldestNode } from "../../src/cli/doctor/node.ts";
import { readContext } from "../../src/cli/doctor/context.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { openRepository } from "../../src/git/repository.ts";
import { openHost } from "../../src/run/host.ts";
import { startRun } from "../../src/engine/start/start-run.ts";
import type { TempRepository } from "../../src/testing/temp-repository.ts";
import { golden } from "../orchestrate/world.ts";
import { inCi, verifies, verifiesInCi } from "../verifies.ts";
import { breakages } from "./doctor-broken.ts";
import { createMachine, realGit, sandboxFlags, type Machine } from "./doctor-machine.ts";
import { callHere } from "./here.ts";
import { callProgram } from "./stage.ts";

const bwrapWorks =
  spawnSync("bwrap", [...sandboxFlags.split(" "), "--ro-bind", "/", "/", "true"]).status === 0;

describe("doctor", () => {
  let machine: Machine;
  let repository: TempRepository;

  const put = (path: string, text: string | null) => () => repository.write({ [path]: text });
  const notOk = (checks: readonly DoctorFinding[]) => checks.filter(({ state }) => state !== "ok");

  beforeAll(async () => {
    machine = await createMachine();
    ({ repository } = machine);
    expect((await callHere(["init"], { cwd: repository.dir, env: machine.env })).code).toBe(0);
    await rm(join(repository.dir, "mettle.yaml"));
    await rm(join(machine.temporary, "state"), { recursive: true });
  });

  verifiesInCi("CORE-82", "reports each item as ok and exits with 0", async () => {
    const { code, stdout, stderr } = await callProgram(["doctor"], { cwd: repository.dir, env: machine.env });
    expect([code, stderr]).toEqual([0, ""]);
    const version = spawnSync(realGit, ["--version"], { encoding: "utf8" }).stdout.trim().slice(12);
    const head = (await repository.git("rev-parse", "HEAD")).slice(0, 8);
    const { id } = await openRepository(repository.dir, { path: machine.bin });
    expect(stdout.split("\n")).toEqual([
      `✓ node        ${process.versions.node}`,
      `✓ git         ${version}`,
      `✓ repository  ${repository.dir}`,
      "✓ settings    no mettle.yaml, so the defaults apply; `mettle init` writes one",
      `✓ branch      main at ${head}, where a run starts and lands`,
      "✓ runner      node:test, detected",
      "✓ agents      claude 2.1.332, logged in by ANTHROPIC_API_KEY (not tried); it plays every role",
      "✓ sandbox     bubblewrap 0.8.0 (held: write, umount, rename, state home, user home, connect, kernel settings, root's files, network)",
      "✓ hooks       SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, PreCompact, Stop start and answer",
      `✓ state home  ${join(machine.temporary, "state", id)}, created when needed`,
      "✓ clean-up    nothing to clean up",
      "",
      "A run has all it needs.",
      "",
    ]);
    expect(await readdir(machine.temporary)).toEqual(["bin"]);
  });

  verifiesInCi(
    "CORE-82",
    "reports each broken part with the command that fixes it, and nothing else",
    async () => {
      // The test above starts the real hook; here any answer is enough.
      await machine.program("mettle", "exit 0");
      const table = await breakages(machine);
      for (const { what, break: breaks, fix, env: more, line, seen, help } of table) {
        await breaks();
        const { code, checks } = await machine.doctor(more);
        await fix();
        expect([what, code, notOk(checks)]).toEqual([
          what,
          line.state === "fail" ? 5 : 0,
          [
            {
              ...line,
              seen: expect.stringMatching(seen),
              help: typeof help === "string" ? help : expect.stringMatching(help),
            },
          ],
        ]);
      }
      const { code, checks } = await machine.doctor();
      expect([code, notOk(checks), checks.at(-1)?.seen]).toEqual([0, [], "nothing to clean up"]);
    },
  );

  verifies("CORE-82", "names a Node that is too old", async () => {
    const place = { ...(await readContext(repository.dir)), nodeVersion: "18.20.4" };
    expect((await examine(place))[0]).toEqual({
      name: "node",
      state: "fail",
      seen: `18.20.4 is older than ${oldestNode}`,
      help: "nvm install 22, or get it from https://nodejs.org",
    });
    const { engines } = JSON.parse(await readFile(packageRoot("package.json"), "utf8"));
    expect(`${engines.node}.0`).toBe(`>=${oldestNode}`);
  });

  test.skipIf(!bwrapWorks)("probes the real sandbox if bubblewrap works", { tags: "ci" }, async () => {
    const path = process.env["PATH"] ?? "";
    const found = await examine({
      ...(await readContext(repository.dir)),
      env: machine.env,
      path,
      platform: "linux",
    });
    expect(found.find(({ name }) => name === "sandbox")).toMatchObject({ state: "ok" });
  });

  inCi("on a system without a supported sandbox it reports the consequences", async () => {
    const found = await examine({
      ...(await readContext(repository.dir)),
      env: machine.env,
      platform: "darwin",
    });
    expect(found.find(({ name }) => name === "sandbox")).toMatchObject({
      state: "warn",
      seen: "not supported on this system; no agent is confined: records say isolation: none",
    });
  });

  inCi("outside a repository it checks only the machine and creates nothing", async () => {
    const folder = join(machine.temporary, "folder");
    await mkdir(folder);
    const { code, checks } = await machine.doctor({ METTLE_HOME: join(machine.temporary, "never") }, folder);
    expect([code, notOk(checks)]).toEqual([
      0,
      [
        {
          name: "repository",
          state: "warn",
          seen: `${folder} is in no repository, so only the machine was checked`,
          help: "cd to a repository, or create one: git init",
        },
      ],
    ]);
    expect(checks.map(({ name }) => name)).toEqual([
      "node",
      "git",
      "repository",
      "agents",
      "sandbox",
      "state home",
    ]);
    expect(await readdir(machine.temporary)).not.toContain("never");
  });

  verifiesInCi(
    "CORE-82",
    "lists what an ended run left behind, and how to remove what `clean` keeps",
    async () => {
      const { repository: opened, ...host } = await openHost(repository.dir, {
        METTLE_HOME: machine.env["METTLE_HOME"] ?? "",
      });
      const cassette = join(machine.temporary, "cassette.yaml");
      await writeFile(cassette, stringify(await golden()));
      const agents = { default: `scripted:${cassette}` };
      const wanted = { task: "Add slugify", protocol: "orchestrate", agents, preapproved: [], demo: false };
      const { run } = await startRun({ repository: opened, ...host }, wanted, shippedFamilies);
      await host.journal.close();
      const call = (...args: string[]) => callHere(args, { cwd: repository.dir, env: machine.env });
      expect((await call("abort", run)).code).toBe(1);
      const left = (name: string) => join(host.home.worktrees, run, name);
      for (const name of ["clean", "dirty"])
        await repository.git("worktree", "add", "--quiet", "--detach", left(name));
      await writeFile(join(left("dirty"), "work.txt"), "work");

      const stays = {
        name: "clean-up",
        state: "warn",
        seen: `${left("dirty")} has uncommitted files`,
        help: `take what you need, then: git worktree remove --force ${left("dirty")}`,
      };
      const goes = { name: "clean-up", state: "warn", seen: "left over: 1 worktree", help: "mettle clean" };
      expect(notOk((await machine.doctor()).checks)).toEqual([goes, stays]);
      expect((await call("clean")).code).toBe(0);
      expect(notOk((await machine.doctor()).checks)).toEqual([stays]);
      await repository.git("worktree", "remove", "--force", left("dirty"));
      expect(notOk((await machine.doctor()).checks)).toEqual([]);
    },
  );

  inCi("a login file of Claude Code counts as a login", async () => {
    const file = join(machine.temporary, "home", ".claude", ".credentials.json");
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(file, "{}");
    const { checks } = await machine.doctor({ ANTHROPIC_API_KEY: "" });
    await rm(join(machine.temporary, "home"), { recursive: true });
    expect(checks.find(({ name }) => name === "agents")?.seen).toContain(`logged in by ${file} (not tried)`);
  });

  inCi("reports the login that Codex and OpenCode would use, and a hint if there is none", async () => {
    await put("mettle.yaml", "version: 1\nagents: { default: codex, roles: { tester: opencode } }\n")();
    await machine.program("codex", "echo 'codex-cli 0.171.0'");
    await machine.program("opencode", "echo 1.18.33");
    const lines = async (env: Readonly<Record<string, string>>) =>
      (await machine.doctor({ ANTHROPIC_API_KEY: "", ...env })).checks.filter(
        ({ name }) => name === "agents",
      );
    const ready = await lines({ OPENAI_API_KEY: "dummy-key-of-the-test" });
    const lacking = await lines({});
    const config = join(machine.temporary, "home", ".config", "opencode", "opencode.json");
    await mkdir(dirname(config), { recursive: true });
    await writeFile(config, JSON.stringify({ provider: { mine: {} }, model: "mine/m" }));
    const local = await lines({});
    await writeFile(config, "{ // a comment\n}");
    const broken = await lines({});
    await rm(join(machine.temporary, "home"), { recursive: true });
    for (const name of ["codex", "opencode"]) await machine.without(name);
    await put("mettle.yaml", null)();
    expect(ready.map(({ seen }) => seen)).toEqual([
      "codex 0.171.0, logged in by OPENAI_API_KEY (not tried); it plays every role that is not named",
      "opencode 1.18.33, logged in by OPENAI_API_KEY (not tried); it plays tester",
    ]);
    expect(lacking.map(({ state, help }) => [state, help])).toEqual([
      ["fail", expect.stringContaining("codex login")],
      ["fail", expect.stringContaining("opencode auth login")],
    ]);
    expect(local[1]?.seen).toContain("1.18.33, by a provider of its configuration (not tried)");
    expect(broken[1]).toMatchObject({ state: "fail", help: expect.stringContaining("comments") });
  });

  inCi("each agent of the settings has its own line, and an unknown agent is a fail", async () => {
    const roles = "roles: { coder: mine, tester: mine, planner: hal, gemini: 'scripted:nothing.yaml' }";
    const text = `version: 1\nagents:\n  commands: { mine: { run: [mettle] } }\n  ${roles}\n`;
    await put("mettle.yaml", text)();
    const { code, checks } = await machine.doctor();
    await put("mettle.yaml", null)();
    expect(code).toBe(5);
    const seen = checks.filter(({ name }) => name === "agents").map((line) => [line.state, line.seen]);
    expect(seen).toEqual([
      ["ok", expect.stringMatching(/^claude 2\.1\.332, .*; it plays every role that is not named$/u)],
      ["ok", "mine is configured; its version and login are not checked; it plays coder, tester"],
      ["fail", expect.stringMatching(/^hal: no agent is called hal; it plays planner$/u)],
      [
        "fail",
        expect.stringMatching(/^scripted:nothing\.yaml: the cassette .* cannot be read; it plays gemini$/u),
      ],
    ]);
  });
});
