import { expect, test } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import { memoryJournal } from "../testing/memory-journal.ts";
import { isOver, statusOfRun } from "./run-status.ts";

const ref = `sha256:${"0".repeat(64)}`;
const started = {
  type: "run.started",
  data: {
    version: 1,
    task: "Measure",
    protocol: "orchestrate",
    protocolRef: ref,
    templatesRef: ref,
    settingsRef: ref,
    repository: "r",
    base: "b",
    branch: "main",
    dirty: false,
    folder: "docs",
    agents: {},
    reviewers: [],
    preapproved: [],
    demo: false,
  },
};

test("a kept status is shown as long as nothing was appended and nobody works on the run", async () => {
  const journal = memoryJournal({ clock: manualClock() });
  await journal.append("r1", 0, [started]);
  const first = await statusOfRun(journal, "r1");
  expect(first).toMatchObject({ run: "r1", task: "Measure", status: "stopped", owner: null });
  expect(isOver(first)).toBe(false);
  const left = { run: "r1", commit: null, isComplete: false };
  expect(await journal.readView("r1", "run-status-8")).toEqual({
    seq: 1,
    value: { status: first, startedAt: "2026-01-01T00:00:00.000Z", endedAt: null, left },
  });
  expect(await statusOfRun(journal, "r1")).toEqual(first);

  const claim = await journal.claim("r1", { pid: 4711, started: "1" });
  expect(await statusOfRun(journal, "r1")).toMatchObject({ status: "running", owner: 4711 });
  await claim.release();
  expect(await statusOfRun(journal, "r1")).toEqual(first);

  await journal.append("r1", 1, [{ type: "run.ended", data: { outcome: "complete", reason: "" } }]);
  const last = await statusOfRun(journal, "r1");
  expect(last).toMatchObject({ status: "complete" });
  expect(isOver(last)).toBe(true);
  expect(await statusOfRun(journal, "r1")).toEqual(last);
});
