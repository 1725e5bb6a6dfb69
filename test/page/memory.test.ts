/**
 * The page shows what a repository remembers: memory bank, dialogues, knowledge graph.
 * @module-tag ci
 */
import { beforeAll, describe, expect, test } from "vitest";
import { createWorld, golden } from "../orchestrate/world.ts";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, noChromium, openAddress, type OpenPage } from "./chromium.ts";
import { servePageOf } from "./page-server.ts";
import { dialogue, rememberIn } from "./remembered.ts";

if (chromiumPath === null) console.warn(`SKIPPED the memory in the page: ${noChromium}`);

describe.skipIf(chromiumPath === null)("the memory of a repository in a browser", () => {
  let one: OpenPage;
  let nothing = "";
  let injected = 0;
  const tooWide: string[] = [];
  const faults: Record<string, readonly string[]> = {};
  const seen: Record<string, unknown> = {};

  beforeAll(async () => {
    const world = await createWorld();
    const run = await world.start(await golden());
    const server = await servePageOf(world);
    one = await openAddress(server.page.newAddress());
    const { page } = one;
    const look = async (name: string): Promise<void> => {
      faults[name] = await seriousFaults(page);
      if (await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth"))
        tooWide.push(name);
      injected += await page.locator("main img, main script, main a[href^='javascript']").count();
    };

    await page.locator("section[data-repository] a.memory").click();
    await page.locator("#knowledge").waitFor();
    nothing = (await page.locator("main").textContent()) ?? "";
    await look("nothing");

    await rememberIn(world, run);
    await page.reload();
    const brief = page.locator(`[data-file="memory-bank/projectbrief.md"]`);
    await brief.locator("summary").click();
    await brief.locator("table").waitFor();
    seen["states"] = await page
      .locator("[data-file]")
      .evaluateAll((files) => files.map((file) => file.getAttribute("data-state")));
    seen["broken"] = await brief.locator(".reasons").textContent();
    await page.locator(`[data-dialogue="${dialogue}"] summary`).click();
    await page.locator(`[data-dialogue] tbody tr`).nth(1).waitFor();
    await look("all");
    seen["boxes"] = await page.locator("[data-picture=knowledge] [data-node]").count();
    seen["arrows"] = await page.locator("[data-picture=knowledge] [data-edge]").count();
    seen["rows"] = await page.locator("#knowledge tbody tr").count();
    await page.fill("input[type=search]", "NFKD");
    await page.locator("[data-found='1']").waitFor();
    seen["found"] = await page
      .locator("#knowledge table")
      .first()
      .locator("tbody tr td")
      .first()
      .textContent();
    await page.setViewportSize({ width: 390, height: 844 });
    await look("phone");
    // Back by the link of the run, and here again from the run.
    await page.locator("#dialogues a").click();
    await page.locator("nav.parts a", { hasText: "Memory and knowledge" }).click();
    await page.locator("#bank").waitFor();
    seen["title"] = await page.title();
  }, 120_000);

  test("each part that is missing says so, with the command that makes it", () => {
    for (const command of ["mettle init --protocol dptr", "mettle run --protocol riper", "mettle mcp"])
      expect(nothing).toContain(command);
  });

  test("it shows the bank with its states, a dialogue, and the graph as drawing and tables, and finds in it", () => {
    expect(seen).toEqual({
      states: ["filled", "empty", "empty", "empty", "empty", "filled"],
      broken: expect.stringContaining("σ₂ has no section or field nowhere") as string,
      boxes: 4,
      arrows: 4,
      rows: 8,
      found: "accents",
      title: expect.stringMatching(/^Memory of /u) as string,
    });
  });

  test("nothing of it is executed, and no view is inaccessible or too wide", () => {
    expect([injected, one.noise, tooWide]).toEqual([0, [], []]);
    expect(faults).toEqual({ nothing: [], all: [], phone: [] });
  });
});
