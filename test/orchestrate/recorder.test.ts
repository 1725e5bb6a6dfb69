/**
 * A run of one agent, recorded and replayed; test/agents does so with the real Claude Code.
 * @module-tag ci
 */
import { beforeAll, describe, expect, test } from "vitest";
import { readCassette } from "../../src/dispatch/agents/cassettes.ts";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { packageRoot } from "../../src/config/package-root.ts";
import { installStubClaude } from "./stub-claude.ts";
import { createWorld, eventsOf, type CassetteFile, type DriveResult, type World } from "./world.ts";

const deep = process.env["METTLE_DEEP"] !== undefined;

describe("a run of Claude Code, the first implementation of which was wrong", () => {
  let world: World;
  let recorded: string;
  let cassette: CassetteFile;
  beforeAll(async () => {
    world = await createWorld();
    const honest = await cassetteIn(packageRoot("protocols/orchestrate/demo/honest.yaml"));
    const stub = await installStubClaude(world, honest);
    const asked = await world.cli(
      ["run", "@orchestrate Add slugify(text)", "--approve", "plan,code", "--json"],
      {
        env: stub.env,
      },
    );
    const { run } = asked.json() as { run: string };
    const answers = ["Q1", "Q2", "Q3", "Q4", "Q5"].map((id) => `${id}=as the task says`);
    const ended = await world.cli(["answer", run, ...answers], { env: stub.env });
    expect(ended.code, ended.stderr).toBe(0);
    const shown = await world.cli(["show", `${run}/cassette`]);
    expect(shown.code, shown.stderr).toBe(0);
    recorded = join(world.home, "recorded.yaml");
    await writeFile(recorded, shown.stdout);
    cassette = await cassetteIn(recorded);
  });

  const play = async (played: CassetteFile): Promise<DriveResult> => {
    const run = await world.start(played, { preapproved: ["plan", "code"] });
    return world.drive(run);
  };

  test("becomes a cassette with a turn for each dispatch", () => {
    expect(
      Object.fromEntries(Object.entries(cassette.roles).map(([role, turns]) => [role, turns.length])),
    ).toEqual({
      intake: 2,
      planner: 1,
      gemini: 3,
      claude: 3,
      tester: 1,
      coder: 2,
    });
    expect(cassette.vendors).toMatchObject({ gemini: "anthropic", claude: "anthropic" });
  });

  test.skipIf(!deep)("is replayed to the same end", async () => {
    const played = await play(cassette);
    expect(played.end).toEqual({ type: "ended", outcome: "complete" });
    expect(eventsOf(played.events, "gate.judged").map(({ gate, verdict }) => `${gate} ${verdict}`)).toEqual([
      "topics pass",
      "spec pass",
      "architecture pass",
      "gate1 pass",
      "plan_approved pass",
      "red pass",
      "gate2 pass",
      "green fail",
      "green pass",
      "gate3 pass",
      "code_approved pass",
      "final pass",
    ]);
  });

  test("stops at a different prompt, and shows the difference", async () => {
    const [turn, ...others] = cassette.roles.planner;
    const prompt = String((turn as { prompt?: string }).prompt).replace("architect", "gardener");
    const altered = { ...cassette, roles: { ...cassette.roles, planner: [{ ...turn, prompt }, ...others] } };
    const run = await world.start(altered as CassetteFile);
    const { events } = await world.drive(run);
    expect(eventsOf(events, "warned").map(({ stopped }) => stopped)).toEqual([
      {
        key: "planning#1",
        message:
          'turn 1 of planner was recorded with another prompt: line 1 was "You are a software gardener. You plan one task for others who will see your documents and nothing else." and is "You are a software architect. You plan one task for others who will see your documents and nothing else."',
        hint: "fix the cassette, then `mettle resume`",
      },
    ]);
  });
});

/** Validated like the program does, and read like the world writes it. */
async function cassetteIn(file: string): Promise<CassetteFile> {
  await readCassette(file);
  return parse(await readFile(file, "utf8")) as CassetteFile;
}
