/**
 * `mettle doctor` on a machine that has everything, then with each thing broken in turn. Where one thing is broken every
 * other line stays ok, so each line is seen to turn ok again when the next thing is broken in its place.
 */
import { mkdir, readFile, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Finding } from "../../src/cli/doctor/check.ts";
import { examine } from "../../src/cli/doctor/examine.ts";
import { oldestNode } from "../../src/cli/doctor/node.ts";
import { readPlace } from "../../src/cli/doctor/place.ts";
import { reportText } from "../../src/cli/doctor/report.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { stateHome } from "../../src/config/home.ts";
import { openRepository } from "../../src/git/repository.ts";
import type { TempRepository } from "../../src/testing/temp-repository.ts";
import { verifies, verifiesWhen } from "../verifies.ts";
import { createMachine, realGit, sandboxFlags, type Machine } from "./doctor-machine.ts";
import { callHere } from "./here.ts";
import { callProgram } from "./stage.ts";

interface Broken {
  readonly what: string;
  readonly break: () => Promise<unknown>;
  readonly mend: () => Promise<unknown>;
  readonly env?: Readonly<Record<string, string>>;
  readonly line: { readonly name: string; readonly state: "warn" | "fail" };
  readonly seen: RegExp;
  readonly help: string | RegExp;
}

const bwrapWorks =
  spawnSync("bwrap", [...sandboxFlags.split(" "), "--ro-bind", "/", "/", "true"]).status === 0;

