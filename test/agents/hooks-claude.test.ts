/** The hooks of `init` run in the real Claude Code exactly if `doctor` says so. */
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { DoctorFinding } from "../../src/cli/doctor/check.ts";
import { hookEvents } from "../../src/cli/init/hooks.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { createWorld, type World } from "../orchestrate/world.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { withRealClaude } from "../support/real-agents.ts";
import { runAsPerson } from "../support/as-person.ts";

withRealClaude("the hooks of init in the real Claude Code", (file) => {
  let world: World;
  let server: ModelServer;
  let log: string;
  let env: Readonly<Record<string, string>>;
  beforeAll(async () => {
    world = await createWorld();
    server = await startModelServer();
    const bin = join(world.home, "bin");
    log = join(world.home, "hooks.jsonl");
    await mkdir(bin);
    const program = `"${process.execPath}" "${packageRoot("dist/bin/mettle.js")}"`;
    await writeFile(join(bin, "mettle"), `#!/bin/sh\ntee -a "${log}" | exec ${program} "$@"\n`);
    await chmod(join(bin, "mettle"), 0o755);
    env = { ...world.env, PATH: `${bin}:${process.env["PATH"] ?? ""}` };
    expect((await world.cli(["init"], { env })).code).toBe(0);
  });

  /** Runs a session with one prompt and one tool call; returns the events that reached Mettle. */
  const session = async (): Promise<readonly unknown[]> => {
    server.script([{ tools: [{ name: "Bash", input: { command: "true" } }] }, { text: "done" }]);
    await rm(log, { force: true });
    const result = await runAsPerson(file, ["--print", "--allowedTools", "Bash"], {
      cwd: world.repository.dir,
      input: "hello",
      env: {
        ...env,
        ANTHROPIC_BASE_URL: server.url,
        ANTHROPIC_API_KEY: "dummy-key-of-the-test",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
      },
      timeoutMs: 60_000,
    });
    expect([result.exitCode, result.stdout.toString("utf8").trim()], result.stderr.toString("utf8")).toEqual([
      0,
      "done",
    ]);
    const lines = await readFile(log, "utf8").catch(() => "");
    return [...lines.matchAll(/"hook_event_name":"(\w+)"/gu)].map(([, event]) => event);
  };
  const hooks = async (): Promise<DoctorFinding | undefined> => {
    const { checks } = (await world.cli(["doctor", "--json"], { env })).json() as unknown as {
      checks: readonly DoctorFinding[];
    };
    return checks.find(({ name }) => name === "hooks");
  };

  test("all run if doctor reports ok", async () => {
    // After a tool Mettle is called only for its own tools and those of plan mode; there is no compaction here.
    const rare = ["PostToolUse", "PreCompact"];
    expect(await session()).toEqual(hookEvents.filter((event) => !rare.includes(event)));
    expect(await hooks()).toMatchObject({ state: "ok" });
  });

  test("do not run if doctor warns that they are switched off", async () => {
    await world.repository.write({ ".claude/settings.json": '{ "disableAllHooks": true }' });
    expect(await session()).toEqual([]);
    expect(await hooks()).toMatchObject({ state: "warn", help: expect.stringContaining("disableAllHooks") });
  });
});
