/** Names of dialogues that several processes open in one store in the same millisecond. */
import { spawn } from "node:child_process";
import { beforeAll, expect } from "vitest";
import type { World } from "../orchestrate/world.ts";
import { bundleProgram, type Bundle } from "../support/bundle.ts";
import { verifiesInCi } from "../verifies.ts";
import { createCyclesWorld, oneCycle } from "./world.ts";

/** Reports NR repeatedly, which opens a dialogue each time. */
const child = `
import { openHost } from "./src/run/host.ts";
import { openRun } from "./src/families/open-run.ts";
const [root = "", home = "", run = "", times = ""] = process.argv.slice(2);
const host = await openHost(root, { METTLE_HOME: home });
const clock = { ...host.clock, now: () => Date.UTC(2026, 10, 28) };
const { session } = await openRun({ ...host, clock }, { run });
for (let left = Number(times); left > 0; left--) {
  const key = session.state.open[0]?.key ?? "";
  const { ignored } = await session.settle(key, { outcome: "NR" });
  if (ignored !== null) throw new Error(ignored);
}
await host.journal.close();
`;

/** A protocol that only opens dialogues. */
const talk = `version: 1
protocol: talk
kind: machine
extends: dptr
machines:
  main:
    counters: { talks: { limit: 900, over: not_converging } }
    states:
      design: { reports: [PC, NR], on: { NR: { to: design, do: [{ open: PLAN }, { count: talks }] } } }
`;

let world: World;
let program: Bundle;
beforeAll(async () => {
  world = await createCyclesWorld({ ".mettle/protocols/talk.yaml": talk });
  program = await bundleProgram(child);
});

verifiesInCi(
  "TDP-72",
  "200 sessions of four processes with one fixed clock have 200 valid names",
  async () => {
    const agent = (await oneCycle()) as never;
    const runs = [];
    for (let index = 0; index < 4; index++) runs.push(await world.start(agent, { protocol: "talk" }));
    await Promise.all(
      runs.map(
        (run) =>
          new Promise<void>((resolve, reject) => {
            const started = spawn(
              process.execPath,
              [program.file, world.repository.dir, world.home, run, "50"],
              { stdio: ["ignore", "ignore", "pipe"], timeout: 60_000 },
            );
            let said = "";
            started.stderr.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
            started.on("close", (code) => (code === 0 ? resolve() : reject(new Error(said))));
          }),
      ),
    );
    const names: string[] = [];
    for (const run of runs)
      for (const { type, data } of await world.host.journal.read(run))
        if (type === "session.opened") names.push((data as { session: string }).session);
    expect(names).toHaveLength(200);
    expect(new Set(names).size).toBe(200);
    for (const name of names) expect(name).toMatch(/^PLAN_20261128T\d{9}Z$/u);
  },
);
