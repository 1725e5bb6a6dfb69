import { spawn } from "node:child_process";
import { afterEach, beforeEach, expect } from "vitest";
import { bundleProgram } from "../../test/support/bundle.ts";
import { newFolder } from "../../test/support/folder.ts";
import { verifies, verifiesInCi } from "../../test/verifies.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { observationsContract } from "../testing/observations-contract.ts";
import { parsePattern } from "./observation-line.ts";
import { openObservations, type Observations } from "./observations.ts";
import { openJournal } from "./open.ts";
import { openStore } from "./store.ts";

let home: string;
let store: Observations;
const at = "2026-03-04T05:06:07.089Z";
const clock = manualClock(at);
beforeEach(async () => {
  home = newFolder();
  store = await openObservations({ home, clock });
});
afterEach(() => store.close());

for (const { title, check } of observationsContract) {
  verifies("CORE-64", title, async () => {
    const journal = await openJournal({ home, clock, alive: () => true });
    try {
      await expect(check({ store, journal, at })).resolves.toBeUndefined();
    } finally {
      await journal.close();
    }
  });
}

verifiesInCi(
  "CORE-64",
  "twenty processes that write at once lose nothing and keep each one's order",
  async () => {
    const program = await bundleProgram(`
    import { openObservations } from "./src/journal/observations.ts";
    import { systemClock } from "./src/lib/clock.ts";
    const [home, agent] = process.argv.slice(2);
    const store = await openObservations({ home, clock: systemClock, lockTimeoutMs: 60_000 });
    for (let n = 0; n < 50; n++) await store.append({ session: "s1", round: n, agent, content: agent + " " + n });
    await store.close();
  `);
    const agents = Array.from({ length: 20 }, (_, index) => `A${index}`);
    const codes = await Promise.all(
      agents.map(
        (agent) =>
          new Promise((resolve) =>
            spawn(process.execPath, [program.file, home, agent], {
              stdio: ["ignore", "ignore", "inherit"],
            }).once("close", resolve),
          ),
      ),
    );
    expect(codes).toEqual(agents.map(() => 0));
    const all = await store.query(parsePattern("OBS[Ss1,*,*,*]"));
    expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1));
    for (const agent of agents) {
      const own = all.filter((one) => one.agent === agent).map(({ content }) => content);
      expect(own).toEqual(Array.from({ length: 50 }, (_, n) => `${agent} ${n}`));
    }
  },
);

verifies(
  "CORE-64",
  "an observation cannot be changed or removed, and a damaged one is never shown",
  async () => {
    await store.append({ session: "s1", round: 0, agent: "QA", content: "kept" });
    const raw = await openStore({ home, clock });
    for (const sql of ["UPDATE observations SET content = '2'", "DELETE FROM observations"])
      expect(() => raw.db.exec(sql)).toThrow("append-only");
    expect((await store.query(parsePattern("OBS[*,*,*,*]"))).map(({ content }) => content)).toEqual(["kept"]);
    raw.db.exec(`DROP TRIGGER observations_keep; UPDATE observations SET content = '"forged"'`);
    await raw.close();
    await expect(store.query(parsePattern("OBS[*,*,*,*]"))).rejects.toMatchObject({
      code: "journal_corrupt",
      exitCode: 5,
    });
  },
);
