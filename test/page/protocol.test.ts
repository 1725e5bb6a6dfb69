/**
 * The protocol of a run as its definition has it, with what the journal says of each step, drawn and as a table.
 * @module-tag ci
 */
import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, noChromium, openFile, type OpenPage } from "./chromium.ts";
import { keepRun, type KeptRun } from "./kept-runs.ts";
import { drawnSteps, journaledSteps } from "./drawn-steps.ts";

if (chromiumPath === null) console.warn(`SKIPPED the drawn protocol: ${noChromium}`);

describe.skipIf(chromiumPath === null).each([
  // The demo's coder fails once; both of its nodes come from their tests to the implementation.
  ["orchestrate", [], ["main", "green_check green", 1]],
  ["graph", ["--protocol", "graph"], ["node", "work impl", 2]],
] as const)("%s", (_name, demo, [machine, route, times]) => {
  let kept: KeptRun;
  let one: OpenPage;
  beforeAll(async () => {
    kept = await keepRun(...demo);
    one = await openFile(kept.file);
  }, 180_000);

  test("each step is drawn with how often the journal says that it was taken", async () => {
    expect(await drawnSteps(one.page)).toMatchObject(journaledSteps(kept.events));
  });

  test("each drawn step is a row of the table, and what the run did not need is marked", async () => {
    const { page } = one;
    const steps = await page.locator("[data-step]").count();
    expect(await page.locator("#protocol tbody tr").count()).toBe(steps);
    const states = await page
      .locator("[data-step]")
      .evaluateAll((all) => [...new Set(all.map((one) => one.getAttribute("data-state")))]);
    expect(states.toSorted()).toEqual(["done", "skipped"]);
    expect((await readFile(kept.file, "utf8")).includes("<script")).toBe(false);
  });

  test("a route is drawn with how often results led from its step to the next", async () => {
    const drawn = one.page.locator(`[data-machine="${machine}"] [data-route="${route}"]`);
    expect(await drawn.getAttribute("data-taken")).toBe(String(times));
  });
});
