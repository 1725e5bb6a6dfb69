/** Journaled denials of tool calls, and the whole prompt in the reminder to an agent without memory. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { answerNone, createWorld, demoFiles, eventsOf, golden, type World } from "./world.ts";
import { inCi } from "../verifies.ts";

const program = fileURLToPath(new URL("../agents/program.mjs", import.meta.url));

describe("a dispatch to the analyst", () => {
  let world: World;
  beforeAll(async () => {
    const command = JSON.stringify([process.execPath, program, "../acts.json", "../heard.txt"]);
    const settings = `version: 1\nagents:\n  commands:\n    mine: { run: ${command} }\n`;
    world = await createWorld({ ...(await demoFiles()), "mettle.yaml": settings });
  });

  inCi("journals denied tool calls, and only the first of very many", async () => {
    const cassette = await golden();
    const [asks] = cassette.roles.intake;
    const denied = { denied: { name: "Write", detail: "src/a.js" } };
    const does = [...Array.from({ length: 30 }, () => denied), ...(asks?.does ?? [])];
    const turn = { ...asks, does };
    const { events } = await world.go(
      { ...cassette, roles: { ...cassette.roles, intake: [turn] } },
      answerNone,
    );
    const facts = eventsOf(events, "agent.denied");
    expect(facts).toHaveLength(20);
    expect(facts[0]).toMatchObject({ key: "intake#1", tool: "Write", detail: "src/a.js" });
  });

  test("repeats the whole prompt in the reminder to a program without memory", async () => {
    const run = await world.start(await golden(), { agents: { intake: "mine" } });
    const place = join(world.host.home.worktrees, run);
    await mkdir(place, { recursive: true });
    await writeFile(join(place, "acts.json"), JSON.stringify([{ say: "I shall think about it." }]));
    const { events } = await world.drive(run, answerNone);
    expect(eventsOf(events, "agent.nudged")).toMatchObject([{ key: "intake#1", nudge: 1 }]);
    const heard = await readFile(join(place, "heard.txt"), "utf8");
    expect(heard).toContain("Add slugify(text)");
    expect(heard).toContain("REMINDER: Emit a decision to complete this phase");
  });
});
