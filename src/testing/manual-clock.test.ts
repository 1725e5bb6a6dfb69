import { expect, test } from "vitest";
import { manualClock } from "./manual-clock.ts";

test("time moves only when it is advanced, and sleepers wake in the order of their times", async () => {
  const clock = manualClock("2026-01-01T00:00:00.000Z");
  const start = clock.now();
  const woken: [string, number][] = [];
  const sleep = async (name: string, ms: number) => {
    await clock.sleep(ms);
    woken.push([name, clock.now() - start]);
  };
  const all = [sleep("late", 300), sleep("early", 100)];
  const twice = sleep("first", 50).then(() => sleep("again", 60));
  expect(clock.sleeping()).toBe(3);
  await clock.advance(99);
  expect(woken).toEqual([["first", 50]]);
  await clock.advance(201);
  await Promise.all([...all, twice]);
  expect(woken).toEqual([
    ["first", 50],
    ["early", 100],
    ["again", 110],
    ["late", 300],
  ]);
  expect([clock.now() - start, clock.sleeping()]).toEqual([300, 0]);
});

test("an aborted sleep ends at once", async () => {
  const clock = manualClock(1000);
  const abort = new AbortController();
  const sleeping = clock.sleep(1_000_000, abort.signal);
  abort.abort();
  await sleeping;
  await clock.sleep(5, abort.signal);
  await clock.sleep(0);
  expect([clock.now(), clock.sleeping()]).toEqual([1000, 0]);
});
