/** A repository set up by `init` for sessions of riper, and the environment of such a session. */
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import type { World } from "../orchestrate/world.ts";
import type { ModelServer } from "../support/model-server.ts";

export type Environment = Readonly<Record<string, string>>;

export async function initSessions({ cli, repository }: World): Promise<void> {
  const made = await cli(["init", "--protocol", "riper"]);
  expect(made.code, made.stderr).toBe(0);
  await repository.git("add", "--all");
  await repository.git("commit", "--quiet", "-m", "Set Mettle up");
}

/** With `mettle` on PATH, and without this machine's Claude Code settings. */
export async function environmentOf({ home }: World, { url }: ModelServer): Promise<Environment> {
  const bin = join(home, "bin");
  await mkdir(bin);
  const program = `exec "${process.execPath}" "${packageRoot("dist/bin/mettle.cjs")}" "$@"`;
  await writeFile(join(bin, "mettle"), `#!/bin/sh\n${program}\n`);
  await chmod(join(bin, "mettle"), 0o755);
  return {
    PATH: `${bin}:${process.env["PATH"] ?? ""}`,
    HOME: home,
    METTLE_HOME: home,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "dummy-key-of-the-test",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  };
}
