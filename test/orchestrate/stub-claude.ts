/** A machine whose only agent is `claude`: a stub on PATH that plays a cassette and records its calls. */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CassetteFile, World } from "./world.ts";

export interface ClaudeCall {
  readonly role: string;
  readonly argv: readonly string[];
  readonly prompt: string;
  readonly cwd: string;
  /** Files of its workspace when it started. */
  readonly files: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly config: string;
  /** Files of its configuration home when it started. */
  readonly configured: readonly string[];
}

export interface StubClaude {
  /** For `world.cli`. */
  readonly env: Readonly<Record<string, string>>;
  calls(): Promise<readonly ClaudeCall[]>;
}

const stub = fileURLToPath(new URL("../support/claude-stub.mjs", import.meta.url));

export async function installStubClaude(world: World, cassette: CassetteFile): Promise<StubClaude> {
  const bin = join(world.home, "bin");
  const plays = join(world.home, "plays.json");
  const calls = join(world.home, "calls.jsonl");
  await mkdir(bin, { recursive: true });
  await writeFile(plays, JSON.stringify(cassette));
  await writeFile(
    join(bin, "claude"),
    `#!/bin/sh\nexec "${process.execPath}" "${stub}" "${plays}" "${calls}" "$@"\n`,
  );
  await chmod(join(bin, "claude"), 0o755);
  return {
    env: {
      PATH: `${bin}:${process.env["PATH"] ?? ""}`,
      ANTHROPIC_API_KEY: "dummy-key-of-the-test",
      // It records its call.
      METTLE_SANDBOX: "off",
      METTLE_MUTATION_BUDGET: "0",
    },
    calls: async () =>
      (await readFile(calls, "utf8"))
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as ClaudeCall),
  };
}
