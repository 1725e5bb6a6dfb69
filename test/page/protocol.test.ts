/**
 * The protocol of a run as its definition has it, with what the journal says of each step, drawn and as a table.
 * @module-tag ci
 */
import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { eventsOf } from "../orchestrate/world.ts";
import { chromiumPath, noChromium, openFile, type OpenPage } from "./chromium.ts";
import { keepRun, type KeptRun } from "./kept-runs.ts";

if (chromiumPath === null) console.warn(`SKIPPED the drawn protocol: ${noChromium}`);

/** Times of each step by its place, counted in the journal alone. */
function timesIn({ events }: KeptRun): Readonly<Record<string, number>> {
  const machines = new Map([["main", "main"]]);
  const counts: Record<string, number> = {};
  for (const { command } of eventsOf(events, "command.issued")) {
    const issued = command as { type: string; frame: string; path: string; child: string; machine: string };
    if (issued.type === "cancel" || issued.type === "finish") continue;
    if (issued.type === "spawn") machines.set(issued.child, issued.machine);
    const path = issued.type === "spawn" ? issued.path.split("/").slice(0, -1).join("/") : issued.path;
    const own = issued.frame === "main" ? path : path.slice(issued.frame.length + 1);
    const place = `${machines.get(issued.frame) ?? ""} ${own}`;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts;
}

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
    const drawn = await one.page
      .locator("[data-machine] [data-step]")
      .evaluateAll((steps) =>
        steps.map((step) => [
          `${step.closest("[data-machine]")?.getAttribute("data-machine") ?? ""} ${step.getAttribute("data-step") ?? ""}`,
          Number(step.getAttribute("data-times")),
        ]),
      );
    const times = Object.fromEntries(drawn) as Record<string, number>;
    expect(times).toMatchObject(timesIn(kept));
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
