/** Everything that `mettle doctor` must detect: how each part of a machine or repository is broken and fixed. */
import { mkdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { stateHome } from "../../src/config/home.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { openRepository } from "../../src/git/repository.ts";
import type { Machine } from "./doctor-machine.ts";
import { callHere } from "./here.ts";

export interface Breakage {
  readonly what: string;
  readonly break: () => Promise<unknown>;
  readonly fix: () => Promise<unknown>;
  readonly env?: Readonly<Record<string, string>>;
  readonly line: { readonly name: string; readonly state: "warn" | "fail" };
  readonly seen: RegExp;
  readonly help: string | RegExp;
}

export async function breakages(machine: Machine): Promise<readonly Breakage[]> {
  const { repository } = machine;
  const nothing = async (): Promise<void> => undefined;
  const put = (path: string, text: string | null) => () => repository.write({ [path]: text });
  const hooksFile = ".claude/settings.local.json";
  const git =
    (...args: string[]) =>
    () =>
      repository.git(...args);
  const hooks = await readFile(join(repository.dir, hooksFile), "utf8");
  const restoreHooks = put(hooksFile, hooks);
  const atHome = join(machine.temporary, "state");
  const { id } = await openRepository(repository.dir, { path: machine.bin });
  const home = stateHome({ repository: id, env: { METTLE_HOME: atHome } });
  const lock = join(repository.dir, ".git/refs/mettle/left.lock");
  const asClaude = { name: "agents", state: "fail" } as const;
  const asHooks = { name: "hooks", state: "warn" } as const;
  return [
    {
      what: "no git",
      break: () => machine.without("git"),
      fix: machine.git,
      line: { name: "git", state: "fail" },
      seen: /^git could not be started: ENOENT$/u,
      help: "sudo apt-get install git",
    },
    {
      what: "an old git",
      break: () => machine.program("git", "echo git version 2.30.1"),
      fix: machine.git,
      line: { name: "git", state: "fail" },
      seen: /^git 2\.38 or newer is needed, found: git version 2\.30\.1$/u,
      help: "sudo apt-get install git",
    },
    {
      what: "broken settings",
      break: put("mettle.yaml", "version: 1\nlimit: 3\n"),
      fix: put("mettle.yaml", null),
      line: { name: "settings", state: "fail" },
      seen: /^mettle\.yaml:2:1: .*limit/u,
      help: "correct this line and try again",
    },
    {
      what: "a branch that does not exist",
      break: git("symbolic-ref", "HEAD", "refs/heads/gone"),
      fix: git("symbolic-ref", "HEAD", "refs/heads/main"),
      line: { name: "branch", state: "fail" },
      seen: /^the branch gone, which HEAD names, does not exist/u,
      help: "git switch main",
    },
    {
      what: "a branch that git has in the place of a folder for the runs",
      break: git("branch", "mettle"),
      fix: git("branch", "--delete", "mettle"),
      line: { name: "branch", state: "fail" },
      seen: /^git cannot have refs\/heads\/mettle\/RUN\/work beside refs\/heads\/mettle$/u,
      help: "rename that branch: git branch -m mettle NEW-NAME",
    },
    {
      what: "a detached HEAD",
      break: git("checkout", "--quiet", "--detach"),
      fix: git("checkout", "--quiet", "main"),
      line: { name: "branch", state: "warn" },
      seen: /^HEAD is detached at [0-9a-f]{8};/u,
      help: "git switch main",
    },
    {
      what: "a runner that is not installed",
      break: put("mettle.yaml", "version: 1\nrunner: vitest\n"),
      fix: put("mettle.yaml", null),
      line: { name: "runner", state: "fail" },
      seen: /^vitest is the project's runner, but it is not installed$/u,
      help: "npm install",
    },
    {
      what: "no program of the agent",
      break: () => machine.without("claude"),
      fix: machine.claude,
      line: asClaude,
      seen: /^claude: claude is not installed \(not on PATH\); it plays every role$/u,
      help: /npm install -g @anthropic-ai\/claude-code/u,
    },
    {
      what: "an old agent",
      break: () => machine.claude("1.0.3"),
      fix: machine.claude,
      line: asClaude,
      seen: /^claude: its version 1\.0\.3 is older than 2\.1\.0/u,
      help: /npm install -g @anthropic-ai\/claude-code@latest/u,
    },
    {
      what: "no login",
      break: nothing,
      fix: nothing,
      env: { ANTHROPIC_API_KEY: "" },
      line: asClaude,
      seen: /^claude: it is not logged in/u,
      help: /`claude setup-token`/u,
    },
    {
      what: "no sandbox",
      break: () => machine.without("bwrap"),
      fix: () => machine.bwrap(),
      line: { name: "sandbox", state: "warn" },
      seen: /^bubblewrap is not installed; no agent is confined: records say isolation: none$/u,
      help: "sudo apt-get install bubblewrap",
    },
    {
      what: "a sandbox that knows too little",
      break: () => machine.program("bwrap", "echo 'bwrap: Unknown option --disable-userns' >&2; exit 1"),
      fix: () => machine.bwrap(),
      line: { name: "sandbox", state: "warn" },
      seen: /^bubblewrap does not work here \(Unknown option --disable-userns\);/u,
      help: "sudo apt-get install bubblewrap (0.8 or newer)",
    },
    {
      what: "a sandbox that is required",
      async break() {
        await machine.without("bwrap");
        await put("mettle.yaml", "version: 1\nsandbox: required\n")();
      },
      async fix() {
        await put("mettle.yaml", null)();
        await machine.bwrap();
      },
      line: { name: "sandbox", state: "fail" },
      seen: /^required; bubblewrap is not installed; no agent is confined/u,
      help: "sudo apt-get install bubblewrap",
    },
    {
      what: "a disabled sandbox",
      break: nothing,
      fix: nothing,
      env: { METTLE_SANDBOX: "off" },
      line: { name: "sandbox", state: "warn" },
      seen: /^disabled, so no agent is confined: records say isolation: none$/u,
      help: "see `The sandbox` in the README for the risks",
    },
    {
      what: "a sandbox with a hole",
      break: () => machine.bwrap({ connect: false }),
      fix: () => machine.bwrap(),
      line: { name: "sandbox", state: "warn" },
      seen: /^bubblewrap 0\.8\.1 \(held: write, .*; not held: connect\)$/u,
      help: "see `The sandbox` in the README for the risks",
    },
    {
      what: "no hooks",
      break: put(hooksFile, null),
      fix: restoreHooks,
      line: asHooks,
      seen: /^none: sessions of Claude Code/u,
      help: "mettle init",
    },
    {
      what: "a hook too few",
      break: put(hooksFile, hooks.replace('"Stop"', '"SubagentStop"')),
      fix: restoreHooks,
      line: asHooks,
      seen: /^missing for Stop$/u,
      help: "mettle init",
    },
    {
      what: "disabled hooks",
      break: put(".claude/settings.json", '{ "disableAllHooks": true }'),
      fix: put(".claude/settings.json", null),
      line: asHooks,
      seen: /settings\.json disables all hooks$/u,
      help: /^remove `disableAllHooks` from /u,
    },
    {
      what: "a hook whose program is gone",
      break: () => machine.without("mettle"),
      fix: () => machine.program("mettle", "exit 0"),
      line: asHooks,
      seen: /`mettle hook`, is not found: mettle is not on PATH$/u,
      help: `cd ${packageRoot()} && npm link`,
    },
    {
      what: "a hook that blocks",
      break: () => machine.program("mettle", "exit 2"),
      fix: () => machine.program("mettle", "exit 0"),
      line: asHooks,
      seen: /ends with exit code 2, which blocks the session's tools$/u,
      help: `cd ${packageRoot()} && npm link`,
    },
    {
      what: "a state home that cannot be written",
      break: nothing,
      fix: nothing,
      env: { METTLE_HOME: "/dev/null/nowhere" },
      line: { name: "state home", state: "fail" },
      seen: /: \/dev\/null is not a folder$/u,
      help: 'export METTLE_HOME="$HOME/.mettle-state"',
    },
    {
      what: "things left over",
      break: async () => {
        expect((await callHere(["status"], { cwd: repository.dir, env: machine.env })).code).toBe(0);
        await mkdir(join(home.worktrees, "proof.4194305.abc"), { recursive: true });
        await mkdir(join(repository.dir, ".git/refs/mettle"), { recursive: true });
        await writeFile(lock, "");
        await utimes(lock, 1, 1);
      },
      // By the command that doctor prints.
      fix: async () =>
        expect((await callHere(["clean"], { cwd: repository.dir, env: machine.env })).code).toBe(0),
      line: { name: "clean-up", state: "warn" },
      seen: /^left over: 1 checkout, 1 lock$/u,
      help: "mettle clean",
    },
  ];
}
