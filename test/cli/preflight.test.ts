/** A missing requirement is reported before the run exists. */
import { chmod, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import { newFolder } from "../support/folder.ts";
import { createRepository, type TempRepository } from "../support/repository.ts";
import { demoFiles } from "../orchestrate/world.ts";
import { verifies } from "../verifies.ts";
import { callHere, type InProcessResult } from "./here.ts";
import { callProgram } from "./stage.ts";

interface MissingRequirement {
  readonly lacks: string;
  readonly settings?: string;
  readonly version?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly head?: string;
  readonly message: RegExp;
  readonly hint: RegExp;
}

const table: Readonly<Record<string, MissingRequirement>> = {
  agent_missing: {
    lacks: "the program of an agent",
    settings: "agents: { roles: { coder: mine }, commands: { mine: { run: [my-agent] } } }",
    message: /^the agent mine for coder cannot work: my-agent is not installed \(not on PATH\)$/u,
    hint: /^install it, or correct `agents\.commands\.mine\.run` in mettle\.yaml$/u,
  },
  agent_outdated: {
    lacks: "a new enough version",
    version: "1.0.3",
    message: /^the agent claude for intake cannot work: its version 1\.0\.3 is older than 2\.1\.0$/u,
    hint: /^update it with `npm install -g @anthropic-ai\/claude-code@latest`$/u,
  },
  agent_login: {
    lacks: "a login",
    env: { ANTHROPIC_API_KEY: "" },
    message: /^the agent claude for intake cannot work: it is not logged in$/u,
    hint: /CLAUDE_CODE_OAUTH_TOKEN from `claude setup-token`$/u,
  },
  branch_unresolved: {
    lacks: "the branch that HEAD names",
    head: "refs/heads/trunk",
    message: /^the branch trunk, which HEAD names, does not exist, though the repository has others$/u,
    hint: /^git switch main$/u,
  },
  runner_not_found: {
    lacks: "the test runner",
    settings: "runner: vitest",
    message: /^vitest is the project's runner, but it is not installed$/u,
    hint: /^install the project's dependencies in the main checkout: `npm install`$/u,
  },
  sandbox_missing: {
    lacks: "a sandbox where one is required",
    settings: "sandbox: required",
    message: /^a sandbox is required, and there is none here: bubblewrap is not installed$/u,
    hint: /^`mettle doctor` says what helps/u,
  },
};

describe("before the first dispatch", () => {
  let repository: TempRepository;
  let temporary: string;
  let state: string;
  const line = ["run", '@orchestrate "Build a login page"', "--json"];

  const around = (more: Readonly<Record<string, string>> = {}) => ({
    cwd: repository.dir,
    env: {
      PATH: join(temporary, "bin"),
      HOME: join(temporary, "home"),
      METTLE_HOME: state,
      ANTHROPIC_API_KEY: "dummy-key-of-the-test",
      ...more,
    },
  });
  const claude = async (version: string): Promise<void> => {
    const file = join(temporary, "bin", "claude");
    await writeFile(file, `#!/bin/sh\necho "${version} (Claude Code)"\n`);
    await chmod(file, 0o755);
  };
  /** Refs, worktrees, files of the state home with their content, and files of the checkout. */
  const everything = async () => ({
    refs: await repository.git("for-each-ref"),
    worktrees: await repository.git("worktree", "list"),
    status: await repository.git("status", "--porcelain", "--ignored"),
    state: (await readdir(state, { recursive: true })).filter((name) => !/-(shm|wal)$/u.test(name)).sort(),
    runs: JSON.parse((await callHere(["status", "--json"], around())).stdout).runs,
  });

  const attempt = async (
    missing: MissingRequirement,
    call: typeof callHere | typeof callProgram,
  ): Promise<InProcessResult> => {
    const { settings, version, env, head } = missing;
    await repository.write({ "mettle.yaml": settings === undefined ? null : `version: 1\n${settings}\n` });
    await claude(version ?? "2.1.332");
    if (head) await repository.git("symbolic-ref", "HEAD", head);
    const { code, stdout, stderr } = await call(line, around(env));
    if (head) await repository.git("symbolic-ref", "HEAD", "refs/heads/main");
    await repository.write({ "mettle.yaml": null });
    return { code: code ?? -1, stdout, stderr };
  };

  beforeAll(async () => {
    repository = await createRepository({ files: await demoFiles() });
    temporary = newFolder();
    state = join(temporary, "state");
    await mkdir(join(temporary, "bin"));
    const git = spawnSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).stdout.trim();
    await symlink(git, join(temporary, "bin", "git"));
    await callHere(["status"], around());
  });

  for (const [code, missing] of Object.entries(table))
    verifies("CORE-56", `${missing.lacks} is reported with a hint, and nothing is created`, async () => {
      const before = await everything();
      expect(before.runs).toEqual([]);
      const called = await attempt(missing, code === "agent_login" ? callProgram : callHere);
      expect([called.code, JSON.parse(called.stdout)]).toEqual([
        5,
        {
          version: 1,
          error: expect.objectContaining({
            code,
            message: expect.stringMatching(missing.message),
            hint: expect.stringMatching(missing.hint),
          }),
        },
      ]);
      expect(await everything()).toEqual(before);
    });
});
