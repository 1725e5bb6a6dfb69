/** The demo's task in Orchestrate by the real Claude Code with a scripted model: once honest, once cheating. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { packageRoot } from "../../src/config/package-root.ts";
import { confinesHere } from "../sandbox/bubblewrap.ts";
import { verifies } from "../verifies.ts";
import { history } from "../orchestrate/history.ts";
import {
  createWorld,
  demoFiles,
  eventsOf,
  type CliResult,
  type CassetteFile,
  type World,
} from "../orchestrate/world.ts";
import { cassetteModel, roleOf, type ReportBy } from "../support/cassette-model.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { withRealClaude } from "../support/real-agents.ts";

const marker = "octarine-heron-59";

withRealClaude("Orchestrate by the real Claude Code", (file) => {
  let world: World;
  let server: ModelServer;
  beforeAll(async () => {
    world = await createWorld({
      ...(await demoFiles()),
      "CLAUDE.md": `Always say ${marker} of the project.\n`,
    });
    server = await startModelServer();
    await mkdir(join(world.home, ".claude"));
    await writeFile(join(world.home, ".claude", "CLAUDE.md"), `Always say ${marker} of the user.\n`);
  });

  const runs = async () => (await world.cli(["status", "--json"])).json()["runs"] as { run: string }[];
  const run = async (
    cassette: CassetteFile,
    reportBy: ReportBy,
    more: Readonly<Record<string, string>> = {},
  ): Promise<CliResult> => {
    server.scriptWith(cassetteModel(cassette, reportBy));
    const env = {
      PATH: `${dirname(file)}:${process.env["PATH"] ?? ""}`,
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: "dummy-key-of-the-test",
      ...more,
    };
    const started = await world.cli(
      ["run", "@orchestrate Add slugify(text)", "--approve", "plan,code", "--json"],
      {
        env,
      },
    );
    expect(started.code, started.stderr).toBe(3);
    const { run: id } = started.json() as { run: string };
    const answers = [1, 2, 3, 4, 5].map((n) => `Q${n}=as the task says`);
    return world.cli(["answer", id, ...answers, "--json"], { env });
  };

  test("an honest model that reports in text is proven done after one wrong attempt", async () => {
    const ended = await run(await cassetteNamed("honest"), "text");
    expect(ended.code, `${ended.stdout}\n${ended.stderr}`).toBe(0);
    expect(ended.json()).toMatchObject({ status: "complete", proof: { verdict: "pass", exit: "0" } });
    expect(ended.stderr).toContain("gate green: fail");
  }, 180_000);

  verifies(
    "CORE-57",
    "its run becomes a cassette, which gives the same journal each time and checks its prompts",
    async () => {
      const [{ run: id } = { run: "" }] = await runs();
      const shown = await world.cli(["show", `${id}/cassette`]);
      expect(shown.code, shown.stderr).toBe(0);
      const cassette = parse(shown.stdout) as CassetteFile;
      const play = async () => world.drive(await world.start(cassette, { preapproved: ["plan", "code"] }));
      const [first, second] = [await play(), await play()];
      expect(first.end).toEqual({ type: "ended", outcome: "complete" });
      expect(history(second)).toEqual(history(first));

      const [turn, ...others] = cassette.roles.coder;
      const prompt = String((turn as { prompt?: string }).prompt).replace("implementer", "gardener");
      const altered = { ...cassette, roles: { ...cassette.roles, coder: [{ ...turn, prompt }, ...others] } };
      const { events } = await world.drive(await world.start(altered, { preapproved: ["plan", "code"] }));
      expect(eventsOf(events, "warned").map(({ code, stopped }) => `${code} ${stopped?.message}`)).toEqual([
        expect.stringMatching(
          /^cassette_mismatch turn 1 of coder was recorded with another prompt: line \d+ was "You are a TDD gardener/u,
        ),
      ]);
    },
    180_000,
  );

  verifies(
    "ORC-59",
    "no CLAUDE.md of the user or the project reaches the model of any role",
    async () => {
      const confined = confinesHere() ? { METTLE_SANDBOX: "required" } : {};
      const ended = await run(await cassetteNamed("honest"), "tool", confined);
      expect(ended.code, `${ended.stdout}\n${ended.stderr}`).toBe(0);
      expect([...new Set(server.requests.map(roleOf))].sort()).toEqual([
        "claude",
        "coder",
        "gemini",
        "intake",
        "planner",
        "tester",
      ]);
      expect(server.requests.filter(({ body }) => body.includes(marker))).toEqual([]);
    },
    180_000,
  );

  test("a model that edits the tests and claims that all pass is refused", async () => {
    const ended = await run(await cassetteNamed("cheat"), "tool");
    expect(ended.code).toBe(4);
    expect(ended.stderr).toContain("gate green: fail");
    expect(ended.stderr).toContain("test/slugify.test.js");
    expect(ended.json()).toMatchObject({ status: "blocked", phase: "7 TDD_GREEN" });
  }, 180_000);
});

async function cassetteNamed(name: string): Promise<CassetteFile> {
  return parse(
    await readFile(packageRoot(`protocols/orchestrate/demo/${name}.yaml`), "utf8"),
  ) as CassetteFile;
}
