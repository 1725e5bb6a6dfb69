/**
 * The page shows what an agent says and does while it works, whichever process drives the run.
 * @module-tag ci
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { createWorld, golden } from "../orchestrate/world.ts";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, noChromium, openAddress, type OpenPage } from "./chromium.ts";
import { servePageOf } from "./page-server.ts";

if (chromiumPath === null) console.warn(`SKIPPED what agents say while they work: ${noChromium}`);

const secret = "planted-value/4711-and-more";
const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script>\u001b[31m\u202e[click](javascript:alert(3))`;

describe.skipIf(chromiumPath === null)("a step at work in a browser", () => {
  let one: OpenPage;
  let first = "";
  let planner = "";
  let shownAfterMs = 0;
  let whenSettled = 0;
  let injected = 0;
  const faults: Record<string, readonly string[]> = {};
  const tooWide: string[] = [];

  beforeAll(async () => {
    const world = await createWorld(undefined, { MY_API_KEY: secret });
    const cassette = await golden();
    const wait = (name: string) => ({
      shell: `while ! test -e ${join(world.home, name)}; do sleep 0.02; done`,
    });
    const go = (name: string) => writeFile(join(world.home, name), "");
    const { roles } = cassette;
    const [intake, ...others] = roles.intake;
    roles.intake = [
      {
        ...intake,
        does: [
          { say: `I read the task. ${hostile}` },
          { shell: `echo ${secret}` },
          { print: { bytes: 1_000_000, hex: Buffer.from("a line of a log\n").toString("hex") } },
          wait("two"),
          { say: "Now I ask." },
          wait("three"),
        ],
      },
      ...others,
    ];
    roles.planner = roles.planner.map((turn) => ({
      ...turn,
      does: [{ say: "I plan." }, wait("four"), ...(turn.does ?? [])],
    }));
    const run = await world.start(cassette);
    // Another process drives the run, as `mettle resume` in a terminal does.
    const driven = world.cli(["resume", run, "--json"]);
    const server = await servePageOf(world);
    one = await openAddress(server.page.newAddress());
    const { page } = one;
    await page.locator("a.run").first().click();
    const log = page.locator(`[data-working="intake#1"] .said-log`);
    await log.getByText("characters before this are not shown").first().waitFor();
    await go("two");
    const began = systemClock.now();
    await log.getByText("Now I ask.").waitFor();
    shownAfterMs = systemClock.now() - began;
    const look = async (name: string): Promise<void> => {
      faults[name] = await seriousFaults(page);
      if (await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth"))
        tooWide.push(name);
      injected += await page.locator("#working img, #working script, #working a").count();
    };
    await look("wide");
    await page.setViewportSize({ width: 390, height: 844 });
    await look("phone");
    first = (await log.textContent()) ?? "";
    await go("three");
    await driven;
    await page.locator(`[data-kind="questions"] form`).waitFor();
    whenSettled = await page.locator("#working").count();
    // The page's own process drives what follows.
    for (const id of ["Q1", "Q2", "Q3", "Q4", "Q5"]) await page.fill(`textarea[name="${id}"]`, "yes");
    await page.locator(`[data-kind="questions"] button.yes`).click();
    const second = page.locator(`#working .said-log`);
    await second.getByText("I plan.").waitFor();
    planner = (await second.textContent()) ?? "";
    await go("four");
    await page.locator(`[data-kind="plan"] form`).first().waitFor();
  }, 240_000);

  test("its newest words are there within a second or so, those of a run in a terminal too", () => {
    expect(first).toContain("Now I ask.");
    expect(shownAfterMs).toBeLessThan(3_000);
    expect(planner).toContain("I plan.");
  });

  test("of much output only the newest part is shown, and secrets are masked", () => {
    expect(first).toContain("a line of a log");
    expect(first.length).toBeLessThan(250_000);
    expect(first).not.toContain("4711");
  });

  test("nothing of it is executed or turned around, and no view is inaccessible or too wide", () => {
    expect([injected, one.noise, tooWide]).toEqual([0, [], []]);
    expect(faults).toEqual({ wide: [], phone: [] });
    expect([first.includes("\u001b"), first.includes("\u202e")]).toEqual([false, false]);
  });

  test("when the step has ended, the page has its recorded output in its place", () => {
    expect(whenSettled).toBe(0);
  });
});
