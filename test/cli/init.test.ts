/** Types the next commands that init prints, on a machine whose only agent is Claude Code. */
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { installStubClaude } from "../orchestrate/stub-claude.ts";
import { createWorld, golden, type World } from "../orchestrate/world.ts";
import { runAsPerson } from "../support/as-person.ts";

interface InitAnswer {
  readonly written: readonly string[];
  readonly next: readonly { readonly command: string }[];
}

describe("init in a repository with one available agent", { tags: "ci" }, () => {
  let world: World;
  let env: Readonly<Record<string, string>>;
  const init = async (...more: string[]) => {
    const { code, stderr, json } = await world.cli(["init", "--json", ...more], { env });
    expect([code, stderr]).toEqual([0, ""]);
    const { written, next } = json() as unknown as InitAnswer;
    return { written, commands: next.map(({ command }) => command) };
  };

  beforeAll(async () => {
    world = await createWorld();
    const stub = await installStubClaude(world, await golden());
    const mettle = join(world.home, "bin", "mettle");
    await writeFile(
      mettle,
      `#!/bin/sh\nexec "${process.execPath}" "${packageRoot("dist/bin/mettle.js")}" "$@"\n`,
    );
    await chmod(mettle, 0o755);
    const person = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@invalid" };
    env = {
      ...stub.env,
      ...person,
      GIT_COMMITTER_NAME: "A",
      GIT_COMMITTER_EMAIL: "a@invalid",
      GIT_CONFIG_GLOBAL: "/dev/null",
      HOME: world.home,
      METTLE_HOME: world.home,
    };
  });

  test("prints commands that work as typed, up to the first question of the first run", async () => {
    // A folder that init writes to is ignored; git refuses to add its files.
    await world.repository.write({ ".gitignore": ".claude/commands/\n" });
    await world.repository.commit();
    const { commands } = await init();
    expect(commands).toEqual([
      'git add mettle.yaml .mettle .claude/agents .gitignore && git commit -m "Set up Mettle"',
      "mettle doctor",
      "mettle run 'Build a login page'",
    ]);
    const exits: (readonly [string, number | null])[] = [];
    let printed = "";
    for (const command of commands) {
      const ran = await runAsPerson("/bin/sh", ["-c", command], {
        cwd: world.repository.dir,
        env,
        timeoutMs: 60_000,
      });
      exits.push([command, ran.exitCode]);
      printed = ran.stdout.toString("utf8");
    }
    // The run waits for a person.
    expect(exits).toEqual(commands.map((command, index) => [command, index === 2 ? 3 : 0]));
    expect(printed).toContain("mettle answer ");
    expect(await world.repository.git("status", "--porcelain")).toBe("?? .claude/settings.local.json");
    expect(await init()).toEqual({ written: [], commands: commands.slice(1) });
    expect((await init("--dry-run")).commands).toEqual([]);
  });

  test("begins with a first commit if there is none", async () => {
    await world.repository.git("checkout", "--quiet", "--orphan", "empty");
    await world.repository.git("update-ref", "-d", "refs/heads/main");
    const { commands } = await init();
    expect(commands[0]).toBe('git add -A && git commit -m "Start"');
  });
});
