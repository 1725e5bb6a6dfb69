import assert from "node:assert/strict";
import type { Journal } from "../journal/journal.ts";
import { parsePattern } from "../journal/observation-line.ts";
import type { Observations } from "../journal/observations.ts";

/** The contract that all Observations must pass, with the journal of the same store. Each case gets an empty store. */
export interface ObservationsSubject {
  readonly store: Observations;
  readonly journal: Journal;
  /** The time of both clocks, ISO 8601. */
  readonly at: string;
}

export interface ObservationsCase {
  readonly title: string;
  check(subject: ObservationsSubject): Promise<void>;
}

const name = "TDD_20260304T050607089Z_C1";
const opens = [{ name, kind: "tdd_loop" }] as const;
const entry = { session: name, round: 0, agent: "MT", content: "phase:RED" };

/** All are cases of CORE-64. */
export const observationsContract: readonly ObservationsCase[] = [
  {
    title: "observations are found by session, round and agent in any mix with *, in order of writing",
    async check({ store, at }) {
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
      assert.deepEqual(await found("OBS[*,*,*,*]"), all);
      assert.deepEqual(await found("OBS[Ss1,R{current},*,*]", 2), ["s1 2 MT", "s1 2 QA", "s1 2 DE"]);
      assert.deepEqual(await found("OBS[Ss1,R{n-1},*,*]", 2), ["s1 1 MT", "s1 1 QA", "s1 1 DE"]);
      assert.deepEqual(await found("OBS[Ss1,R{n-1},*,*]", 0), []);
      assert.deepEqual(await found("OBS[Ss2,*,A:QA,*]"), ["s2 0 QA", "s2 1 QA", "s2 2 QA"]);
      assert.deepEqual(await found("OBS[*,R1,A:DE,*]"), ["s1 1 DE", "s2 1 DE"]);
      assert.deepEqual(await found("OBS[Ss3,*,*,*]"), []);
      assert.deepEqual(await found(`OBS[*,*,*,T:${at}]`), all);
    },
  },
  {
    title: "contents are kept byte for byte up to 1 MiB; empty and larger ones are refused and store nothing",
    async check({ store }) {
      const contents = ["nul \u0000 end", "half \ud800", "lines\n\r\\n", "é".repeat(512 * 1024)];
      for (const content of contents) await store.append({ session: "s1", round: 0, agent: "QA", content });
      for (const content of ["", `${"é".repeat(512 * 1024)}x`]) {
        await assert.rejects(store.append({ session: "s1", round: 0, agent: "QA", content }), {
          code: "bad_content",
          exitCode: 2,
        });
      }
      for (const bad of [
        { session: "a b" },
        { agent: "a,b" },
        { agent: "*" },
        { round: -1 },
        { round: 0.5 },
      ]) {
        const odd = { session: "s1", round: 0, agent: "QA", content: "x", ...bad };
        await assert.rejects(store.append(odd), { code: "bad_pattern" });
      }
      const found = await store.query(parsePattern("OBS[*,*,*,*]"));
      assert.deepEqual(
        found.map(({ content }) => content),
        contents,
      );
    },
  },
  {
    title: "pages of a query are complete and follow each other",
    async check({ store }) {
      for (let n = 0; n < 25; n++)
        await store.append({ session: "s1", round: 0, agent: "QA", content: `${n}` });
      const pattern = parsePattern("OBS[Ss1,*,*,*]");
      const seen: string[] = [];
      for (let after = 0; ;) {
        const page = await store.query(pattern, { after, limit: 10 });
        if (page.length === 0) break;
        seen.push(...page.map(({ content }) => content));
        after = page.at(-1)?.id ?? 0;
      }
      assert.deepEqual(
        seen,
        Array.from({ length: 25 }, (_, n) => `${n}`),
      );
    },
  },
  {
    title: "observations and dialogues are written with their events",
    async check({ store, journal, at }) {
      await journal.append("r1", 0, [{ type: "a", data: 1 }], { opens, observations: [entry] });
      assert.deepEqual(await store.dialogues(), [
        { name, kind: "tdd_loop", run: "r1", opened: at, closed: null },
      ]);
      assert.deepEqual(await store.query(parsePattern(`OBS[S${name},*,*,*]`)), [{ id: 1, at, ...entry }]);
      await journal.append("r1", 1, [{ type: "b", data: 2 }], { closes: [name] });
      assert.deepEqual(
        (await store.dialogues("r1")).map(({ closed }) => closed),
        [at],
      );
      assert.deepEqual(await store.dialogues("r2"), []);
    },
  },
  {
    title: "or not at all: where the events do not follow, and where an observation is refused",
    async check({ store, journal }) {
      await assert.rejects(
        journal.append("r1", 3, [{ type: "a", data: 1 }], { observations: [entry], opens }),
        { code: "journal_conflict" },
      );
      await assert.rejects(
        journal.append("r1", 0, [{ type: "a", data: 1 }], { observations: [{ ...entry, content: "" }] }),
        { code: "bad_content" },
      );
      assert.deepEqual(
        [await journal.head("r1"), await store.dialogues(), await store.query(parsePattern("OBS[*,*,*,*]"))],
        [0, [], []],
      );
    },
  },
];
