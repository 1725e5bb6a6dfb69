/** What an agent says and does can be read while it works, masked as the journal masks it, and is gone when it is settled. */
import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { readSaid, saidFile, saidFolder } from "../../src/run/live/said-file.ts";
import { answerNone, createWorld, golden } from "./world.ts";

const secret = "planted-value/4711-and-more";

test("a step at work shows its messages, commands and printed text; the journal takes over when it is settled", async () => {
  const world = await createWorld(undefined, { MY_API_KEY: secret });
  const cassette = await golden();
  const go = join(world.home, "go");
  cassette.roles.intake = [
    {
      ...cassette.roles.intake[0],
      does: [
        { say: `I read the task. ${secret}` },
        { print: { bytes: 12, hex: "1b5b33316d" } },
        { shell: `echo ${secret}` },
        { shell: `while ! test -e ${go}; do sleep 0.05; done` },
      ],
    },
  ];
  const run = await world.start(cassette);
  const driven = world.drive(run, answerNone);
  const file = saidFile(world.host.home, run, "intake#1");
  const end = systemClock.now() + 30_000;
  while (((await readSaid(file)) ?? []).length < 3 && systemClock.now() < end) await systemClock.sleep(50);
  const said = (await readSaid(file)) ?? [];
  expect(said.map(({ kind, text }) => [kind, text.split("\n")[0]])).toEqual([
    ["says", "I read the task. [secret]"],
    ["prints", "\u001b[31m\u001b[31m\u001b["],
    ["uses", "shell echo [secret]"],
  ]);
  expect(JSON.stringify(said)).not.toContain("4711");
  await writeFile(go, "");
  await driven;
  expect(readdirSync(saidFolder(world.host.home, run))).toEqual([]);
});
