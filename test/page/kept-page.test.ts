// @module-tag ci
/** The page to keep, opened in a real Chromium without a network, against the journal and the records of its run. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { EvidenceRecord } from "../../src/evidence/record.ts";
import { commandText } from "../../src/views/gate/execution-block.ts";
import { safeLine } from "../../src/lib/safe-text.ts";
import { newFolder } from "../support/folder.ts";
import { verifiesWhen } from "../verifies.ts";
import { eventsOf } from "../orchestrate/world.ts";
import { chromiumPath, noChromium, openFile } from "./chromium.ts";
import { keepRun, type KeptRun } from "./kept-runs.ts";

const has = chromiumPath !== null;

describe("the page of a run that was refused once", () => {
  let kept: KeptRun;
  beforeAll(async () => {
    kept = await keepRun();
  }, 180_000);

  const recordOf = (id: string): EvidenceRecord => {
    const record = kept.records.get(id);
    if (record === undefined) throw new Error(`no record ${id}`);
    return record;
  };

  verifiesWhen(has, noChromium, "SEE-12", "has every fact of the journal, without any request", async () => {
    const { page, noise } = await openFile(kept.file);
    const { events, run } = kept;
    const [started] = eventsOf(events, "run.started");
    expect(await page.locator("h1").textContent()).toBe(started?.task);
    expect(await page.locator(".verdict").getAttribute("data-proved")).toBe("true");

    // What was asked, and what it is tested by.
    const spec = kept.texts.get(
      eventsOf(events, "document.written").find(({ name }) => name === "spec")?.ref ?? "",
    );
    const asked = await textOf(page, "#asked");
    for (const id of spec?.match(/\b(?:FR|EC|ERR)\d+\b/gu) ?? []) expect(asked).toContain(id);
    for (const { text } of eventsOf(events, "questions.asked").flatMap(({ questions }) => questions))
      expect(asked).toContain(text);
    for (const { text } of eventsOf(events, "question.answered")) expect(asked).toContain(text);
    const [frozen] = eventsOf(events, "files.frozen");
    expect(await attributes(page, "#asked [data-test]", "data-test")).toEqual(frozen?.required);

    // What was proved and how: every record with its command, its last lines and its exit.
    const evidence = await textOf(page, "#evidence");
    for (const { id, purpose, exitCode } of eventsOf(events, "record.written")) {
      const row = await textOf(page, `#evidence tr[data-row="${id}"]`);
      for (const part of [id, purpose, String(exitCode)]) expect(row).toContain(part);
      const { lastLines, output, ...record } = recordOf(id);
      expect(evidence).toContain(commandText(record));
      for (const line of lastLines.slice(-20)) expect(evidence).toContain(line.trimEnd());
      expect(evidence).toContain(output);
    }
    const judged = eventsOf(events, "gate.judged");
    expect(await attributes(page, "#gates .attempt", "data-verdict")).toEqual(
      judged.map(({ verdict }) => verdict),
    );
    const gates = await textOf(page, "#gates");
    for (const { reasons, findings } of judged)
      for (const words of [...reasons, ...findings]) expect(safeLine(gates)).toContain(safeLine(words));

    // What was refused.
    const refused = await attributes(page, "#refused [data-refusal]", "data-refusal");
    const countOf = (kind: string) => refused.filter((one) => one === kind).length;
    expect(countOf("gate")).toBe(judged.filter(({ verdict }) => verdict !== "pass").length);
    expect(countOf("claim")).toBe(eventsOf(events, "claim.unverified").length);
    expect([countOf("gate"), countOf("claim")]).toEqual([1, 2]);

    // Reviews, decisions, cost.
    const reviews = eventsOf(events, "review.given");
    expect(await attributes(page, ".review", "data-review")).toEqual(reviews.map(({ verdict }) => verdict));
    const decisions = await textOf(page, "#decisions");
    for (const { hash } of eventsOf(events, "ask.shown")) expect(decisions).toContain(hash.slice(7, 19));
    expect(await textOf(page, "#agents")).toContain("No agent reported what it cost.");
    for (const { key } of eventsOf(events, "dispatch.started"))
      expect(await page.locator(`#agents tr[data-row="${key}"]`).count()).toBe(1);

    // How to check it.
    expect(await textOf(page, "#reproduce")).toContain(`mettle verify ${run} --replay`);
    expect(noise).toEqual([]);
  });

  test.skipIf(!has)(
    "shows the last result of each test, as the newest run of the tests gave it",
    async () => {
      const { page } = await openFile(kept.file);
      const newest = new Map<string, string>();
      for (const { purpose, tests } of kept.records.values())
        if (/^baseline$|[.]tests$/u.test(purpose)) for (const { id, status } of tests) newest.set(id, status);
      const rows = page.locator("#tests tr[data-row^='test ']");
      const shown = await rows.evaluateAll((all) =>
        all.map((row) => [row.getAttribute("data-row")?.slice(5), row.querySelector(".mark.good") !== null]),
      );
      expect(Object.fromEntries(shown)).toEqual(
        Object.fromEntries([...newest].map(([id, status]) => [id, status === "passed"])),
      );
    },
  );

  test.skipIf(!has)("is no wider than a phone, and folds open by keyboard without a script", async () => {
    for (const view of [
      { width: 390, scheme: "dark" },
      { width: 1280, scheme: "light" },
    ] as const) {
      const { page } = await openFile(kept.file, view);
      const { scroll, inner } = await page.evaluate(() => ({
        scroll: globalThis.document.documentElement.scrollWidth,
        inner: globalThis.innerWidth,
      }));
      expect(scroll).toBeLessThanOrEqual(inner);
    }
    const { page } = await openFile(kept.file);
    const fold = page.locator("#evidence details").first();
    await fold.locator("summary").focus();
    expect(await fold.locator("pre").isVisible()).toBe(false);
    await page.keyboard.press("Enter");
    expect(await fold.locator("pre").isVisible()).toBe(true);
  });

  test("an existing file is replaced, and a folder is refused with what helps", async () => {
    const folder = newFolder();
    const file = join(folder, "a page.html");
    await writeFile(file, "old");
    const shown = await kept.call("show", kept.run, "--html", file, "--json");
    const { html, bytes } = JSON.parse(shown.stdout) as { html: string; bytes: number };
    expect([shown.code, html, bytes > 50_000]).toEqual([0, file, true]);
    const refused = await kept.call("show", kept.run, "--html", folder);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("name a file in an existing folder"),
    ]);
    expect((await kept.call("show", "nope", "--html", file)).stderr).toContain("error[run_unknown]");
  });
});

async function textOf(page: Page, selector: string): Promise<string> {
  return (await page.locator(selector).textContent()) ?? "";
}

function attributes(page: Page, selector: string, name: string): Promise<readonly (string | null)[]> {
  return page
    .locator(selector)
    .evaluateAll((all, attribute) => all.map((one) => one.getAttribute(attribute)), name);
}
