import { afterEach, beforeEach, expect, test } from "vitest";
import { newFolder } from "../../test/support/folder.ts";
import { manualClock } from "../testing/manual-clock.ts";
import type { Journal } from "./journal.ts";
import { parsePattern } from "./observation-line.ts";
import { openObservations, type Observations } from "./observations.ts";
import { openJournal } from "./open.ts";

let home: string;
let journal: Journal;
let store: Observations;
const clock = manualClock("2026-03-04T05:06:07.089Z");
const name = "TDD_20260304T050607089Z_C1";
const entry = { session: name, round: 0, agent: "MT", content: "phase:RED" };

beforeEach(async () => {
  home = newFolder();
  journal = await openJournal({ home, clock, alive: () => true });
  store = await openObservations({ home, clock });
});
afterEach(() => Promise.all([journal.close(), store.close()]));

test("observations and dialogues are written with their events", async () => {
  await journal.append("r1", 0, [{ type: "a", data: 1 }], {
    opens: [{ name, kind: "tdd_loop" }],
    observations: [entry],
  });
  const opened = "2026-03-04T05:06:07.089Z";
  expect(await store.dialogues()).toEqual([{ name, kind: "tdd_loop", run: "r1", opened, closed: null }]);
  expect(await store.query(parsePattern(`OBS[S${name},*,*,*]`))).toEqual([{ id: 1, at: opened, ...entry }]);
  await journal.append("r1", 1, [{ type: "b", data: 2 }], { closes: [name] });
  expect(await store.dialogues("r1")).toMatchObject([{ closed: opened }]);
  expect(await store.dialogues("r2")).toEqual([]);
});

test("or not at all: where the events do not follow, and where an observation is refused", async () => {
  await expect(
    journal.append("r1", 3, [{ type: "a", data: 1 }], {
      observations: [entry],
      opens: [{ name, kind: "tdd_loop" }],
    }),
  ).rejects.toMatchObject({ code: "journal_conflict" });
  await expect(
    journal.append("r1", 0, [{ type: "a", data: 1 }], { observations: [{ ...entry, content: "" }] }),
  ).rejects.toMatchObject({ code: "bad_content" });
  expect([
    await journal.head("r1"),
    await store.dialogues(),
    await store.query(parsePattern("OBS[*,*,*,*]")),
  ]).toEqual([0, [], []]);
});