describe("doctor", () => {
  let machine: Machine;
  let repository: TempRepository;

  const nothing = async (): Promise<void> => undefined;
  const put = (path: string, text: string | null) => () => repository.write({ [path]: text });
  const hooksFile = ".claude/settings.local.json";
  const git =
    (...args: string[]) =>
    () =>
      repository.git(...args);
  const notOk = (checks: readonly Finding[]) => checks.filter(({ state }) => state !== "ok");

  beforeAll(async () => {
    machine = await createMachine();
    ({ repository } = machine);
    expect((await callHere(["init"], { cwd: repository.dir, env: machine.env })).code).toBe(0);
    await rm(join(repository.dir, "mettle.yaml"));
    await rm(join(machine.temporary, "state"), { recursive: true });
  });
  afterAll(() => machine.remove());

  verifies("CORE-82", "says of each item that it is ok, and exits 0", async () => {
    const { code, stdout, stderr } = await callProgram(["doctor"], { cwd: repository.dir, env: machine.env });
    expect([code, stderr]).toEqual([0, ""]);
    const version = spawnSync(realGit, ["--version"], { encoding: "utf8" }).stdout.trim().slice(12);
    const head = (await repository.git("rev-parse", "HEAD")).slice(0, 8);
    const { id } = await openRepository(repository.dir, { path: machine.bin });
    expect(stdout.split("\n")).toEqual([
      `✓ node        ${process.versions.node}`,
      `✓ git         ${version}`,
      "✓ settings    no mettle.yaml, so the defaults hold; `mettle init` writes one",
      `✓ branch      main at ${head}, where a run starts and lands`,
      "✓ runner      node:test, found by itself",
      "✓ agents      claude 2.1.332, logged in by ANTHROPIC_API_KEY (not tried); it plays every role",
      "✓ sandbox     bubblewrap works here; this version confines no agent: records say isolation: none",
      "✓ hooks       UserPromptSubmit, PreToolUse, Stop start and answer; this version lets everything pass",
      `✓ state home  ${join(machine.temporary, "state", id)}, made when it is first needed`,
      "✓ clean-up    nothing was ever left here",
      "",
      "A run has all it needs.",
      "",
    ]);
    expect(await readdir(machine.temporary)).toEqual(["bin"]);
  });

  verifies(
    "CORE-82",
    "names each thing that is broken with the command that helps, and nothing else",
    async () => {
      // Its start as a program was seen above; here an answer is enough.
      await machine.program("mettle", "exit 0");
      const hooks = await readFile(join(repository.dir, hooksFile), "utf8");
      const mendHooks = put(hooksFile, hooks);
      const atHome = join(machine.temporary, "state");
      const { id } = await openRepository(repository.dir, { path: machine.bin });
      const places = stateHome({ repository: id, env: { METTLE_HOME: atHome } });
      const lock = join(repository.dir, ".git/refs/mettle/left.lock");
      const asClaude = { name: "agents", state: "fail" } as const;
      const asHooks = { name: "hooks", state: "warn" } as const;
      const table: readonly Broken[] = [
        {
          what: "no git",
          break: () => machine.without("git"),
          mend: machine.git,
          line: { name: "git", state: "fail" },
          seen: /^git could not be started: ENOENT$/u,
          help: "sudo apt-get install git",
        },
        {
          what: "an old git",
          break: () => machine.program("git", "echo git version 2.30.1"),
          mend: machine.git,
          line: { name: "git", state: "fail" },
          seen: /^git 2\.38 or newer is needed, found: git version 2\.30\.1$/u,
          help: "sudo apt-get install git",
        },
        {
          what: "broken settings",
          break: put("mettle.yaml", "version: 1\nlimit: 3\n"),
          mend: put("mettle.yaml", null),
          line: { name: "settings", state: "fail" },
          seen: /^mettle\.yaml:2:1: .*limit/u,
          help: "correct this line and try again",
        },
        {
          what: "a branch that does not exist",
          break: git("symbolic-ref", "HEAD", "refs/heads/gone"),
          mend: git("symbolic-ref", "HEAD", "refs/heads/main"),
          line: { name: "branch", state: "fail" },
          seen: /^the branch gone, which HEAD names, does not exist/u,
          help: "git switch main",
        },
        {
          what: "a detached HEAD",
          break: git("checkout", "--quiet", "--detach"),
          mend: git("checkout", "--quiet", "main"),
          line: { name: "branch", state: "warn" },
          seen: /^HEAD is detached at [0-9a-f]{8};/u,
          help: "git switch main",
        },
        {
          what: "a runner that is not installed",
          break: put("mettle.yaml", "version: 1\nrunner: vitest\n"),
          mend: put("mettle.yaml", null),
          line: { name: "runner", state: "fail" },
          seen: /^vitest is the project's runner, but it is not installed$/u,
          help: "npm install",
        },
        {
          what: "no program of the agent",
          break: () => machine.without("claude"),
          mend: machine.claude,
          line: asClaude,
          seen: /^claude: there is no program claude; it plays every role$/u,
          help: /npm install -g @anthropic-ai\/claude-code/u,
        },
        {
          what: "an old agent",
          break: () => machine.claude("1.0.3"),
          mend: machine.claude,
          line: asClaude,
          seen: /^claude: its version 1\.0\.3 is older than 2\.1\.0/u,
          help: /npm install -g @anthropic-ai\/claude-code@latest/u,
        },
        {
          what: "no login",
          break: nothing,
          mend: nothing,
          env: { ANTHROPIC_API_KEY: "" },
          line: asClaude,
          seen: /^claude: it is not logged in/u,
          help: /`claude setup-token`/u,
        },
        {
          what: "no sandbox",
          break: () => machine.without("bwrap"),
          mend: machine.bwrap,
          line: { name: "sandbox", state: "warn" },
          seen: /^bubblewrap is not installed; this version confines no agent: records say isolation: none$/u,
          help: "sudo apt-get install bubblewrap",
        },
        {
          what: "a sandbox that knows too little",
          break: () => machine.program("bwrap", "echo 'bwrap: Unknown option --disable-userns' >&2; exit 1"),
          mend: machine.bwrap,
          line: { name: "sandbox", state: "warn" },
          seen: /^bubblewrap does not work here \(Unknown option --disable-userns\);/u,
          help: "sudo apt-get install bubblewrap (0.8 or newer)",
        },
        {
          what: "a sandbox that is required",
          break: put("mettle.yaml", "version: 1\nsandbox: required\n"),
          mend: put("mettle.yaml", null),
          line: { name: "sandbox", state: "fail" },
          seen: /^mettle\.yaml requires one; this version confines no agent/u,
          help: "write `sandbox: auto` in mettle.yaml",
        },
        {
          what: "no hooks",
          break: put(hooksFile, null),
          mend: mendHooks,
          line: asHooks,
          seen: /^none: sessions of Claude Code/u,
          help: "mettle init",
        },
        {
          what: "a hook too few",
          break: put(hooksFile, hooks.replace('"Stop"', '"SubagentStop"')),
          mend: mendHooks,
          line: asHooks,
          seen: /^there is none for Stop$/u,
          help: "mettle init",
        },
        {
          what: "hooks that are switched off",
          break: put(".claude/settings.json", '{ "disableAllHooks": true }'),
          mend: put(".claude/settings.json", null),
          line: asHooks,
          seen: /settings\.json switches all hooks off$/u,
          help: /^take `disableAllHooks` out of /u,
        },
        {
          what: "a hook whose program is gone",
          break: () => machine.without("mettle"),
          mend: () => machine.program("mettle", "exit 0"),
          line: asHooks,
          seen: /`mettle hook`, is not found: mettle is not on PATH$/u,
          help: `cd ${packageRoot()} && npm link`,
        },
        {
          what: "a hook that blocks",
          break: () => machine.program("mettle", "exit 2"),
          mend: () => machine.program("mettle", "exit 0"),
          line: asHooks,
          seen: /ends with exit code 2, which blocks the session's tools$/u,
          help: `cd ${packageRoot()} && npm link`,
        },
        {
          what: "a state home that cannot be written",
          break: nothing,
          mend: nothing,
          env: { METTLE_HOME: "/dev/null/nowhere" },
          line: { name: "state home", state: "fail" },
          seen: /: \/dev\/null is no folder$/u,
          help: 'export METTLE_HOME="$HOME/.mettle-state"',
        },
        {
          what: "things left over",
          break: async () => {
            expect((await callHere(["status"], { cwd: repository.dir, env: machine.env })).code).toBe(0);
            await mkdir(join(places.worktrees, "proof-red.4194305.abc"), { recursive: true });
            await mkdir(join(repository.dir, ".git/refs/mettle"), { recursive: true });
            await writeFile(lock, "");
            await utimes(lock, 1, 1);
          },
          // With the command that doctor names.
          mend: async () =>
            expect((await callHere(["clean"], { cwd: repository.dir, env: machine.env })).code).toBe(0),
          line: { name: "clean-up", state: "warn" },
          seen: /^left over: 1 checkout, 1 lock$/u,
          help: "mettle clean",
        },
      ];
      for (const { what, break: breaks, mend, env: more, line, seen, help } of table) {
        await breaks();
        const { code, checks } = await machine.doctor(more);
        await mend();
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
      expect([code, notOk(checks), checks.at(-1)?.seen]).toEqual([0, [], "nothing is left over"]);
    },
  );

  verifies("CORE-82", "names a Node that is too old", async () => {
    const place = { ...(await readPlace(repository.dir)), nodeVersion: "18.20.4" };
    expect((await examine(place))[0]).toEqual({
      name: "node",
      state: "fail",
      seen: `18.20.4 is older than ${oldestNode}`,
      help: "nvm install 22, or get it from https://nodejs.org",
    });
    const { engines } = JSON.parse(await readFile(packageRoot("package.json"), "utf8"));
    expect(`${engines.node}.0`).toBe(`>=${oldestNode}`);
  });

  verifiesWhen(bwrapWorks, "bubblewrap does not work here", "CORE-82", "tries the real sandbox", async () => {
    const path = process.env["PATH"] ?? "";
    const found = await examine({ ...(await readPlace(repository.dir)), path, platform: "linux" });
    expect(found.find(({ name }) => name === "sandbox")).toMatchObject({ state: "ok" });
  });

  test("on a system without a known sandbox it says what that means", async () => {
    const found = await examine({ ...(await readPlace(repository.dir)), platform: "darwin" });
    expect(found.find(({ name }) => name === "sandbox")).toMatchObject({
      state: "warn",
      seen: "none is known for this system; this version confines no agent: records say isolation: none",
    });
  });

  test("outside a repository it looks at the machine alone, and makes nothing", async () => {
    const folder = join(machine.temporary, "folder");
    await mkdir(folder);
    const { code, checks } = await machine.doctor({ METTLE_HOME: join(machine.temporary, "never") }, folder);
    expect([code, notOk(checks)]).toEqual([
      0,
      [
        {
          name: "settings",
          state: "warn",
          seen: `${folder} is in no git repository, so only the machine was looked at`,
          help: "cd to a repository, or make one: git init",
        },
      ],
    ]);
    expect(checks.map(({ name }) => name)).toEqual([
      "node",
      "git",
      "settings",
      "agents",
      "sandbox",
      "state home",
    ]);
    expect(await readdir(machine.temporary)).not.toContain("never");
  });

  test("each agent of the settings is a line of its own, and one that nobody knows is a fail", async () => {
    const roles = "roles: { coder: mine, tester: mine, planner: hal, gemini: 'scripted:nothing.yaml' }";
    const text = `version: 1\nagents:\n  commands: { mine: { run: [mettle] } }\n  ${roles}\n`;
    await put("mettle.yaml", text)();
    const { code, checks } = await machine.doctor();
    await put("mettle.yaml", null)();
    expect(code).toBe(5);
    const seen = checks.filter(({ name }) => name === "agents").map((line) => [line.state, line.seen]);
    expect(seen).toEqual([
      ["ok", expect.stringMatching(/^claude 2\.1\.332, .*; it plays every role that is not named$/u)],
      ["ok", "mine is there; its version and login are its own; it plays coder, tester"],
      ["fail", expect.stringMatching(/^hal: no agent is called hal/u)],
      ["fail", expect.stringMatching(/^scripted:nothing\.yaml: the cassette .* cannot be read$/u)],
    ]);
  });

  test("a check that gives no answer is a finding, and does not hold the others up", async () => {
    const place = await readPlace(repository.dir);
    const slow = { name: "slow", needed: true, look: () => new Promise<never>(() => undefined) };
    const fast = { name: "fast", needed: true, look: async () => [] };
    expect(await examine(place, [slow, fast], 50)).toEqual([
      { name: "slow", state: "fail", seen: "no answer within 0.05 s", help: "try again: mettle doctor" },
    ]);
  });

  test("on a terminal it is coloured and fits, elsewhere it is plain", () => {
    const findings: readonly Finding[] = [
      { name: "a", state: "ok", seen: "fine", help: null },
      { name: "long", state: "fail", seen: "one two three four five six", help: "do this" },
    ];
    expect(reportText(findings, { columns: 32 }).split("\n")).toEqual([
      "\u001B[32m✓\u001B[0m a     fine",
      "\u001B[31m✗\u001B[0m long  one two three four",
      "        five six",
      "        \u001B[36m→\u001B[0m do this",
      "",
      "A run needs what is marked ✗.",
    ]);
    expect(reportText(findings, { columns: null }).split("\n").slice(1, 3)).toEqual([
      "✗ long  one two three four five six",
      "        → do this",
    ]);
  });
});
