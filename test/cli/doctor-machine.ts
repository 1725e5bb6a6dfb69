/** A machine with everything that a run needs, on a separate PATH, so that tests can remove each part. */
import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";
import type { DoctorFinding } from "../../src/cli/doctor/check.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { newFolder } from "../support/folder.ts";
import { createRepository, type TempRepository } from "../support/repository.ts";
import { demoFiles } from "../orchestrate/world.ts";
import { callHere } from "./here.ts";

/** The flags of bubblewrap for agents. */
export const sandboxFlags = "--unshare-user --uid 1000 --gid 1000 --cap-drop ALL --disable-userns";
export const realGit = spawnSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).stdout.trim();

export interface DoctorResult {
  readonly code: number;
  readonly checks: readonly DoctorFinding[];
}

export interface Machine {
  readonly repository: TempRepository;
  /** Contains the only folder of PATH, and the homes. */
  readonly temporary: string;
  readonly bin: string;
  readonly env: Readonly<Record<string, string>>;
  /** Puts a script on PATH. */
  program(name: string, lines: string): Promise<void>;
  without(name: string): Promise<void>;
  git(): Promise<void>;
  claude(version?: string): Promise<void>;
  /** A bubblewrap that prevents every escape attempt except those given as false. Each combination has its own version, since a process probes a version once. */
  bwrap(attempts?: Readonly<Record<string, boolean>>): Promise<void>;
  /** `mettle doctor --json` in this process. */
  doctor(more?: Readonly<Record<string, string>>, cwd?: string): Promise<DoctorResult>;
}

export async function createMachine(): Promise<Machine> {
  const repository = await createRepository({
    files: { ...(await demoFiles()), ".gitignore": ".claude/\n" },
  });
  const temporary = newFolder();
  const bin = join(temporary, "bin");
  await mkdir(bin);
  const machine: Machine = {
    repository,
    temporary,
    bin,
    env: {
      PATH: bin,
      HOME: join(temporary, "home"),
      METTLE_HOME: join(temporary, "state"),
      ANTHROPIC_API_KEY: "dummy-key-of-the-test",
    },
    async program(name, lines) {
      await machine.without(name);
      await writeFile(join(bin, name), `#!/bin/sh\n${lines}\n`);
      await chmod(join(bin, name), 0o755);
    },
    without: (name) => rm(join(bin, name), { force: true }),
    async git() {
      await machine.without("git");
      await symlink(realGit, join(bin, "git"));
    },
    claude: (version = "2.1.332") => machine.program("claude", `echo "${version} (Claude Code)"`),
    bwrap(attempts = {}) {
      const held = {
        write: true,
        umount: true,
        rename: true,
        connect: true,
        kernel: true,
        network: true,
        root_only: true,
        lists: [true, true],
        ...attempts,
      };
      const version = `0.8.${Object.keys(attempts).length}`;
      const lines = `case "$*" in --version) echo "bubblewrap ${version}";; "${sandboxFlags} "*) echo '${JSON.stringify(held)}';; *) exit 9;; esac`;
      return machine.program("bwrap", lines);
    },
    async doctor(more = {}, cwd = repository.dir) {
      const env = { ...machine.env, ...more };
      const { code, stdout, stderr } = await callHere(["doctor", "--json"], { cwd, env });
      const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: readonly DoctorFinding[] };
      expect([stderr, ok]).toEqual(["", code === 0]);
      return { code, checks };
    },
  };
  await machine.git();
  await machine.claude();
  await machine.bwrap();
  await machine.program("apt-get", "exit 9");
  await machine.program("mettle", `exec "${process.execPath}" "${packageRoot("dist/bin/mettle.js")}" "$@"`);
  return machine;
}
