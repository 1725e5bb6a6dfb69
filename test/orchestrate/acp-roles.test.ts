/**
 * A role of a run that is played by an agent over the Agent Client Protocol, named in mettle.yaml.
 * @module-tag ci
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { answerNone, createWorld, demoFiles, eventsOf, golden, type World } from "./world.ts";

const stub = fileURLToPath(new URL("../support/acp-stub.mjs", import.meta.url));

let world: World;
beforeAll(async () => {
  const files = ["acts.json", "heard.jsonl", "sessions.json"].map((name) => `../${name}`);
  const command = JSON.stringify([process.execPath, stub, ...files, "load"]);
  const settings = `version: 1\nagents:\n  commands:\n    mine: { acp: ${command}, vendor: someone }\n`;
  world = await createWorld({ ...(await demoFiles()), "mettle.yaml": settings });
});

test("reports through the MCP server that it gets, in the session that its first turn started", async () => {
  const report = (await golden()).roles.intake[0]?.report;
  const run = await world.start(await golden(), { agents: { intake: "mine" } });
  const place = join(world.host.home.worktrees, run);
  await mkdir(place, { recursive: true });
  await writeFile(join(place, "acts.json"), JSON.stringify([{ say: "I shall ask." }]));
  const silent = await world.drive(run, answerNone);
  expect(eventsOf(silent.events, "result")).toMatchObject([{ key: "intake#1", outcome: "EX" }]);
  const heard = async () =>
    (await readFile(join(place, "heard.jsonl"), "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { texts: string[] });
  const [first, second] = await heard();
  expect(first?.texts[0]).toContain("Add slugify(text)");
  expect(second?.texts).toEqual([
    ...(first?.texts ?? []),
    "I shall ask.",
    expect.stringMatching(/^REMINDER: /u),
  ]);

  const again = await world.start(await golden(), { agents: { intake: "mine" } });
  const other = join(world.host.home.worktrees, again);
  await mkdir(other, { recursive: true });
  await writeFile(join(other, "acts.json"), JSON.stringify([{ report }]));
  const { events } = await world.drive(again, answerNone);
  expect(eventsOf(events, "dispatch.started")).toMatchObject([{ agent: "mine", vendor: "someone" }]);
  expect(eventsOf(events, "result").find(({ key }) => key === "intake#1")).toMatchObject({
    outcome: "QUESTIONS",
    text: report?.message,
    channel: "mcp",
  });
});
