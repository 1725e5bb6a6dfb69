import { spawn } from "node:child_process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bundleProgram } from "../../test/support/bundle.ts";
import { newFolder } from "../../test/support/folder.ts";
import { verifies, verifiesInCi } from "../../test/verifies.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { parsePattern } from "./observation-line.ts";
import { openObservations, type Observations } from "./observations.ts";
import { openStore } from "./store.ts";

let home: string;
let store: Observations;
const clock = manualClock("2026-03-04T05:06:07.089Z");
beforeEach(async () => {
  home = newFolder();
  store = await openObservations({ home, clock });
});
afterEach(() => store.close());

verifies(
  "CORE-64",
  "observations are found by session, round and agent in any mix with *, in order of writing",
  async () => {
    const all: string[] = [];
    for (const session of ["s1", "s2"]) {
      for (const round of [0, 1, 2]) {
        for (const agent of ["MT", "QA", "DE"]) {
          await store.append({ session, round, agent, content: `${session} ${round} ${agent}` });
          all.push(`${session} ${round} ${agent}`);
        }
      }
    }
    const found = async (pattern: string, current?: number) =>
      (await store.query(parsePattern(pattern, current))).map(({ content }) => content);
    expect(await found("OBS[*,*,*,*]")).toEqual(all);
    expect(await found("OBS[Ss1,R{current},*,*]", 2)).toEqual(["s1 2 MT", "s1 2 QA", "s1 2 DE"]);
    expect(await found("OBS[Ss1,R{n-1},*,*]", 2)).toEqual(["s1 1 MT", "s1 1 QA", "s1 1 DE"]);
    expect(await found("OBS[Ss1,R{n-1},*,*]", 0)).toEqual([]);
    expect(await found("OBS[Ss2,*,A:QA,*]")).toEqual(["s2 0 QA", "s2 1 QA", "s2 2 QA"]);
    expect(await found("OBS[*,R1,A:DE,*]")).toEqual(["s1 1 DE", "s2 1 DE"]);
    expect(await found("OBS[Ss3,*,*,*]")).toEqual([]);
    expect(await found("OBS[*,*,*,T:2026-03-04T05:06:07.089Z]")).toEqual(all);
  },
);

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
  "contents are kept byte for byte up to 1 MiB; empty and larger ones are refused and store nothing",
  async () => {
    const contents = ["nul \u0000 end", "half \ud800", "lines\n\r\\n", "é".repeat(512 * 1024)];
    for (const content of contents) await store.append({ session: "s1", round: 0, agent: "QA", content });
    for (const content of ["", `${"é".repeat(512 * 1024)}x`]) {
      await expect(store.append({ session: "s1", round: 0, agent: "QA", content })).rejects.toMatchObject({
        code: "bad_content",
        exitCode: 2,
      });
    }
    for (const bad of [{ session: "a b" }, { agent: "a,b" }, { agent: "*" }, { round: -1 }, { round: 0.5 }]) {
      await expect(
        store.append({ session: "s1", round: 0, agent: "QA", content: "x", ...bad }),
      ).rejects.toMatchObject({ code: "bad_pattern" });
    }
    expect((await store.query(parsePattern("OBS[*,*,*,*]"))).map(({ content }) => content)).toEqual(contents);
  },
);

test("pages of a query are complete and follow each other", async () => {
  for (let n = 0; n < 25; n++) await store.append({ session: "s1", round: 0, agent: "QA", content: `${n}` });
  const pattern = parsePattern("OBS[Ss1,*,*,*]");
  const seen: string[] = [];
  for (let after = 0; ;) {
    const page = await store.query(pattern, { after, limit: 10 });
    if (page.length === 0) break;
    seen.push(...page.map(({ content }) => content));
    after = page.at(-1)?.id ?? 0;
  }
  expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => `${n}`));
});

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
