/**
 * A large run in a real browser: it is drawn in pieces, and what changes is drawn alone.
 * @module-tag ci
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHost, type OpenHost } from "../../src/run/host.ts";
import { newFolder } from "../support/folder.ts";
import { createRepository } from "../support/repository.ts";
import { chromiumPath, noChromium, openAddress } from "./chromium.ts";
import { largeRun } from "./large-run.ts";
import { servePageOf } from "./page-server.ts";

if (chromiumPath === null) console.warn(`SKIPPED the large page: ${noChromium}`);

const nodes = 300;

describe.skipIf(chromiumPath === null)("a run of 3,000 events in a browser", () => {
  let host: OpenHost;
  let page: Page;
  let seq = 0;

  beforeAll(async () => {
    const home = newFolder();
    const env = { METTLE_HOME: home };
    host = await openHost((await createRepository()).dir, env);
    const { events, records = new Map() } = largeRun(nodes, 3);
    const stored = events.map(async ({ seq: _, at: __, type, ...data }) => ({
      type,
      data:
        type === "record.written" && "id" in data
          ? { ...data, ref: await host.payloads.put(JSON.stringify(records.get(data.id))) }
          : data,
    }));
    await host.journal.append("large", 0, await Promise.all(stored));
    seq = events.length;
    const { page: served } = await servePageOf({ home, env });
    ({ page } = await openAddress(served.newAddress()));
    await page.goto(`${page.url()}?repository=${host.repository.id}&run=large`);
    await page.locator("#agents").waitFor();
  }, 120_000);
  afterAll(() => host?.journal.close());

  const tasks = () =>
    page.locator("#agents table", { hasText: "Every task that was given" }).locator("tbody tr");

  test("few rows are drawn, the newest, and more on demand", async () => {
    expect(await page.locator("*").count()).toBeLessThan(6_000);
    expect(await tasks().count()).toBe(25);
    expect(await tasks().last().getAttribute("data-row")).toBe(`children/n${nodes - 1}/impl#1`);
    await page.locator("#agents button", { hasText: `Show 200 of ${nodes - 25} earlier rows` }).click();
    expect(await tasks().count()).toBe(225);
    await page.locator("#agents button", { hasText: `Show ${nodes - 225} earlier rows` }).click();
    expect(await tasks().count()).toBe(nodes);
    expect(await page.locator("#agents .rest").count()).toBe(0);
  });

  test("what is folded is made when someone opens it", async () => {
    const fold = page.locator("#gates details", { hasText: "Attempts as a table" }).last();
    expect(await fold.locator("table").count()).toBe(0);
    await fold.locator("summary").click();
    await fold.locator("table").waitFor();
  });

  test("an event draws only the parts that show it, and what a person opened stays", async () => {
    await page.evaluate(`{
      window.redrawn = new Set();
      new MutationObserver((changes) => {
        for (const { target } of changes) window.redrawn.add(target.parentElement?.closest("section")?.id ?? "");
      }).observe(document.querySelector("main"), { subtree: true, childList: true, characterData: true, attributes: true });
    }`);
    await host.journal.append("large", seq, [
      { type: "warned", data: { code: "x", message: "One warning" } },
    ]);
    await page.locator("#refused li", { hasText: "One warning" }).waitFor();
    const redrawn = await page.evaluate<string[]>("[...window.redrawn]");
    expect(redrawn).toContain("refused");
    for (const id of ["gates", "tests", "evidence", "texts"]) expect(redrawn).not.toContain(id);
    expect(await tasks().count()).toBe(nodes);
  });
});
